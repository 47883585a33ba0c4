import { RateLimitBook } from './book.js';
import { type AcquireOptions, createId, LENGTHS, Line, type Release } from './line.js';
import type { Usage } from './rate-limit-store.js';

export type { AcquireOptions, Limits, Release } from './line.js';

/** The limiter of one key. Its names must not change, because copies of the package in one process share it. */
export interface Limiter {
  /**
   * Waits for room. Resolves to the function to call when the request is over. Rejects at once if the wait would exceed
   * `maxWait`, and after `maxWait` if other calls delay it that long.
   */
  acquire(options: AcquireOptions): Promise<Release>;
  /** Counts a request that another limiter let go. */
  record(timeout: number): Release;
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
  readonly #line = new Line({
    take: (request) => this.#book.take(performance.now(), request),
    settle: (id, result) => this.#book.settle(performance.now(), id, result),
  });

  acquire(options: AcquireOptions): Promise<Release> {
    return this.#line.acquire(options);
  }

  record(timeout: number): Release {
    const id = createId();
    this.#book.depart(id, performance.now() + timeout);
    return (result) => this.#book.settle(performance.now(), id, result ?? 'done');
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

const REGISTRY = Symbol.for('multilocal.limiters.3');

/**
 * Returns the limiter of a key at a base URL. Copies of the package in one process (ESM and CommonJS, or two versions)
 * share it. The map is in a closure, so an inspected global object shows a function and no keys.
 */
export function limiterOf(baseUrl: string, apiKey = ''): Limiter {
  const holder = globalThis as { [REGISTRY]?: Registry<Limiter> };
  holder[REGISTRY] ??= createRegistry();
  return holder[REGISTRY](`${apiKey}\n${baseUrl}`, () => new LocalLimiter());
}

/** A registry with fewer limiters looks at all of them each time. */
const FEW = 100;
/** Ms between two looks at all limiters of a larger registry: thousands of keys may be new at once. */
const BETWEEN_LOOKS = 1_000;

/** Creates a registry that forgets idle limiters when it creates another one. */
export function createRegistry<Kind extends { isIdle(): boolean }>(): Registry<Kind> {
  const limiters = new Map<string, Kind>();
  let nextLook = 0;
  return (id, create) => {
    const known = limiters.get(id);
    if (known) return known;
    const now = performance.now();
    if (limiters.size < FEW || now >= nextLook) {
      for (const [other, limiter] of limiters) if (limiter.isIdle()) limiters.delete(other);
      nextLook = now + BETWEEN_LOOKS;
    }
    const limiter = create();
    limiters.set(id, limiter);
    return limiter;
  };
}
