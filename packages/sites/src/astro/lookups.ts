/** Milliseconds for which a result serves all lookups. */
const MINUTE = 60_000;
/** Maximum number of ids that are remembered. */
const MOST_IDS = 1000;

/**
 * Returns a function that shares the result of `work` for one minute, and a running `work` among all its callers.
 * Failures are not kept.
 */
export function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined;
  // While the work runs, its minute has not begun.
  let until = Number.POSITIVE_INFINITY;
  const start = async () => {
    try {
      const result = await work();
      until = performance.now() + MINUTE;
      return result;
    } catch (error) {
      last = undefined;
      throw error;
    }
  };
  return () => {
    if (last && performance.now() < until) return last;
    until = Number.POSITIVE_INFINITY;
    last = start();
    return last;
  };
}

/** The ids that led to no article in the last minute. Visitors may invent any number of them, so the oldest are forgotten. */
export class Missing {
  readonly #until = new Map<number, number>();

  has(id: number): boolean {
    return performance.now() < (this.#until.get(id) ?? 0);
  }

  add(id: number): void {
    this.#until.delete(id);
    this.#until.set(id, performance.now() + MINUTE);
    const [oldest] = this.#until.keys();
    if (this.#until.size > MOST_IDS && oldest !== undefined) this.#until.delete(oldest);
  }
}
