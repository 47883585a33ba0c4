import { codeOf } from '../../files/files.js';
import type { Outcome } from '../../index.js';

/** A place in a plan. Lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Something that is wrong with a plan. It never repeats a contact or a text of the plan. */
export interface PlanProblem extends Position {
  /** Number of the action, from 0. Absent for a problem of the whole file. */
  readonly action?: number;
  /** Stable name of the kind of problem: `invalid_request`, `not_connected`, a code of the SDK's errors … */
  readonly code: string;
  /** A sentence for people. */
  readonly message: string;
}

/** Why a plan is not carried out. */
export type PlanErrorCode =
  | 'plan_unreadable'
  | 'plan_invalid'
  | 'plan_changed'
  | 'journal_damaged'
  | 'journal_of_another_brand'
  | 'journal_of_another_plan'
  | 'journal_locked'
  | 'journal_unusable'
  | 'plan_unresolved';

/** A plan or its journal cannot be used. */
export class PlanError extends Error {
  /** The problems with their lines. Empty if the journal is to blame. */
  readonly problems: readonly PlanProblem[];

  constructor(
    readonly code: PlanErrorCode,
    message: string,
    readonly hint: string,
    problems: readonly PlanProblem[] = [],
    /** What became of the last write. */
    readonly outcome: Outcome = 'not_applied',
  ) {
    super(message);
    this.name = 'PlanError';
    this.problems = problems;
  }
}

/** Longest text of the service or of a file that is shown. */
const LONGEST = 80;

/** Makes a text of others one line, and cuts a long one. */
export function clip(text: string): string {
  const line = [...text.replace(/\s+/g, ' ').trim()];
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).join('')}…` : line.join('');
}

/** Writes a problem as compilers do: `plan.json:3:5: message`. */
export function printProblem(file: string, { line, column, message }: PlanProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** Creates the error of a journal or a lock that the system refuses. Errors of other kinds stay as they are. */
export function unusable(
  error: unknown,
  file: string,
  what: 'read' | 'written',
  outcome: 'not_applied' | 'unknown' = 'not_applied',
): unknown {
  const code = codeOf(error);
  if (error instanceof PlanError || !/^E[A-Z]+$/.test(code)) return error;
  const next = outcome === 'unknown' ? ' The next run looks up the last action.' : '';
  const hint = `Check the rights of the folder and the space on the disk.${next}`;
  return new PlanError('journal_unusable', `${file} cannot be ${what} (${code}).`, hint, [], outcome);
}

/** Creates the error of a plan with problems. */
export function invalidPlan(code: 'plan_unreadable' | 'plan_invalid', file: string, problems: readonly PlanProblem[]) {
  const hint = code === 'plan_invalid' ? 'Correct the plan. Nothing of it was carried out.' : READABLE;
  return new PlanError(code, problems.map((problem) => printProblem(file, problem)).join('\n'), hint, problems);
}

const READABLE = 'A plan is a JSON file, or a YAML file that ends in .yaml or .yml, with a list of `actions`.';
