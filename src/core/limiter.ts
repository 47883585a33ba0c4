import { onAbort } from './abort.js';
import { type Plan, type Rates, Windows } from './windows.js';

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
   * Waits for room. Resolves to the function to call once the response is there, or never will be; rejects at once if the
   * wait would exceed `maxWait`.
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
  /** How many requests of the key were foreseen to leave before it. */
  readonly before: number;
  /** When it has waited for `maxWait`. */
  readonly deadline: number;
  queue: Queue;
  previous: Waiter | undefined;
  next: Waiter | undefined;
  admit(): void;
  giveUp(ms: number): void;
}

/** Calls of equal limits that wait: first in, first out. A linked list, since any of them may be aborted. */
class Queue {
  first: Waiter | undefined;
  #last: Waiter | undefined;
  size = 0;

  constructor(
    readonly limits: Limits,
    readonly isRetry: boolean,
    readonly plan: Plan,
  ) {}

  add(waiter: Waiter): void {
    Object.assign(waiter, { queue: this, previous: this.#last, next: undefined });
    if (this.#last) this.#last.next = waiter;
    else this.first = waiter;
    this.#last = waiter;
    this.size++;
  }

  remove({ previous, next }: Waiter): void {
    if (previous) previous.next = next;
    else this.first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    this.size--;
  }
}

/**
 * The calls that wait for room in the windows of one key. Each is judged by its own limits: those with the same limits get
 * in as they came, and nobody stands behind a call whose limits are tighter. Nothing here costs more the more calls wait.
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
    const { signal, isRetry, holdBack, timeout, onWait, refuse } = options;
    const limits = options.limits();
    const now = performance.now();
    const { opening, before } = this.#foresee(limits, isRetry, now);
    const wait = opening - now;
    // Fractions of a millisecond come from adding times up.
    if (Math.floor(wait - holdBack) > limits.maxWait) throw refuse(wait);
    if (wait > holdBack && !signal.aborted) onWait(wait);
    // Whoever was told of the wait may have ended the call.
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = () => {
        detach();
        this.#remove(waiter);
      };
      const waiter = {
        ...options,
        order: this.#arrivals++,
        before,
        deadline: now + limits.maxWait + holdBack,
        admit: () => {
          leave();
          resolve(this.#depart(timeout));
        },
        giveUp: (ms) => {
          leave();
          reject(refuse(ms));
        },
      } as Waiter;
      const detach = onAbort(signal, () => {
        leave();
        this.#serve();
        reject(signal.reason);
      });
      this.#add(waiter, limits);
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

  /** The places of the day that requests have, or will have. */
  #taken(): number {
    let waiting = 0;
    for (const { size } of this.#queues.values()) waiting += size;
    return this.#windows.size(performance.now()) + waiting;
  }

  /** When a call of these limits gets in at the earliest, and how many requests leave before it. */
  #foresee(limits: Limits, isRetry: boolean, now: number): { opening: number; before: number } {
    const ahead = new Map<Plan, number>();
    for (const queue of this.#queues.values()) {
      const { perMinute, perDay } = queue.limits;
      // A call of tighter limits may have to let this one pass, so that it cannot be counted on.
      const goesFirst = perMinute >= limits.perMinute && perDay >= limits.perDay && (queue.isRetry || !isRetry);
      if (goesFirst) ahead.set(queue.plan, (ahead.get(queue.plan) ?? 0) + queue.size);
    }
    let opening = this.#windows.opensAt(limits, now);
    let before = this.#windows.sent;
    for (const [plan, count] of ahead) {
      opening = Math.max(opening, this.#windows.opensBehind(plan, count, limits, now));
      before += count;
    }
    return { opening, before };
  }

  /** Lets in those that there is room for, ends what has waited too long, and comes back when there is more to do. */
  #serve(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    for (;;) {
      const heads = this.#heads();
      const opensAt = ({ queue }: Waiter) => this.#windows.opensAt(queue.limits, now);
      const next = heads.find((head) => opensAt(head) <= now);
      // Responses that take their time end no wait: only if others went before it, more than were foreseen, is it over.
      const isOvertaken = ({ before }: Waiter) => before < this.#windows.sent;
      const late = heads.find((head) => isOvertaken(head) && head.deadline <= now);
      if (next) next.admit();
      else if (late) late.giveUp(opensAt(late) - now);
      else {
        const times = heads.map((head) => Math.min(opensAt(head), isOvertaken(head) ? head.deadline : Infinity));
        if (times.length > 0) this.#timer = setTimeout(() => this.#serve(), Math.ceil(Math.min(...times) - now));
        return;
      }
    }
  }

  /** The first of each queue, in the order in which they may go. */
  #heads(): Waiter[] {
    const heads = () => [...this.#queues.values()].map((queue) => queue.first as Waiter).sort(inOrder);
    const isMoved = ({ queue, limits, isRetry }: Waiter) => this.#queues.get(keyOf(limits(), isRetry)) !== queue;
    if (!heads().some(isMoved)) return heads();
    // Limits became known while calls waited.
    const waiters: Waiter[] = [];
    for (const queue of this.#queues.values()) for (let one = queue.first; one; one = one.next) waiters.push(one);
    this.#queues.clear();
    for (const waiter of waiters.sort(inOrder)) this.#add(waiter, waiter.limits());
    return heads();
  }

  #add(waiter: Waiter, limits: Limits): void {
    const key = keyOf(limits, waiter.isRetry);
    let queue = this.#queues.get(key);
    if (!queue) {
      const isAlike = ({ plan: { rates } }: Queue) =>
        rates.perMinute === limits.perMinute && rates.perDay === limits.perDay;
      const plan = [...this.#queues.values()].find(isAlike)?.plan;
      queue = new Queue(limits, waiter.isRetry, plan ?? { rates: limits, first: 0, times: [], heldUntil: 0 });
      this.#queues.set(key, queue);
    }
    queue.add(waiter);
  }

  #remove(waiter: Waiter): void {
    const { queue } = waiter;
    queue.remove(waiter);
    if (!queue.first) this.#queues.delete(keyOf(queue.limits, queue.isRetry));
  }

  #depart(timeout: number): Release {
    const end = this.#windows.depart(timeout);
    return (result) => {
      if (end(result) && result) this.#serve();
    };
  }
}

function keyOf({ perMinute, perDay, maxWait }: Limits, isRetry: boolean): string {
  return `${perMinute}/${perDay}/${maxWait}/${isRetry}`;
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
