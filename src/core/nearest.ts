/** The known name that a misspelt one was meant to be: the one that shares most pairs of letters with it, at least half. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const given = pairsOf(name);
  const share = (other: readonly string[]) =>
    given.filter((pair) => other.includes(pair)).length / Math.max(given.length, other.length);
  const [[most, best] = [0]] = known.map((name) => [share(pairsOf(name)), name] as const).sort(([a], [b]) => b - a);
  return most < 0.5 ? undefined : best;
}

/** `max_retry`: ma, ax, xr …, and the last letter by itself. Neither case nor underscores count. */
function pairsOf(name: string): string[] {
  const letters = name.toLowerCase().replaceAll('_', '');
  return [...letters].map((letter, index) => letter + (letters[index + 1] ?? ''));
}
