import { extname } from 'node:path';
import type { Both } from '@multilocal/plans/words';
import { LineCounter } from 'yaml';
import { SYNTAX } from '../syntax-said.js';
import { parseJson } from './json.js';
import { type Path, type Place, type Position, SyntaxProblem } from './place.js';
import { parseYaml } from './yaml.js';

/** A file that was parsed. */
export interface ParsedFile {
  readonly value: unknown;
  /** Returns where a value begins, and a field at its name. If it is missing, where the nearest value around it begins. */
  positionOf(path: Path): Position;
}

/** Parses a file: YAML if its name says so, otherwise JSON. @throws what `refused` makes of the first error. */
export function parseFile(file: string, text: string, refused: (position: Position, said: Both) => Error): ParsedFile {
  const at = positionsIn(text);
  try {
    const { value, place } = /^\.ya?ml$/i.test(extname(file)) ? parseYaml(text) : parseJson(text);
    return { value, positionOf: (path) => at(offsetOf(place, path)) };
  } catch (error) {
    if (error instanceof RangeError) throw refused(at(0), SYNTAX.deep());
    throw error instanceof SyntaxProblem ? refused(at(error.offset), error.said) : error;
  }
}

function offsetOf({ offset, inner }: Place, [key, ...rest]: Path): number {
  const next = key === undefined ? undefined : inner.get(key);
  return next ? offsetOf(next, rest) : offset;
}

/** Returns a function that finds the position of an offset. It reads the text only once. */
export function positionsIn(text: string): (offset: number) => Position {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) counter.addNewLine(index + end.length);
  return (offset) => {
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
}
