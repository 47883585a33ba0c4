import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { indexOf, readActions } from '@multilocal/plans/inside';
import type { Both } from '@multilocal/plans/words';
import { codeOf } from '@multilocal/stores/files';
import { PlanError } from 'multilocal/internal/errors';
import type { Plan, PlanProblem } from 'multilocal/plans';
import { SYNTAX } from '../syntax-said.js';
import { targetOf } from './journals.js';
import { type ParsedFile, parseFile } from './parse.js';
import type { Position } from './place.js';
import { type PlacedProblem, printProblem } from './problem.js';

/** A plan as it was read from a file. */
export class PlanFile {
  /** The plan. It has its type only if there are no {@link problems}. */
  readonly plan: Plan;
  /** Every problem of every action, found without a request. A plan with problems is never carried out. */
  readonly problems: readonly PlacedProblem[];
  /** Returns where a value of the plan begins. If it is missing, that of the nearest value around it. */
  readonly at: ParsedFile['positionOf'];

  /** `target`: where a symbolic link leads to. Its name is that of a plan without one. */
  constructor(
    /** The path of the file. */
    readonly file: string,
    text: string,
    target = file,
  ) {
    const { value, positionOf } = parseFile(file, text, (position, said) => new UnreadablePlan(file, said, position));
    this.at = positionOf;
    this.plan = named(value, target) as Plan;
    const problems = this.placed(readActions(this.plan).problems);
    this.problems = problems.sort((a, b) => a.line - b.line || a.column - b.column);
  }

  /** Adds to problems where they are in the file. */
  placed(problems: readonly PlanProblem[]): PlacedProblem[] {
    return problems.map((problem) => {
      const action = indexOf(problem);
      return { ...this.at(problem.path), ...(action !== undefined && { action }), ...problem };
    });
  }
}

/** A plan without a name has that of its file, which Macs decompose. A name has no control characters. */
function named(plan: unknown, file: string): unknown {
  if (typeof plan !== 'object' || plan === null || Array.isArray(plan) || 'name' in plan) return plan;
  const name = basename(file, extname(file))
    .normalize()
    .replace(/[\p{Cc}\u2028\u2029]/gu, '-');
  return { ...plan, name: [...name].slice(0, 100).join('') };
}

/**
 * Reads a plan and checks it with the schemas. Sends nothing.
 * @throws a {@link PlanError} if the file cannot be read or is neither JSON nor YAML. Its message has line and column.
 */
export async function readPlan(file: string): Promise<PlanFile> {
  const bytes = await readFile(file).catch((error) => {
    throw new UnreadablePlan(file, SYNTAX.unread(codeOf(error)));
  });
  const text = textOf(bytes);
  if (text === undefined) throw new UnreadablePlan(file, SYNTAX.encoding());
  if (text.trim() === '') throw new UnreadablePlan(file, SYNTAX.empty());
  return new PlanFile(file, text, await targetOf(file).catch(() => file));
}

/**
 * Returns the text of a file in UTF-8, or in UTF-16, which PowerShell 5 writes with `>` and Excel as "Unicode text". `undefined` if it is
 * neither.
 */
export function textOf(bytes: Uint8Array): string | undefined {
  const mark = { fffe: 'utf-16le', feff: 'utf-16be' }[Buffer.from(bytes.subarray(0, 2)).toString('hex')];
  // Some programs leave out the mark. No other encoding has a zero byte in a text.
  const unmarked = bytes[1] === 0 ? 'utf-16le' : bytes[0] === 0 ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(mark ?? unmarked, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The error of a file that cannot be read as a plan. It knows its problem, for annotations. */
export class UnreadablePlan extends PlanError {
  readonly problems: readonly [PlacedProblem];
  /** The message and the hint in both languages. */
  readonly said: Both;
  readonly advice: Both = SYNTAX.readable();

  constructor(file: string, said: Both, position: Position = { line: 1, column: 1 }) {
    const place = (message: string) => printProblem(file, { ...position, message });
    super('plan_unreadable', place(said[0]), SYNTAX.readable()[0]);
    this.said = [place(said[0]), place(said[1])];
    this.problems = [{ ...position, code: 'plan_unreadable', message: said[0], path: [] }];
  }
}
