import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Locale } from '@multilocal/plans/words';
import type { PlanLeftOver, PlanProblem, RehearsedAction } from 'multilocal/plans';
import { say } from '../front.js';
import { type Position, readWritten } from './place.js';
import type { PlanFile } from './plan-file.js';
import { messageIn, type PlacedProblem } from './problem.js';

/** What a rehearsal says of an action, with lines and columns, in the words of the command line. */
export interface PlacedAction extends Omit<RehearsedAction, 'index' | 'sentence' | 'problems' | 'warnings'>, Position {
  /** Number of the action, from 0. */
  readonly action: number;
  readonly problems: readonly PlacedProblem[];
  readonly warnings: readonly PlacedProblem[];
}

/** What CI shows beside the lines of a plan. */
export interface Findings {
  readonly problems: readonly PlacedProblem[];
  readonly warnings: readonly PlacedProblem[];
}

/** Adds to an action where it and its problems are in the file. */
export function placedAction(plan: PlanFile, rehearsed: RehearsedAction, locale: Locale): PlacedAction {
  const { index, sentence: _, ...action } = rehearsed;
  const { summary, problems, warnings } = action;
  const own = {
    summary: say(summary),
    problems: placed(plan, problems, locale),
    warnings: placed(plan, warnings, locale),
  };
  return { action: index, ...plan.at(['actions', index]), ...action, ...own };
}

/** How many posts are deleted, by an action or because the plan no longer has them, and how many actions do something else. */
export function countedOf(actions: readonly RehearsedAction[], leftOvers: readonly PlanLeftOver[]) {
  const others = actions.filter(({ operation }) => operation !== 'posts.delete').length;
  const left = leftOvers.flatMap(({ step, posts }) => (step === 'delete' ? posts : [])).length;
  return { others, deleted: left + actions.length - others };
}

/** Adds to problems where they are in the file, in the words of the command line. */
export function placed(plan: PlanFile, problems: readonly PlanProblem[], locale: Locale): PlacedProblem[] {
  return plan.placed(problems.map((problem) => ({ ...problem, message: messageIn(problem, locale) })));
}

/** Where CI shows a problem: in the table where its action was written, if the table is there, else in the plan. */
export function placeOf(
  folder: string,
  file: string,
  { line, column, message, source }: PlacedProblem,
): { readonly path: string; readonly line: number; readonly column?: number; readonly message: string } {
  const { file: given = '', line: row = line } = readWritten(source);
  const table = given && [given, join(dirname(file), given)].find((one) => existsSync(one));
  if (table) return { path: pathWithin(folder, table), line: row, message };
  return { path: pathWithin(folder, file), line, column, message: source ? `${source}: ${message}` : message };
}

/** Returns the path below a folder, with `/` on every system. A path outside stays as it is. */
function pathWithin(folder: string, file: string): string {
  const path = relative(resolve(folder), resolve(file));
  const isOutside = path.startsWith('..') || isAbsolute(path);
  return (isOutside ? file : path).split(sep).join('/');
}
