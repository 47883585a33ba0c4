import { onAbort } from './on-abort.js';
import { shared } from './shared.js';

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
  /** A repeated call came earlier than those that still wait, so it goes first. */
  repeated: boolean;
  /** The service asked for so many ms without a request: nobody is let in before, were this call to leave the line. */
  holdBack: number;
  /** Ms after which the request is over, even if nobody says so: Workers drop the work of visitors who leave. */
  timeout: number;
  /** Called once if the call has to wait, with the ms foreseen. */
  onWait: (ms: number) => void;
  /** The error of a call that would have to wait longer than `maxWait`. */
  refuse: (ms: number) => Error;
}

/** Tells the limiter that the answer is there, or never will be; or that nothing was sent, which then does not count. */
export type Release = (result?: 'unsent') => void;

/** Kept under these names: copies of the package in one process share their limiters. */
export interface Limiter {
  /**
   * Wait for room. Resolves to the function to call once the answer is there, or never will be; rejects at once when the
   * wait would exceed `maxWait`.
   */
  acquire(options: AcquireOptions): Promise<Release>;
  /** Whether forgetting this limiter forgets nothing. */
  isIdle(): boolean;
}

interface Waiter extends AcquireOptions {
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
function createLimiter(): Limiter {
  /** When past requests count from, ascending. */
  const past: number[] = [];
  /** Requests that were sent and not answered, and when they are over at the latest. */
  const underWay = new Set<{ end: number }>();
  /** First those of repeated calls. */
  const line: Waiter[] = [];
  let heldUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Forget what no window holds any more. */
  const forget = (now: number) => {
    for (const request of underWay) if (request.end <= now && underWay.delete(request)) past.push(now);
    while ((past[0] ?? now) <= now - DAY) past.shift();
  };

  /** Ms until a call with so many others before it has room, if those under way were answered now. */
  const foresee = ({ perMinute, perDay }: Limits, ahead: number) => {
    const now = performance.now();
    forget(now);
    const times = [...past, ...Array<number>(underWay.size).fill(now)];
    const opensAt = (max: number, window: number) => (times.length < max ? 0 : (times.at(-max) ?? Infinity) + window);
    let at = Math.max(now, heldUntil);
    for (let place = 0; place <= ahead; place++) {
      at = Math.max(at, opensAt(perMinute, MINUTE), opensAt(perDay, DAY));
      times.push(at);
    }
    return at - now;
  };

  /** Let in those at the head of the line that there is room for, and come back when there is room for the next. */
  const serve = () => {
    clearTimeout(timer);
    for (let [next] = line; next; [next] = line) {
      const wait = foresee(next.limits(), 0);
      if (wait > 0) {
        timer = setTimeout(serve, Math.ceil(wait));
        return;
      }
      next.admit();
    }
  };

  const depart = (timeout: number): Release => {
    const request = { end: performance.now() + timeout };
    underWay.add(request);
    return (result) => {
      if (!underWay.delete(request)) return;
      if (result) serve();
      else past.push(performance.now());
    };
  };

  return {
    async acquire(options) {
      const { limits, signal, repeated, holdBack, timeout, onWait, refuse } = options;
      heldUntil = Math.max(heldUntil, performance.now() + holdBack);
      const place = repeated ? line.filter((waiter) => waiter.repeated).length : line.length;
      const wait = foresee(limits(), place);
      if (wait - holdBack > limits().maxWait) {
        // V8 shows ten frames: made once the promises above are tied together, the error shows the caller's in place of ours.
        await await 0;
        throw refuse(wait);
      }
      signal.throwIfAborted();
      if (wait > holdBack) onWait(wait);
      return new Promise((resolve, reject) => {
        const leave = () => {
          detach();
          line.splice(line.indexOf(waiter), 1);
        };
        const waiter: Waiter = {
          ...options,
          admit() {
            leave();
            resolve(depart(timeout));
          },
        };
        const detach = onAbort(signal, () => {
          leave();
          serve();
          reject(signal.reason);
        });
        line.splice(place, 0, waiter);
        serve();
      });
    },
    isIdle() {
      forget(performance.now());
      return past.length + underWay.size + line.length === 0;
    },
  };
}

/**
 * The limiter of a key at a base URL, one in a process, whichever copy of the package asks.
 * The map stands in a closure: an inspected global object shows a function, and no keys.
 */
export function limiterOf(baseUrl: string, apiKey = ''): Limiter {
  return shared('limiters.1', createRegistry)(`${apiKey}\n${baseUrl}`);
}

function createRegistry(): (id: string) => Limiter {
  const limiters = new Map<string, Limiter>();
  return (id) => {
    const limiter = limiters.get(id) ?? createLimiter();
    if (!limiters.has(id)) for (const [other, { isIdle }] of limiters) if (isIdle()) limiters.delete(other);
    limiters.set(id, limiter);
    return limiter;
  };
}
