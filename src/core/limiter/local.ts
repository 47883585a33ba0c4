import { RateLimitBook } from './book.js';
import { type AcquireOptions, LENGTHS, Queue, type Release } from './queue.js';
import type { Usage } from './store.js';

export type { AcquireOptions, Limits, Release } from './queue.js';

/** The limiter of one key. Its names must not change, because copies of the package in one process share it. */
export interface Limiter {
  /**
   * Waits for room. Resolves to the function to call when the request is over. Rejects at once if the wait would exceed
   * `maxWait`, and after `maxWait` if other calls delay it that long.
   */
  acquire(options: AcquireOptions): Promise<Release>;
  /** Makes all calls wait for this many ms. */
  hold(ms: number): void;
  /** Counts the requests of the minute and of the day, and the calls that wait. */
  usage(): Usage;
  /** Whether the limiter has nothing to count, so that it can be deleted. */
  isIdle(): boolean;
}

/** Counts the requests of this process. Times are monotonic, so a change of the clock opens no window. */
class LocalLimiter implements Limiter {
  readonly #book = new RateLimitBook();
  #calls = 0;
  readonly #queue = new Queue({
    take: (request) => this.#book.take(performance.now(), request),
    settle: (id, result) => this.#book.settle(performance.now(), id, result),
    createId: () => `${++this.#calls}`,
  });

  acquire(options: AcquireOptions): Promise<Release> {
    return this.#queue.acquire(options);
  }

  hold(ms: number): void {
    this.#book.hold(performance.now(), ms);
  }

  usage(): Usage {
    return this.#book.count(performance.now(), LENGTHS);
  }

  isIdle(): boolean {
    const { used, waiting } = this.usage();
    return Math.max(...used, waiting) === 0;
  }
}

/** Returns the limiter of an id. The function creates it if there is none. */
type Registry<Kind> = (id: string, create: () => Kind) => Kind;

const REGISTRY = Symbol.for('multilocal.limiters.4');

/**
 * Returns the limiter of a key at a base URL. Copies of the package in one process (ESM and CommonJS, or two versions)
 * share it. The map is in a closure, so an inspected global object shows a function and no keys.
 */
export function limiterOf(baseUrl: string, apiKey = ''): Limiter {
  const holder = globalThis as { [REGISTRY]?: Registry<Limiter> };
  holder[REGISTRY] ??= createRegistry();
  return holder[REGISTRY](`${apiKey}\n${baseUrl}`, () => new LocalLimiter());
}

/** Creates a registry that forgets idle limiters on every hundredth creation. */
export function createRegistry<Kind extends { isIdle(): boolean }>(): Registry<Kind> {
  const limiters = new Map<string, Kind>();
  let created = 0;
  return (id, create) => {
    const known = limiters.get(id);
    if (known) return known;
    // On every creation, thousands of new keys would look at all others each time.
    if (++created % 100 === 0) {
      for (const [other, limiter] of limiters) if (limiter.isIdle()) limiters.delete(other);
    }
    const limiter = create();
    limiters.set(id, limiter);
    return limiter;
  };
}
