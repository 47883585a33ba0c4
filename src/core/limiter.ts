import { onAbort } from './abort.js';
import { type Rates, Windows } from './windows.js';

/** Limits of one key, as the call that waits sees them. */
export interface Limits extends Rates {
  /** A call that would wait longer (ms) is refused instead. */
  maxWait: number;
}

export interface AcquireOptions {
  /** Asked whenever it matters: the limits may become known while a call waits. */
  limits: () => Limits;
  signal: AbortSignal;
  /** A retried call came earlier than those that still wait, so it goes first. */
  isRetry: boolean;
  /** How long the service asked this call to pause, in ms: `maxWait` does not count it. See {@link Limiter.hold}. */
  holdBack: number;
  /** Ms after which the request is over, even if nobody says so: Workers drop the work of visitors who leave. */
  timeout: number;
  /** Called once if the call has to wait, with the ms foreseen. */
  onWait: (ms: number) => void;
  /** The error of a call that would have to wait longer than `maxWait`. */
  refuse: (ms: number) => Error;
}

/** Tells the limiter that the response is there, or never will be; or that nothing was sent, which then does not count. */
export type Release = (result?: 'unsent') => void;

/** Kept under these names: copies of the package in one process share their limiters. */
export interface Limiter {
  /**
   * Waits for room. Resolves to the function to call once the response is there, or never will be. Rejects at once if the
   * wait would exceed `maxWait`, and after `maxWait` if other calls delay it that long.
   */
  acquire(options: AcquireOptions): Promise<Release>;
  /** Lets nobody in for so many ms. */
  hold(ms: number): void;
  /** How many more requests of the day could be sent now: calls in flight and in the queue have their place already. */
  left(limits: Limits): number;
  /** Whether forgetting this limiter forgets nothing. */
  isIdle(): boolean;
}

interface Waiter extends AcquireOptions {
  /** Its place in the order of arrival. */
  readonly order: number;
  /** How many requests of the key should have left before it, counted from the first of all. */
  readonly before: number;
  /** When it has waited for `maxWait`. */
  readonly deadline: number;
  /** Takes it out of its queue. */
  leave(): void;
  resolve(release: Release): void;
  reject(error: unknown): void;
}

/** Calls of equal limits that wait: first in, first out. */
class Queue extends Set<Waiter> {
  // A new iterator would skip all the waiters that left, one by one.
  readonly #iterator = this.values();
  #first: Waiter | undefined;

  /** The queue must not be empty. */
  get first(): Waiter {
    while (!this.#first || !this.has(this.#first)) this.#first = this.#iterator.next().value;
    return this.#first;
  }
}

/**
 * The calls that wait for room in the windows of one key. Each call is judged by its own limits: calls with the same limits
 * get in as they came, and a call that has room passes those with tighter limits. The cost of a call does not depend on how
 * many wait.
 *
 * Times are monotonic, so that a clock that is set, or a machine that slept, opens nothing.
 */
class WindowLimiter implements Limiter {
  readonly #windows = new Windows();
  /** None of them is empty. */
  readonly #queues = new Map<string, Queue>();
  #arrivals = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  async acquire(options: AcquireOptions): Promise<Release> {
    const { signal, isRetry, holdBack, onWait, refuse } = options;
    const limits = options.limits();
    // Waiters that have room by now go first, even if the timer is late.
    this.#serve();
    const now = performance.now();
    const { opening, before } = this.#foresee(options, now);
    const wait = opening - now;
    // Sums of times are off by fractions of a millisecond.
    if (Math.floor(wait - holdBack) > limits.maxWait) throw refuse(wait);
    if (wait > holdBack && !signal.aborted) onWait(wait);
    // The observer of the wait may have aborted the call.
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

  /** The requests of the day, those that wait included. */
  #taken(): number {
    let taken = this.#windows.size(performance.now());
    for (const { size } of this.#queues.values()) taken += size;
    return taken;
  }

  /** Returns when a call gets in at the earliest, and how many requests leave before it. */
  #foresee({ limits, isRetry }: AcquireOptions, now: number): { opening: number; before: number } {
    const windows = this.#windows;
    const own = limits();
    const ahead = new Map<string, number>();
    let opening = windows.opensAt(own, now);
    let before = windows.sent;
    for (const { first, size } of this.#queues.values()) {
      const theirs = first.limits();
      // Calls with tighter limits may have to let this one pass, so they do not count.
      if (theirs.perMinute < own.perMinute || theirs.perDay < own.perDay || (isRetry && !first.isRetry)) continue;
      // Queues with the same rates form one line.
      const rates = `${theirs.perMinute}/${theirs.perDay}`;
      const count = size + (ahead.get(rates) ?? 0);
      ahead.set(rates, count);
      opening = Math.max(opening, windows.opensBehind(count, theirs, own, now));
      before = Math.max(before, windows.sent + count);
    }
    return { opening, before };
  }

  /** Lets in the waiters that have room, refuses those that waited too long, and sets the timer for the next ones. */
  #serve(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    for (;;) {
      const heads = Array.from(this.#queues.values(), ({ first }) => first).sort(inOrder);
      const opensAt = ({ limits }: Waiter) => this.#windows.opensAt(limits(), now);
      // `maxWait` ends the wait if more requests went first than foreseen. Slow responses alone do not end it: they delay every
      // window a little, so a call that was foreseen to wait exactly `maxWait` would always fail.
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

/** A retried call came earlier than those that still wait, so it goes first. */
function inOrder(one: Waiter, other: Waiter): number {
  return Number(other.isRetry) - Number(one.isRetry) || one.order - other.order;
}

const REGISTRY = Symbol.for('multilocal.limiters.2');

/**
 * The limiter of a key at a base URL, one in a process: copies of the package (ESM beside CommonJS, two versions) share
 * it. The map stands in a closure: an inspected global object shows a function, and no keys.
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
