import type { PlanProblem } from 'multilocal/plans';
import type { Position } from './place.js';

/** A problem and its place in the file of the plan. */
export interface PlacedProblem extends Position, PlanProblem {
  /** Number of the action, from 0. Absent for a problem of the whole file. */
  readonly action?: number;
}

/** Writes a problem as compilers do: `plan.json:3:5: message`. */
export function printProblem(file: string, { line, column, message }: Position & { message: string }): string {
  return `${file}:${line}:${column}: ${message}`;
}
