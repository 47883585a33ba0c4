import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { indexOf, readActions } from '@multilocal/plans/actions';
import { codeOf } from '@multilocal/stores/files';
import { PlanError } from 'multilocal/internal/errors';
import type { Plan, PlanProblem } from 'multilocal/plans';
import { parseJson } from './json.js';
import { offsetOf, type Parsed, positionsIn, SyntaxProblem } from './place.js';
import { type PlacedProblem, type Position, printProblem } from './problem.js';
import { parseYaml } from './yaml.js';

/** A plan as it was read from a file. */
export class PlanFile {
  /** The path of the file. */
  readonly file: string;
  /** The plan. It has its type only if there are no {@link problems}. */
  readonly plan: Plan;
  /** Every problem of every action, found without a request. A plan with problems is never carried out. */
  readonly problems: readonly PlacedProblem[];
  readonly #place: Parsed['place'];
  readonly #positionOf: (offset: number) => Position;

  constructor(file: string, text: string) {
    this.file = file;
    this.#positionOf = positionsIn(text);
    const { value, place } = parse(file, text, this.#positionOf);
    this.#place = place;
    this.plan = value as Plan;
    const problems = this.placed(readActions(value).problems);
    this.problems = problems.sort((a, b) => a.line - b.line || a.column - b.column);
  }

  /** Returns where a value of the plan begins. If it is missing, that of the nearest value around it. */
  at(path: PlanProblem['path']): Position {
    return this.#positionOf(offsetOf(this.#place, path));
  }

  /** Adds to problems where they are in the file. */
  placed(problems: readonly PlanProblem[]): PlacedProblem[] {
    return problems.map((problem) => {
      const action = indexOf(problem);
      return { ...this.at(problem.path), ...(action !== undefined && { action }), ...problem };
    });
  }
}

/**
 * Reads a plan and checks it with the schemas. Sends nothing.
 * @throws a {@link PlanError} if the file cannot be read or is neither JSON nor YAML. Its message has line and column.
 */
export async function readPlan(file: string): Promise<PlanFile> {
  const refused = (message: string) => unreadable(file, { line: 1, column: 1 }, message);
  const bytes = await readFile(file).catch((error) => {
    throw refused(READ_ERRORS[codeOf(error)] ?? `The file cannot be read (${codeOf(error)}).`);
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused('The file is not UTF-8 text. Save it as UTF-8.');
  }
  if (text.trim() === '') throw refused('The file is empty.');
  return new PlanFile(file, text);
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  EISDIR: 'This is a folder. Pass the path of a file.',
  EACCES: 'This file may not be read by this user.',
};

function parse(file: string, text: string, positionOf: (offset: number) => Position): Parsed {
  try {
    return /^\.ya?ml$/i.test(extname(file)) ? parseYaml(text) : parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxProblem) throw unreadable(file, positionOf(error.offset), error.message);
    if (error instanceof RangeError) throw unreadable(file, positionOf(0), 'The file is nested too deeply.');
    throw error;
  }
}

/** The error of a file that cannot be read as a plan. It knows its problem, for annotations. */
export class UnreadablePlan extends PlanError {
  readonly problems: readonly PlacedProblem[];

  constructor(file: string, problem: PlacedProblem) {
    super('plan_unreadable', printProblem(file, problem), READABLE);
    this.problems = [problem];
  }
}

function unreadable(file: string, position: Position, message: string): UnreadablePlan {
  return new UnreadablePlan(file, { ...position, code: 'plan_unreadable', message, path: [] });
}

const READABLE = 'A plan is a JSON file, or a YAML file that ends in .yaml or .yml, with a list of `actions`.';
