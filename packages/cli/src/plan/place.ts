import type { Both } from '@multilocal/plans/words';

/** Names of fields and numbers of items, from the outside in. */
export type Path = readonly (string | number)[];

/** A place in a file. Lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Writes where an action was written, as its plan keeps it: `semaine.csv:81`, or `semaine.csv:81 (row 80)`. */
export function writtenAt(file: string, line: number, remark = ''): string {
  return `${file}:${line}${remark && ` (${remark})`}`;
}

/** Reads what {@link writtenAt} wrote, or another program with any text behind it. `{}`: it names no line. */
export function readWritten(source = ''): { readonly file?: string; readonly line?: number } {
  const [, file, line] = /^(.+):(\d+)(?: .*)?$/.exec(source) ?? [];
  return file === undefined ? {} : { file, line: Number(line) };
}

/** Where a value of a file begins, and the places of the values within. */
export interface Place {
  /** Offset in the text. For a field, that of its name. */
  readonly offset: number;
  readonly inner: ReadonlyMap<string | number, Place>;
}

/** A parsed text. */
export interface Parsed {
  readonly value: unknown;
  readonly place: Place;
}

/** The text is neither JSON nor YAML, or a key is duplicated. */
export class SyntaxProblem extends Error {
  constructor(
    readonly offset: number,
    readonly said: Both,
  ) {
    super(said[0]);
  }
}
