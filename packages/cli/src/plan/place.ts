import type { Both } from '@multilocal/plans/words';

/** Names of fields and numbers of items, from the outside in. */
export type Path = readonly (string | number)[];

/** A place in a file. Lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
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
