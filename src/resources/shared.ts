import { LONGEST_TIMER, until, withFirst } from '../core/abort.js';
import { Api } from '../core/api.js';
import type { Session } from '../core/call.js';
import type { Endpoint } from '../core/endpoint.js';
import { TimeoutError } from '../core/errors/index.js';
import type { RequestOptions } from '../core/options.js';

/** Makes something that a client and its views share. */
export function perSession<T>(make: () => T): (session: Session) => T {
  const made = new WeakMap<Session, T>();
  return (session) => {
    const value = made.get(session) ?? make();
    made.set(session, value);
    return value;
  };
}

interface Read<T> {
  readonly value: Promise<T>;
  readonly controller: AbortController;
  /** When the read ended, by `performance.now()`. */
  at: number;
  failed: boolean;
  users: number;
}

/** Keeps the last read of each key. Calls at the same time share one. */
export class SharedReads<T> {
  readonly #reads = new Map<unknown, Read<T>>();

  /** @internal Whether a read is under way, or ended less than `maxAge` ms ago: `failureAge` if it failed. */
  isFresh(key: unknown, maxAge: number, failureAge = 0): boolean {
    const read = this.#reads.get(key);
    return read !== undefined && performance.now() - read.at < (read.failed ? failureAge : maxAge);
  }

  /**
   * @internal
   * Returns what was read less than `maxAge` ms ago, with the time of the read, or reads it with `ask`. A failure is kept for
   * `failureAge` ms. `signal` ends only this call, and the read if nobody else uses it.
   */
  async get(
    key: unknown,
    ask: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    maxAge: number,
    failureAge = 0,
  ): Promise<{ value: T; at: number }> {
    let read = this.#reads.get(key);
    if (!read || !this.isFresh(key, maxAge, failureAge)) {
      const controller = new AbortController();
      const made: Read<T> = { value: ask(controller.signal), controller, at: Infinity, failed: false, users: 0 };
      const end = (failed: boolean) => void Object.assign(made, { at: performance.now(), failed });
      made.value.then(
        () => end(false),
        () => end(true),
      );
      this.#reads.set(key, made);
      read = made;
    }
    read.users++;
    try {
      return { value: await until(read.value, signal), at: read.at };
    } finally {
      if (--read.users === 0 && read.at === Infinity) {
        this.#reads.delete(key);
        read.controller.abort();
      }
    }
  }
}

/** Options of a read that calls share: `extra`, the signal and the time limits belong to one caller. */
export type SharedOptions = Omit<RequestOptions, 'signal' | 'extra' | 'timeout' | 'totalTimeout'>;

/**
 * Runs work that uses reads which calls share. The time limits and the signals of the caller abort `signal`, which ends the
 * work only for this caller. With retries, `timeout` counts once for each attempt.
 */
export function sharing<T>(
  api: Api,
  { operation }: Endpoint,
  options: RequestOptions | undefined,
  work: (shared: Api, options: SharedOptions, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const {
    totalTimeout = Infinity,
    timeout = Infinity,
    maxRetries = api.session.config.maxRetries,
  } = api.merge(options);
  const limit = Math.min(totalTimeout, timeout * (maxRetries + 1));
  const { signal: own, extra: _, timeout: __, totalTimeout: ___, ...others } = options ?? {};
  return called(api, own, async (signal) => {
    const expired = new AbortController();
    const context = { operation, method: 'GET', outcome: 'not_applied' } as const;
    const expire = () => expired.abort(new TimeoutError(`${operation}: no response within ${limit} ms.`, context));
    const timer = limit <= LONGEST_TIMER ? setTimeout(expire, limit) : undefined;
    const signals = [expired.signal, ...(signal ? [signal] : [])];
    return withFirst(signals, (first) => work(sharedApi(api), others, first)).finally(() => clearTimeout(timer));
  });
}

/** Runs work with the signals of the call. Its errors get the stack of the caller, which shared requests do not have. */
export async function called<T>(
  api: Api,
  signal: AbortSignal | null | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const { told } = api.trail(undefined);
  try {
    return await api.following(signal, work);
  } catch (error) {
    throw told(error);
  }
}

/** Returns the way to the service for requests that other calls share: nothing of the view ends or changes them. */
export function sharedApi({ session, http, view }: Api): Api {
  return new Api(session, http, view?.shared());
}

/** Gives places in the order in which they are asked for. Resolves to the function that frees the place. */
export function createPlaces(free: number) {
  const line: (() => void)[] = [];
  let left = free;
  const leave = () => {
    const next = line.shift();
    if (next) next();
    else left++;
  };
  return async (signal: AbortSignal | undefined): Promise<() => void> => {
    if (left > 0) {
      left--;
      return leave;
    }
    let give = () => {};
    const turn = new Promise<void>((resolve) => {
      give = resolve;
    });
    line.push(give);
    try {
      await until(turn, signal);
    } catch (error) {
      const at = line.indexOf(give);
      // The place may have come in the moment of the abort.
      if (at < 0) leave();
      else line.splice(at, 1);
      throw error;
    }
    return leave;
  };
}
