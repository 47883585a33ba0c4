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

/** Returns a value of a key that is younger than `maxAge` ms, or requests it. Calls at the same time share one request. */
export type Memo<T> = (key: string, ask: () => Promise<T>, maxAge: number) => Promise<T>;

/** Keeps the last value of each key, with the time of its request. Failures are not kept. */
export function createMemo<T>(): Memo<T> {
  const entries = new Map<string, { value: Promise<T>; since: number }>();
  return (key, ask, maxAge) => {
    const kept = entries.get(key);
    if (kept && performance.now() - kept.since < maxAge) return kept.value;
    const entry = { value: ask(), since: performance.now() };
    entries.set(key, entry);
    entry.value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.value;
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
