/** The known name that a misspelt one was meant to be: begun by it, or at most two edits or a third of it away. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best = known.find((candidate) => name.length > 2 && candidate.startsWith(name.toLowerCase()));
  if (best !== undefined) return best;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const edits = distance(name.toLowerCase(), candidate);
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
