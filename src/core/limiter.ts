import { onAbort } from './abort.js';

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
  signal?: AbortSignal | undefined;
  /** A repeated call came earlier than those that still wait, so it goes first. */
  repeated?: boolean;
  /** The service asked for so many ms without a request: nobody is let in before, were this call to leave the line. */
  holdBack?: number;
  /** Ms after which the request is over, even if nobody says so: Workers drop the work of visitors who leave. */
  timeout?: number;
  /** Called once if the call has to wait, with the ms foreseen. */
  onWait?: ((ms: number) => void) | undefined;
}

/** Tells the limiter that the answer is there, or never will be; or that nothing was sent, which then does not count. */
export type Release = (result?: 'unsent') => void;

interface Waiter {
  limits: () => Limits;
  repeated: boolean;
  admit: () => void;
}

const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * Two sliding windows, minute and day, over one key's requests, and the line of calls that wait for room in both.
 *
 * A request counts from when its answer came rather than from when it was sent, since the service may have seen it at
 * any moment between: only so does it never see more than the limit in a window, however slow the way. Times are
 * monotonic, so that a clock that is set, or a machine that slept, opens nothing.
 */
export class Limiter {
  /** When past requests count from, ascending. */
  readonly #past: number[] = [];
  /** Requests that were sent and not answered, and when they are over at the latest. */
  readonly #underWay = new Set<{ end: number }>();
  /** First those of repeated calls. */
  readonly #line: Waiter[] = [];
  #heldUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Wait for room. Resolves to the function to call once the answer is there, or never will be.
   * @throws {LimitExceeded} at once, when the wait for room would exceed `maxWait`.
   */
  async acquire({ limits, signal, repeated = false, holdBack = 0, timeout = Infinity, onWait }: AcquireOptions) {
    this.#heldUntil = Math.max(this.#heldUntil, performance.now() + holdBack);
    const line = this.#line;
    const end = repeated ? line.findIndex((waiter) => !waiter.repeated) : -1;
    const place = end < 0 ? line.length : end;
    const wait = this.#foresee(limits(), place);
    if (wait - holdBack > limits().maxWait) throw new LimitExceeded(wait);
    signal?.throwIfAborted();
    if (wait > holdBack) onWait?.(wait);
    return new Promise<Release>((resolve, reject) => {
      const admit = () => {
        detach?.();
        line.splice(line.indexOf(waiter), 1);
        resolve(this.#depart(timeout));
      };
      const waiter = { limits, repeated, admit };
      const detach =
        signal &&
        onAbort(signal, () => {
          line.splice(line.indexOf(waiter), 1);
          this.#serve();
          reject(signal.reason);
        });
      line.splice(place, 0, waiter);
      this.#serve();
    });
  }

  /** Whether forgetting this limiter forgets nothing. */
  get idle(): boolean {
    this.#forget();
    return this.#past.length + this.#underWay.size + this.#line.length === 0;
  }

  /** Let in those at the head of the line that there is room for, and come back when there is room for the next. */
  #serve(): void {
    clearTimeout(this.#timer);
    for (let [next] = this.#line; next; [next] = this.#line) {
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
    this.#underWay.add(request);
    return (result) => {
      if (!this.#underWay.delete(request)) return;
      if (result === 'unsent') this.#serve();
      else this.#past.push(performance.now());
    };
  }

  /** Forget what no window holds any more. */
  #forget(): void {
    const now = performance.now();
    for (const request of this.#underWay) {
      if (request.end <= now && this.#underWay.delete(request)) this.#past.push(now);
    }
    while ((this.#past[0] ?? now) <= now - DAY) this.#past.shift();
  }

  /** Ms until a call with so many others before it has room, if those under way were answered now. */
  #foresee({ perMinute, perDay }: Limits, ahead: number): number {
    this.#forget();
    const now = performance.now();
    const past = [...this.#past, ...Array<number>(this.#underWay.size).fill(now)];
    let at = Math.max(now, this.#heldUntil);
    for (let place = 0; place <= ahead; place++) {
      for (const [max, window] of [
        [perMinute, MINUTE],
        [perDay, DAY],
      ] as const) {
        if (past.length >= max) at = Math.max(at, (past.at(-max) ?? Number.POSITIVE_INFINITY) + window);
      }
      past.push(at);
    }
    return at - now;
  }
}

/** The wait would exceed `maxWait`. Internal: the caller sees a `RateLimitError`. */
export class LimitExceeded {
  constructor(readonly wait: number) {}
}

const REGISTRY = Symbol.for('multilocal.limiters.1');

/**
 * The limiter of a key at a base URL, one in a process, whichever copy of the package asks.
 * The map stands in a closure: an inspected global object shows a function, and no keys.
 */
export function limiterOf(baseUrl: string, apiKey = ''): Limiter {
  const holder = globalThis as { [REGISTRY]?: (id: string) => Limiter };
  holder[REGISTRY] ??= createRegistry();
  return holder[REGISTRY](`${apiKey}\n${baseUrl}`);
}

function createRegistry(): (id: string) => Limiter {
  const limiters = new Map<string, Limiter>();
  return (id) => {
    let limiter = limiters.get(id);
    if (!limiter) {
      for (const [other, { idle }] of limiters) if (idle) limiters.delete(other);
      limiter = new Limiter();
      limiters.set(id, limiter);
    }
    return limiter;
  };
}
