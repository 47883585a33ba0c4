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

/** The error for a word that is none of the known ones, with the one that was probably meant. */
export function unknown(what: string, given: string, known: readonly string[]): RangeError {
  const meant = nearest(given, known);
  const hint = meant === undefined ? '' : `did you mean ${meant}? `;
  return new RangeError(`${what} ${given}; ${hint}known: ${known.join(', ')}`);
}

/** The known word that begins as the given one does, or is at most two edits or a third of it away. */
function nearest(given: string, known: readonly string[]): string | undefined {
  const word = given.toLowerCase();
  const edits = (name: string): number => {
    const other = name.toLowerCase();
    return word.length > 1 && (other.startsWith(word) || word.startsWith(other)) ? 0 : distance(word, other);
  };
  const [[far, best] = [Infinity]] = known.map((name) => [edits(name), name] as const).sort(([a], [b]) => a - b);
  // Of two letters, two edits leave nothing.
  return far < word.length && far <= Math.max(2, word.length / 3) ? best : undefined;
}

/** Levenshtein distance, one row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
