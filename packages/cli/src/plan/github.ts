import { appendFile } from 'node:fs/promises';
import { codeOf } from '@multilocal/stores/files';
import type { Output } from '../output.js';
import { plural } from '../words.js';
import type { PlacedProblem } from './problem.js';
import { type Findings, placeOf, type Verdict } from './verdict.js';

/** Shows findings beside the lines of the plan, and in the summary of the job. */
export async function reportToGithub(output: Output, file: string, findings: Findings, verdicts: readonly Verdict[]) {
  await showOnGithub(output, file, findings, jobSummary(file, verdicts, findings.problems));
}

/** Shows findings beside the lines of a file, and a text in the summary of the job. */
export async function showOnGithub(output: Output, file: string, findings: Findings, summary: string): Promise<void> {
  const { GITHUB_WORKSPACE, GITHUB_STEP_SUMMARY } = process.env;
  for (const line of githubAnnotations(file, findings, GITHUB_WORKSPACE ?? process.cwd())) output.workflowCommand(line);
  if (!GITHUB_STEP_SUMMARY) return;
  // A summary repeats what the log says, so its failure must not hide the result.
  await appendFile(GITHUB_STEP_SUMMARY, summary).catch((error) => {
    output.note(`The job summary cannot be written (${codeOf(error)}). Check GITHUB_STEP_SUMMARY.`);
  });
}

/** Returns findings as workflow commands of GitHub Actions, which shows them beside the lines of the plan. */
export function githubAnnotations(file: string, { problems, warnings }: Findings, workspace: string): string[] {
  const annotation = (kind: string) => (one: PlacedProblem) => {
    const { path, line, column, message } = placeOf(workspace, file, one);
    return workflowCommand(kind, { file: path, line, ...(column && { col: column }), title: one.code }, message);
  };
  return [...shownOf(problems).map(annotation('error')), ...shownOf(warnings).map(annotation('warning'))];
}

/** Returns a warning about a whole file as a workflow command of GitHub Actions. */
export function workflowWarning(file: string, message: string): string {
  return workflowCommand('warning', { file }, message);
}

function workflowCommand(kind: string, properties: object, message: string): string {
  const written = Object.entries(properties).map(([name, value]) => {
    return `${name}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`;
  });
  return `::${kind} ${written.join(',')}::${escaped(message)}`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
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

/** Returns a table in Markdown, for `$GITHUB_STEP_SUMMARY`. */
export function jobSummary(file: string, verdicts: readonly Verdict[], problems: readonly PlacedProblem[]): string {
  const bad = problems.length > 0 ? plural(problems.length, 'problem') : 'no problems';
  const rows = verdicts.map(({ line, source, operation, state, summary, quota = [], problems, warnings }) => {
    const cost = quota.map(({ name, uses, left }) => `${uses} ${name}${left === undefined ? '' : ` of ${left}`}`);
    const remarks = [...problems, ...warnings].map(({ message }) => message);
    return [source ?? String(line), operation, STATES[state], summary, cost.join(', '), remarks.join('\n')];
  });
  const lost = problems.filter(({ action }) => verdicts.every((verdict) => verdict.action !== action));
  for (const { line, code, message } of lost)
    rows.push([String(line), '', STATES.refused, '', '', `${message} (${code})`]);
  const table = rows.map((cells) => `| ${cells.map(cell).join(' | ')} |`);
  return [`### ${inline(file)}: ${bad}`, '', HEAD, ...table, ''].join('\n');
}

const HEAD = '| line | operation | state | what would happen | uses | remarks |\n| --: | --- | --- | --- | --- | --- |';

const STATES: Readonly<Record<Verdict['state'], string>> = {
  ready: 'ready',
  changed: 'changed',
  unpreviewed: 'no preview',
  refused: '**refused**',
  failed: '**failed**',
  done: 'done',
};

/** Markdown and HTML in a text of the service must not be rendered. `**` of our own states is kept. */
export function cell(text: string): string {
  return Object.values(STATES).includes(text) ? text : inline(text).replace(/\r\n|\r|\n/g, '<br>');
}

function inline(text: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return safe.replace(/[\\`*_[\]|~#@]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
