import { onAbort } from './abort.js';
import { type Rates, Windows } from './windows.js';

/** The limits of one key, as the client of the waiting call knows them. */
export interface Limits extends Rates {
  /** Maximum wait in ms. A call that would wait longer is refused. */
  maxWait: number;
}

export interface AcquireOptions {
  /** Read again for each decision, because the limits may become known while a call waits. */
  limits: () => Limits;
  signal: AbortSignal;
  /** Retries go first, because their calls arrived earlier than those that still wait. */
  isRetry: boolean;
  /**
   * How long the service asked this call to pause, in ms. `maxWait` does not include this time. See
   * {@link Limiter.hold}.
   */
  holdBack: number;
  /** Ms after which the request counts as over without a `Release`: Workers drop the work of visitors who leave. */
  timeout: number;
  /** Called once with the expected ms, if the call has to wait. */
  onWait: (ms: number) => void;
  /** Creates the error of a call that would wait longer than `maxWait`. */
  refuse: (ms: number) => Error;
}

/**
 * Tells the limiter that the request is over. `'unsent'` means that nothing was sent, so the request does not count.
 */
export type Release = (result?: 'unsent') => void;

/** The limiter of one key. Its names must not change, because copies of the package in one process share it. */
export interface Limiter {
  /**
   * Waits for room. Resolves to the function to call when the request is over. Rejects at once if the wait would exceed
   * `maxWait`, and after `maxWait` if other calls delay it that long.
   */
  acquire(options: AcquireOptions): Promise<Release>;
  /** Makes all calls wait for this many ms. */
  hold(ms: number): void;
  /** Returns how many more requests can be sent today. Requests in flight and queued calls already count. */
  left(limits: Limits): number;
  /** Whether the limiter has nothing to count, so that it can be deleted. */
  isIdle(): boolean;
}

interface Waiter extends AcquireOptions {
  /** Its position in the order of arrival. */
  readonly order: number;
  /** How many requests of the key are expected to leave before it, counted from the first request ever. */
  readonly before: number;
  /** The time at which it has waited for `maxWait`. */
  readonly deadline: number;
  /** Removes it from its queue. */
  leave(): void;
  resolve(release: Release): void;
  reject(error: unknown): void;
}

/** The waiting calls with the same limits, in order of arrival. */
class Queue extends Set<Waiter> {
  // One iterator is kept, because a new one would have to skip every waiter that has left.
  readonly #iterator = this.values();
  #first: Waiter | undefined;

