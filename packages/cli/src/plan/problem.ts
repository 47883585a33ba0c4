import type { PlanProblem } from 'multilocal/plans';
import type { Position } from './place.js';

/** A problem and its place in the file of the plan. */
export interface PlacedProblem extends Position, PlanProblem {
  /** Number of the action, from 0. Absent for a problem of the whole file. */
  readonly action?: number;
}

/** Writes a problem as compilers do: `plan.json:3:5: message`, or `semaine.csv:81: message` where its action was written elsewhere. */
export function printProblem(
  file: string,
  { line, column, message, source }: Position & Pick<PlanProblem, 'message' | 'source'>,
): string {
  return `${source ?? `${file}:${line}:${column}`}: ${message}`;
}
