/** Gives the kept answer of a key, or the one of `ask`; calls at the same time share one. */
export type Memo<T> = (key: string, ask: () => Promise<T>) => Promise<T>;

/**
 * Keep answers for a while. A failure is not kept.
 * @param lifetime Milliseconds for which an answer is good, from when it was asked for.
 */
export function createMemo<T>(lifetime: number): Memo<T> {
  const entries = new Map<string, { value: Promise<T>; since: number }>();
  return (key, ask) => {
    const kept = entries.get(key);
    if (kept && performance.now() - kept.since < lifetime) return kept.value;
    const entry = { value: ask(), since: performance.now() };
    entries.set(key, entry);
    entry.value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.value;
  };
}
