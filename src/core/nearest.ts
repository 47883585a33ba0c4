/** The known name that a misspelt one was meant to be: begun by it, or at most two edits or two fifths of it away. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const given = name.toLowerCase();
  const edits = (candidate: string) =>
    given.length > 2 && candidate.startsWith(given) ? 0 : distance(given, candidate);
  const [[far, best] = [Infinity]] = known
    .map((name) => [edits(name.toLowerCase()), name] as const)
    .sort(([a], [b]) => a - b);
  return far <= Math.max(2, given.length * 0.4) ? best : undefined;
}

/** Levenshtein distance, one row at a time. */
function distance(a: string, b: string): number {
  let row = [...b, ''].map((_, index) => index);
  for (const letter of a) {
    let left = (row[0] as number) + 1;
    row = row.map((above, j) => {
      if (j > 0) left = Math.min((row[j - 1] as number) + +(letter !== b[j - 1]), above + 1, left + 1);
      return left;
    });
  }
  return row.at(-1) as number;
}
