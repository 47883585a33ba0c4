import { createHash } from 'node:crypto';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { RehearsedAction } from 'multilocal/plans';
import type { PlacedProblem, Position } from './problem.js';

/** What a rehearsal says of an action, with lines and columns. */
export interface Verdict extends Omit<RehearsedAction, 'index' | 'problems' | 'warnings'>, Position {
  /** Number of the action, from 0. */
  readonly action: number;
  readonly problems: readonly PlacedProblem[];
  readonly warnings: readonly PlacedProblem[];
}

/** What CI shows beside the lines of a plan. */
interface Findings {
  readonly problems: readonly PlacedProblem[];
  readonly warnings: readonly PlacedProblem[];
}

/** Writes findings as workflow commands of GitHub Actions, which shows them beside the lines of the plan. */
export function githubAnnotations(file: string, { problems, warnings }: Findings, workspace: string): string[] {
  const path = pathWithin(workspace, file);
  const annotation = (kind: 'error' | 'warning') => (problem: PlacedProblem) => {
    const { line, column, code, message } = problem;
    const properties = { file: path, line, col: column, title: code };
    const written = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
    return `::${kind} ${written.join(',')}::${data(message)}`;
  };
  return [...shownOf(problems).map(annotation('error')), ...shownOf(warnings).map(annotation('warning'))];
}

/** GitHub shows that many of each kind for a step. */
const MOST = 10;

/** What is shown of findings: each message once, and how many are left out. */
function shownOf(findings: readonly PlacedProblem[]): readonly PlacedProblem[] {
  const seen = new Set<string>();
  const unique = findings.filter(({ message }) => !seen.has(message) && seen.add(message));
  const [last] = unique.slice(MOST - 1);
  if (unique.length <= MOST || !last) return unique;
  const more = `and ${unique.length - MOST} more. The summary of the job and the log have all.`;
  return [...unique.slice(0, MOST - 1), { ...last, message: `${last.message} … ${more}` }];
}

/** Writes a warning about a whole file as a workflow command of GitHub Actions. */
export function workflowWarning(file: string, message: string): string {
  return `::warning file=${property(file)}::${data(message)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Writes a table in Markdown, for `$GITHUB_STEP_SUMMARY`. */
export function jobSummary(file: string, verdicts: readonly Verdict[], problems: readonly PlacedProblem[]): string {
  const bad = problems.length > 0 ? `${problems.length} problem${problems.length === 1 ? '' : 's'}` : 'no problems';
  const rows = verdicts.map(({ line, operation, state, summary, quota = [], problems, warnings }) => {
    const cost = quota.map(({ name, uses, left }) => `${uses} ${name}${left === undefined ? '' : ` of ${left}`}`);
    const remarks = [...problems, ...warnings].map(({ message }) => message);
    return [String(line), operation, STATES[state], summary, cost.join(', '), remarks.join('\n')];
  });
  const lost = problems.filter(({ action }) => verdicts.every((verdict) => verdict.action !== action));
  const others = lost.map(({ line, code, message }) => [
    String(line),
    '',
    STATES.refused,
    '',
    '',
    `${message} (${code})`,
  ]);
  const table = [...rows, ...others].map((cells) => `| ${cells.map(cell).join(' | ')} |`);
  return [`### ${inline(file)}: ${bad}`, '', HEAD, ...table, ''].join('\n');
}

const HEAD = '| line | operation | state | what would happen | uses | remarks |\n| --: | --- | --- | --- | --- | --- |';

const STATES: Readonly<Record<Verdict['state'], string>> = {
  ready: 'ready',
  changed: 'changed',
  unpreviewed: 'no preview',
  refused: '**refused**',
  done: 'done',
};

/** Markdown and HTML in a text of the service must not be rendered. `**` of our own states is kept. */
export function cell(text: string): string {
  const isState = Object.values(STATES).includes(text);
  return isState ? text : inline(text).replace(/\r\n|\r|\n/g, '<br>');
}

function inline(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|~#@]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** The file that GitLab reads as a code-quality report. */
export const GITLAB_REPORT = 'gl-code-quality-report.json';

/** Writes findings as a code-quality report of GitLab, which shows them in the merge request. */
export function gitlabReport(file: string, { problems, warnings }: Findings, project: string): string {
  const path = pathWithin(project, file);
  const all = [
    ...problems.map((each) => [each, 'major'] as const),
    ...warnings.map((each) => [each, 'minor'] as const),
  ];
  const entries = all.map(([{ line, column, code, message }, severity], index) => ({
    description: message,
    check_name: `multilocal/${code}`,
    // Two equal problems must have different fingerprints.
    fingerprint: createHash('sha256')
      .update(JSON.stringify([path, code, message, column, index]))
      .digest('hex'),
    severity,
    location: { path, lines: { begin: line } },
  }));
  return `${JSON.stringify(entries, null, 2)}\n`;
}

/** Returns the path below a folder, with `/` on every system. A path outside stays as it is. */
function pathWithin(folder: string, file: string): string {
  const path = relative(resolve(folder), resolve(file));
  const isOutside = path.startsWith('..') || isAbsolute(path);
  return (isOutside ? file : path).split(sep).join('/');
}