  /** The waiter that came first. The queue must not be empty. */
  get first(): Waiter {
    while (!this.#first || !this.has(this.#first)) this.#first = this.#iterator.next().value;
    return this.#first;
  }
}

/**
 * The calls that wait for room in the windows of one key. Each call follows its own limits. Calls with the same limits
 * go in order of arrival, and a call that has room passes calls with tighter limits. The cost of a call does not depend
 * on the number of waiting calls.
 *
 * Times are monotonic, so a change of the clock or a sleep of the machine opens no window.
 */
class WindowLimiter implements Limiter {
  readonly #windows = new Windows();
  /** Empty queues are removed. */
  readonly #queues = new Map<string, Queue>();
  #arrivals = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  async acquire(options: AcquireOptions): Promise<Release> {
    const { signal, isRetry, holdBack, onWait, refuse } = options;
    const limits = options.limits();
    // Waiters that have room now go first, even if the timer is late.
    this.#serve();
    const now = performance.now();
    const { opening, before } = this.#foresee(options, now);
    const wait = opening - now;
    // Sums of times have rounding errors below a millisecond.
    if (Math.floor(wait - holdBack) > limits.maxWait) throw refuse(wait);
    if (wait > holdBack && !signal.aborted) onWait(wait);
    // `onWait` may have aborted the call.
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const key = JSON.stringify([limits, isRetry]);
      const queue = this.#queues.get(key) ?? new Queue();
      const leave = () => {
        detach();
        queue.delete(waiter);
        if (queue.size === 0) this.#queues.delete(key);
      };
      const deadline = now + limits.maxWait + holdBack;
      const waiter = { ...options, order: this.#arrivals++, before, deadline, leave, resolve, reject };
      const detach = onAbort(signal, () => {
        leave();
        this.#serve();
        reject(signal.reason);
      });
      this.#queues.set(key, queue.add(waiter));
      this.#serve();
    });
  }

  hold(ms: number): void {
    this.#windows.hold(performance.now() + ms);
  }

  left({ perDay }: Limits): number {
    return Math.max(0, Math.floor(perDay) - this.#taken());
  }

  isIdle(): boolean {
    return this.#taken() === 0;
  }

  /** Returns the requests of the day, including those that wait. */
  #taken(): number {
    let taken = this.#windows.size(performance.now());
    for (const { size } of this.#queues.values()) taken += size;
    return taken;
  }

  /** Returns the earliest time at which a call has room, and how many requests leave before it. */
  #foresee({ limits, isRetry }: AcquireOptions, now: number): { opening: number; before: number } {
    const windows = this.#windows;
    const own = limits();
    const ahead = new Map<string, number>();
    let opening = windows.opensAt(own, now);
    let before = windows.sent;
    for (const { first, size } of this.#queues.values()) {
      const theirs = first.limits();
      // This call may pass calls with tighter limits, so they do not count.
      if (theirs.perMinute < own.perMinute || theirs.perDay < own.perDay || (isRetry && !first.isRetry)) continue;
      // Queues with the same rates count as one.
      const rates = `${theirs.perMinute}/${theirs.perDay}`;
      const count = size + (ahead.get(rates) ?? 0);
      ahead.set(rates, count);
      opening = Math.max(opening, windows.opensBehind(count, theirs, own, now));
      before = Math.max(before, windows.sent + count);
    }
    return { opening, before };
  }

  /** Starts the waiters that have room, refuses those that waited too long, and sets the timer for the next ones. */
  #serve(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    for (;;) {
      const heads = Array.from(this.#queues.values(), ({ first }) => first).sort(inOrder);
      const opensAt = ({ limits }: Waiter) => this.#windows.opensAt(limits(), now);
      // `maxWait` ends a wait only if more requests went first than expected. Slow responses do not end it: they delay
      // every window a little, so a call with an expected wait of exactly `maxWait` would always fail.
      const endsAt = ({ before, deadline }: Waiter) =>
        before < this.#windows.sent ? deadline : Number.POSITIVE_INFINITY;
      const next = heads.find((head) => opensAt(head) <= now);
      const late = heads.find((head) => endsAt(head) <= now);
      if (next) {
        next.leave();
        next.resolve(this.#depart(next.timeout));
      } else if (late) {
        late.leave();
        late.reject(late.refuse(opensAt(late) - now));
      } else {
        const wake = Math.min(...heads.flatMap((head) => [opensAt(head), endsAt(head)]));
        if (heads.length > 0) this.#timer = setTimeout(() => this.#serve(), Math.ceil(wake - now));
        return;
      }
    }
  }

  #depart(timeout: number): Release {
    const end = this.#windows.depart(timeout);
    return (result) => {
      if (end(result) && result) this.#serve();
    };
  }
}

/** Retries go first, because their calls arrived earlier than those that still wait. */
function inOrder(one: Waiter, other: Waiter): number {
  return Number(other.isRetry) - Number(one.isRetry) || one.order - other.order;
}

const REGISTRY = Symbol.for('multilocal.limiters.2');

/**
 * Returns the limiter of a key at a base URL. Copies of the package in one process (ESM and CommonJS, or two versions)
 * share it. The map is in a closure, so an inspected global object shows a function and no keys.
 */
export function limiterOf(baseUrl: string, apiKey = ''): Limiter {
  const holder = globalThis as { [REGISTRY]?: (id: string) => Limiter };
  holder[REGISTRY] ??= createRegistry();
  return holder[REGISTRY](`${apiKey}\n${baseUrl}`);
}

function createRegistry(): (id: string) => Limiter {
  const limiters = new Map<string, Limiter>();
  return (id) => {
    const limiter = limiters.get(id) ?? new WindowLimiter();
    if (!limiters.has(id)) for (const [other, idle] of limiters) if (idle.isIdle()) limiters.delete(other);
    limiters.set(id, limiter);
    return limiter;
  };
}
