import { sentenceOf } from '@multilocal/plans/inside';
import type { Locale } from '@multilocal/plans/words';
import type { PlanProblem } from 'multilocal/plans';
import { ERRORS } from '../errors-said.js';
import { say } from '../front.js';
import type { Position } from './place.js';

/** A problem and its place in the file of the plan. */
export interface PlacedProblem extends Position, PlanProblem {
  /** Number of the action, from 0. Absent for a problem of the whole file. */
  readonly action?: number;
}

/** Says a problem in the words of the command line. An error of the client is English, and has the details. */
export function messageIn(problem: PlanProblem, locale: Locale): string {
  const own = sentenceOf(problem, locale);
  const first = own === undefined && locale === 'fr' ? ERRORS[problem.code] : undefined;
  return [...(first ? [first] : []), say(own ?? problem.message)].join(' ');
}

/** Problems by their message. */
export function groupsOf<One extends Pick<PlanProblem, 'message'>>(
  problems: readonly One[],
): ReadonlyMap<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of problems) groups.set(one.message, [...(groups.get(one.message) ?? []), one]);
  return groups;
}

/** Writes problems, equal ones once with all their places. */
export function printProblems(file: string, problems: readonly PlacedProblem[]): string[] {
  return [...groupsOf(problems)].map(([message, group]) => {
    const [first] = group as [PlacedProblem];
    if (group.length === 1) return printProblem(file, first);
    return `${group.length} × ${message} (${placesOf(file, group)})`;
  });
}

const MOST_PLACES = 10;

/** `semaine.csv:81, semaine.csv:121`. */
export function placesOf(file: string, problems: readonly (Position & Pick<PlanProblem, 'source'>)[]): string {
  const places = [...new Set(problems.map(({ source, line, column }) => source ?? `${file}:${line}:${column}`))];
  return [...places.slice(0, MOST_PLACES), ...(places.length > MOST_PLACES ? ['…'] : [])].join(', ');
}

/** Writes a problem as compilers do: `plan.json:3:5: message`, or `semaine.csv:81: message` where its action was written elsewhere. */
export function printProblem(
  file: string,
  { line, column, message, source }: Position & Pick<PlanProblem, 'message' | 'source'>,
): string {
  return `${source ?? `${file}:${line}:${column}`}: ${message}`;
}
