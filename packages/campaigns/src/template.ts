import type { Both } from '@multilocal/plans/words';
import { SAID } from './sentences.js';

/** `{{name}}`, or `{{closing|16 h}}` with a default. */
const VARIABLE = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/** Whether a text has variables, or something that looks like one. */
export function isTemplate(text: string): boolean {
  return /\{\{|\}\}/.test(text);
}

/** Returns what is wrong with the braces of a text, or `undefined`. */
export function braceProblem(text: string): Both | undefined {
  const rest = text.replaceAll(VARIABLE, (variable, name: string) => (name.trim() === '' ? variable : ' '));
  const isRight = !isTemplate(rest) && !/\{\{\{|\}\}\}/.test(text);
  return isRight ? undefined : SAID.notVariable();
}

/**
 * Replaces the variables of a text. `find` returns `undefined` for a variable without a value: then its default stands,
 * or `onMissing` is told. Values are not searched for variables.
 */
export function fill(
  text: string,
  find: (name: string) => string | undefined,
  onMissing: (name: string) => void = () => {},
): string {
  return text.replaceAll(VARIABLE, (_, written: string, fallback?: string) => {
    // macOS writes `é` as two characters.
    const name = written.trim().normalize();
    const value = find(name) ?? fallback?.trim();
    if (value === undefined) onMissing(name);
    return value ?? '';
  });
}

/** Finds what YAML makes of `{{name}}` without quotation marks: a map, whose name parsers write in one of these ways. */
export function unquotedIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Object.keys(value).some((name) => /^\{.*\}$|^\[object Object\]$/s.test(name))) return [path];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, inner]) => unquotedIn(inner, [...path, isList ? Number(name) : name]));
}

type Path = readonly (string | number)[];

/** Returns a copy of a value in which `change` has replaced every text. Names of fields stay. */
export function mapTexts(value: unknown, change: (text: string, path: Path) => string, path: Path = []): unknown {
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, change, [...path, index]));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(fields.map(([name, field]) => [name, mapTexts(field, change, [...path, name])]));
}
