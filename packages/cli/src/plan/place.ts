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

/** The file is neither JSON nor YAML, or a key is duplicated. */
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

/** Returns a function that finds the position of an offset. It reads the text only once. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length)];
  return (offset) => {
    let [line, next] = [0, starts.length];
    while (next - line > 1) {
      const middle = (line + next) >> 1;
      if ((starts[middle] as number) <= offset) line = middle;
      else next = middle;
    }
    return { line: line + 1, column: offset - (starts[line] as number) + 1 };
  };
}
