import { createHash } from 'node:crypto';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { PlanProblem } from './problem.js';
import type { Verdict } from './rehearse.js';

/** Writes problems as workflow commands of GitHub Actions, which shows them beside the lines of the plan. */
export function githubAnnotations(file: string, problems: readonly PlanProblem[], workspace: string): string[] {
  const path = pathWithin(workspace, file);
  return problems.map(({ line, column, code, message }) => {
    const properties = { file: path, line, col: column, title: code };
    const written = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
    return `::error ${written.join(',')}::${data(message)}`;
  });
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Writes a table in Markdown, for `$GITHUB_STEP_SUMMARY`. */
export function jobSummary(file: string, verdicts: readonly Verdict[], problems: readonly PlanProblem[]): string {
  const bad = problems.length > 0 ? `${problems.length} problem${problems.length === 1 ? '' : 's'}` : 'no problems';
  const rows = verdicts.map(({ line, operation, state, summary, costs, problems, hints }) => {
    const cost = costs.map(({ quota, uses, left }) => `${uses} ${quota}${left === undefined ? '' : ` of ${left}`}`);
    const remarks = [...problems.map(({ message }) => message), ...hints];
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
  no_preview: 'no preview',
  refused: '**refused**',
  done: 'done',
  open: 'not known',
};

/** Markdown and HTML in a text of the service must not be rendered. `**` of our own states is kept. */
function cell(text: string): string {
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

/** Writes problems as a code-quality report of GitLab, which shows them in the merge request. */
export function gitlabReport(file: string, problems: readonly PlanProblem[], project: string): string {
  const path = pathWithin(project, file);
  const entries = problems.map(({ line, column, code, message }, index) => ({
    description: message,
    check_name: `multilocal/${code}`,
    // Two equal problems must have different fingerprints.
    fingerprint: createHash('sha256')
      .update(JSON.stringify([path, code, message, column, index]))
      .digest('hex'),
    severity: 'major',
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
