import type { Position } from './problem.js';

/** Where a value of a file begins, and the places of the values within. */
export interface Place {
  /** Offset in the text. For a field, that of its name. */
  readonly offset: number;
  readonly inner: ReadonlyMap<string | number, Place>;
}

/** A parsed file. */
export interface Parsed {
  readonly value: unknown;
  readonly place: Place;
}

/** The file is neither JSON nor YAML, or a value stands in it twice. */
export class SyntaxProblem extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

/** Returns the offset of a value. If the value is missing, that of the nearest value around it. */
export function offsetOf(place: Place, path: readonly (string | number)[]): number {
  let at = place;
  for (const key of path) {
    const inner = at.inner.get(key);
    if (!inner) break;
    at = inner;
  }
  return at.offset;
}

export function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
