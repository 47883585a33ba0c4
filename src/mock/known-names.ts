/** The names that an options object may have. The compiler holds the list to the type: none missing, none too many. */
export type Names<T> = Readonly<Record<keyof T, true>>;

/** Refuse what would be ignored without a word: a test that misspells an option would test something else. */
export function requireKnownNames<T extends object>(
  what: string,
  given: T,
  known: Readonly<Record<keyof T, unknown>>,
): void {
  const wrong = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (wrong !== undefined) throw unknown(`${what}: unknown name`, wrong, Object.keys(known));
}

/** The error for a word that is none of the known ones. */
export function unknown(what: string, given: string, known: readonly string[]): RangeError {
  return new RangeError(`${what} ${given}; known: ${known.join(', ')}`);
}
