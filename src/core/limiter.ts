import { onAbort } from './abort.js';
import { SlidingWindow } from './sliding-window.js';

/** Limits of one key, as the call that waits sees them. */
export interface Limits {
  perMinute: number;
  perDay: number;
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
  admit: () => void;
}

const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * Two sliding windows, minute and day, over one key's requests, and the queue of calls that wait for room in both.
 *
 * A request counts from when its response came rather than from when it was sent, since the service may have seen it at
 * any moment between: only so does it never see more than the limit in a window, however slow the way. Times are
 * monotonic, so that a clock that is set, or a machine that slept, opens nothing.
 */
class WindowLimiter implements Limiter {
  readonly #minute = new SlidingWindow(MINUTE);
  readonly #day = new SlidingWindow(DAY);
  /** Requests that were sent and have no response, and when they are over at the latest. */
  readonly #inFlight = new Set<{ end: number }>();
  /** First those of retried calls. */
  readonly #queue: Waiter[] = [];
  #heldUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  async acquire(options: AcquireOptions): Promise<Release> {
    const { limits, signal, isRetry, holdBack, timeout, onWait, refuse } = options;
    const place = isRetry ? this.#queue.filter((waiter) => waiter.isRetry).length : this.#queue.length;
    const wait = this.#foresee(limits(), place);
    if (wait - holdBack > limits().maxWait) throw refuse(wait);
    signal.throwIfAborted();
    if (wait > holdBack) onWait(wait);
    return new Promise((resolve, reject) => {
      const leave = () => {
        detach();
        this.#queue.splice(this.#queue.indexOf(waiter), 1);
      };
      const waiter: Waiter = {
        ...options,
        admit: () => {
          leave();
          resolve(this.#depart(timeout));
        },
      };
      const detach = onAbort(signal, () => {
        leave();
        this.#serve();
        reject(signal.reason);
      });
      this.#queue.splice(place, 0, waiter);
      this.#serve();
    });
  }

  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, performance.now() + ms);
  }

  left({ perDay }: Limits): number {
    return Math.max(0, Math.floor(perDay) - this.#taken());
  }

  isIdle(): boolean {
    return this.#taken() === 0;
  }

  /** The places of the day that requests have, or will have. */
  #taken(): number {
    const now = performance.now();
    this.#settle(now);
    return this.#day.size(now) + this.#inFlight.size + this.#queue.length;
  }

  /** Ms until a call with so many others before it has room, if those in flight got their responses now. */
  #foresee({ perMinute, perDay }: Limits, ahead: number): number {
    const now = performance.now();
    this.#settle(now);
    const times = Array<number>(this.#inFlight.size).fill(now);
    let at = Math.max(now, this.#heldUntil);
    for (let place = 0; place <= ahead; place++) {
      at = Math.max(at, this.#minute.opensAt(perMinute, now, times), this.#day.opensAt(perDay, now, times));
      times.push(at);
    }
    return at - now;
  }

  /** Lets in those at the head of the queue that there is room for, and comes back when there is room for the next. */
  #serve(): void {
    clearTimeout(this.#timer);
    for (let [next] = this.#queue; next; [next] = this.#queue) {
      const wait = this.#foresee(next.limits(), 0);
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#serve(), Math.ceil(wait));
        return;
      }
      next.admit();
    }
  }

  #depart(timeout: number): Release {
    const request = { end: performance.now() + timeout };
    this.#inFlight.add(request);
    return (result) => {
      if (!this.#inFlight.delete(request)) return;
      if (result) this.#serve();
      else this.#count(performance.now());
    };
  }

  #settle(now: number): void {
    for (const request of this.#inFlight) if (request.end <= now && this.#inFlight.delete(request)) this.#count(now);
  }

  #count(time: number): void {
    this.#minute.add(time);
    this.#day.add(time);
  }
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
