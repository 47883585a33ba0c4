import { onAbort, until } from '../core/abort.js';
import type { Api } from '../core/api.js';
import type { Session } from '../core/call.js';
import type { Endpoint } from '../core/endpoint.js';
import { TimeoutError } from '../core/errors/index.js';
import type { RequestOptions } from '../core/options.js';

/** Makes something that a client and its views share. */
export function perSession<T>(make: () => T): (session: Session) => T {
  const made = new WeakMap<Session, { readonly value: T }>();
  return (session) => {
    const { value } = made.get(session) ?? { value: make() };
    made.set(session, { value });
    return value;
  };
}

/** Options of a read that calls share: `extra`, the signal and the time limits belong to one caller. */
export type SharedOptions = Omit<RequestOptions, 'signal' | 'extra' | 'timeout' | 'totalTimeout'>;

/**
 * Runs work that sends reads which calls share. The time limits and the signals of the caller end the work for the caller
 * alone: the reads go on for the others. With retries, `timeout` counts once for each attempt.
 */
export function sharing<T>(
  api: Api,
  { operation }: Endpoint,
  options: RequestOptions | undefined,
  work: (shared: Api, options: SharedOptions) => Promise<T>,
): Promise<T> {
  const { config } = api.session;
  const merged = api.merge(options);
  const { totalTimeout = Infinity, timeout = Infinity, maxRetries = config.maxRetries } = merged;
  const limit = Math.min(totalTimeout, timeout * (maxRetries + 1));
  const { signal: own, extra: _, timeout: __, totalTimeout: ___, ...others } = options ?? {};
  return api.following(own, async (signal) => {
    const ended = new AbortController();
    const detach = signal && onAbort(signal, () => ended.abort(signal.reason));
    const late = () =>
      new TimeoutError(`${operation}: no response within ${limit} ms.`, {
        operation,
        method: 'GET',
        outcome: 'not_applied',
      });
    const timer = limit < Infinity ? setTimeout(() => ended.abort(late()), limit) : undefined;
    try {
      return await until(work(api.shared(), others), ended.signal);
    } finally {
      clearTimeout(timer);
      detach?.();
    }
  });
}

/** A limited number of places, given in the order in which they were asked for. */
export class Places {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  /** Waits for a place. Returns the function that frees it. */
  async take(signal: AbortSignal | undefined): Promise<() => void> {
    let give = () => {};
    const turn = new Promise<void>((resolve) => {
      give = resolve;
    });
    this.#line.push(give);
    this.#serve();
    const leave = () => {
      this.#free++;
      this.#serve();
    };
    try {
      await (signal ? until(turn, signal) : turn);
      return leave;
    } catch (error) {
      const at = this.#line.indexOf(give);
      // It may have got its place in the moment in which it gave up.
      if (at >= 0) this.#line.splice(at, 1);
      else leave();
      throw error;
    }
  }

  #serve(): void {
    while (this.#free > 0 && this.#line.length > 0) {
      this.#free--;
      this.#line.shift()?.();
    }
  }
}
