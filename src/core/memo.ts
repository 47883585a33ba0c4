/** Answers kept for a while, by key. A failure is not kept. */
export class Memo<T> {
  readonly #kept = new Map<string, { value: Promise<T>; since: number }>();
  readonly #lifetime: number;

  /** @param lifetime Milliseconds for which an answer is good, from when it was asked for. */
  constructor(lifetime: number) {
    this.#lifetime = lifetime;
  }

  /** The kept answer, or the one of `ask`; calls at the same time share one. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key);
    if (kept && performance.now() - kept.since < this.#lifetime) return kept.value;
    const entry = { value: ask(), since: performance.now() };
    this.#kept.set(key, entry);
    entry.value.catch(() => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key);
    });
    return entry.value;
  }
}
