import { appendFile } from 'node:fs/promises';
// cspell:disable the states in French
import { WORDS } from '@multilocal/campaigns/calendar-words';
import { type Both, inLocale, type Locale, quotas } from '@multilocal/plans/words';
import { codeOf } from '@multilocal/stores/files';
import type { PlanLeftOver } from 'multilocal/plans';
import type { Output } from '../output.js';
import { WORDING } from '../wording.js';
import { type Findings, type PlacedAction, placeOf } from './placed-action.js';
import { groupsOf, type PlacedProblem, placesOf } from './problem.js';

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
  return [...shownOf(file, problems).map(annotation('error')), ...shownOf(file, warnings).map(annotation('warning'))];
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

/** What is shown of findings: each message once with its places, and how many are left out. */
function shownOf(file: string, findings: readonly PlacedProblem[]): readonly PlacedProblem[] {
  const unique = [...groupsOf(findings)].map(([message, group]) => {
    const places = group.length === 1 ? '' : ` (${group.length} ×: ${placesOf(file, group)})`;
    return { ...(group[0] as PlacedProblem), message: `${message}${places}` };
  });
  const [last] = unique.slice(MOST - 1);
  if (unique.length <= MOST || !last) return unique;
  const more = `and ${unique.length - MOST} more. The summary of the job and the log have all.`;
  return [...unique.slice(0, MOST - 1), { ...last, message: `${last.message} … ${more}` }];
}

/** What a rehearsal says of a plan, beside its findings. */
interface Rehearsed {
  readonly actions: readonly PlacedAction[];
  readonly leftOvers?: readonly Pick<PlanLeftOver, 'step' | 'summary' | 'problems'>[] | undefined;
  /** The hash to approve. Absent if the plan is refused. */
  readonly hash?: string | undefined;
}

/** Returns a rehearsal in Markdown, for `$GITHUB_STEP_SUMMARY` and for a comment. */
export function jobSummary(
  file: string,
  { problems, warnings }: Findings,
  { actions, ...more }: Rehearsed,
  locale: Locale = 'en',
): string {
  const say = (both: Both) => inLocale(both, locale);
  const { leftOvers = [], hash } = more;
  const rows = actions.map(({ line, source, operation, state, summary, details, quota = [], ...found }): Row => {
    const cost = quota.map(({ name, uses, left }) => {
      return say([
        `${uses} ${name}${left === undefined ? '' : ` of ${left}`}`,
        `${uses} ${quotas[name] ?? name}${left === undefined ? '' : ` sur ${left}`}`,
      ]);
    });
    const remarks = [...found.problems, ...found.warnings].map(({ message }) => message);
    const what = [summary, ...details].join('\n');
    const cells = cellsOf(
      state,
      say(STATES[state]),
      [source ?? String(line), operation],
      [what, cost.join(', '), remarks.join('\n')],
    );
    const weight = found.problems.length > 0 ? 2 : remarks.length > 0 ? 1 : 0;
    return { cells, weight };
  });
  for (const { step, summary, problems } of leftOvers) {
    const why = problems.map(({ message }) => message).join('\n');
    rows.push({ cells: cellsOf(step, say(WORDING.leftOver[step]), ['', ''], [summary, '', why]) });
  }
  const told = new Set(leftOvers.flatMap((one) => one.problems.map(({ message }) => message)));
  const isLost = ({ action, message }: PlacedProblem) =>
    !told.has(message) && actions.every((known) => known.action !== action);
  for (const { line, source, code, message } of problems.filter(isLost)) {
    const why = `${message} (${code})`;
    rows.push({ cells: cellsOf('refused', say(STATES.refused), [source ?? String(line), ''], ['', '', why]) });
  }
  const remarks = warnings.filter(isLost).map(({ source, message }) => {
    return `- ${say(['warning: ', 'attention : '])}${inline(source === undefined ? message : `${source}: ${message}`)}`;
  });
  const counts = [say(WORDING.problems(problems.length))];
  if (warnings.length > 0) counts.push(say(WORDING.warnings(warnings.length)));
  // Workflows read this line, so it is the same in every language.
  const approval = hash === undefined ? [] : [`hash \`${hash}\``];
  const parts = [
    `### ${inline(file)}${WORDS[locale].colon}${counts.join(', ')}`,
    '',
    ...tableOf(say(WORDING.tableHead()), rows, locale),
  ];
  for (const lines of [remarks, approval]) if (lines.length > 0) parts.push('', ...lines);
  return [...parts, ''].join('\n');
}

interface Row {
  /** In Markdown. */
  readonly cells: readonly string[];
  /** How much somebody has to look at it, from 0. Default: 2. */
  readonly weight?: number;
}

/** GitHub takes comments of 65 536 characters, with the rest of the text. */
const MOST_CHARACTERS = 55_000;

/** The rows of a table that have room, those first that matter, and how many are left out. */
export function tableOf(head: string, rows: readonly Row[], locale: Locale = 'en'): string[] {
  if (rows.length === 0) return [];
  // A comment is narrow.
  const isUsed = rows[0]?.cells.map((_, column) => rows.some(({ cells }) => cells[column] !== ''));
  const rowOf = (cells: readonly string[]) => `| ${cells.filter((_, column) => isUsed?.[column]).join(' | ')} |`;
  const heads = head.split('\n').map((line) => rowOf(line.slice(2, -2).split(' | ')));
  const lines = rows.map(({ cells, weight = 2 }) => ({ weight, text: rowOf(cells) }));
  let left = MOST_CHARACTERS;
  const first = lines.toSorted((a, b) => b.weight - a.weight);
  const kept = new Set(
    first.filter(({ text }) => {
      left -= text.length + 1;
      return left >= 0;
    }),
  );
  const missing = lines.length - kept.size;
  const more = missing > 0 ? ['', inLocale(WORDING.moreRows(missing), locale)] : [];
  return [...heads, ...lines.filter((one) => kept.has(one)).map(({ text }) => text), ...more];
}

const STATES: Readonly<Record<PlacedAction['state'], Both>> = {
  ready: ['ready', 'prête'],
  changed: ['changed', 'modifiée'],
  unpreviewed: ['no preview', 'sans aperçu'],
  refused: ['refused', 'refusée'],
  failed: ['failed', 'en échec'],
  done: ['done', 'faite'],
};

/** What stops a plan or deletes: states of actions, and steps of left-overs. */
const STRONG: ReadonlySet<string> = new Set(['refused', 'failed', 'refuse', 'delete']);

function cellsOf(state: string, said: string, before: readonly string[], after: readonly string[]): string[] {
  return [...before.map(cell), STRONG.has(state) ? `**${said}**` : said, ...after.map(cell)];
}

/** Markdown and HTML in a text of the service must not be rendered. */
export function cell(text: string): string {
  return inline(text).replace(/\r\n|\r|\n/g, '<br>');
}

function inline(text: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return safe.replace(/[\\`*_[\]|~#@]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
