import type { Promisable } from 'type-fest';

/** One sliding window: at most `max` requests within `length` ms. */
export type RateWindow = readonly [length: number, max: number];

/** A call that wants to send a request. */
export interface TakeRequest {
  /** Id of the attempt. The call uses the same id when it comes back after a wait. */
  id: string;
  /** The limits of the call, shortest window first: `[[60_000, perMinute], [86_400_000, perDay]]`. */
  windows: readonly RateWindow[];
  /** Maximum wait in ms. The store refuses a call that would wait longer. */
  maxWait: number;
  /** Ms after which the request counts as over if nobody settles it, because its process died. */
  timeout: number;
  /** Whether the attempt is a retry. Retries go first. */
  retry?: boolean | undefined;
  /** Whether the client of the call has a `reserve`. Calls of clients without it go first. */
  background?: boolean | undefined;
}

/** The answer to a call that wants to send a request. */
export interface TakeAnswer {
  /** `'go'`: the request has a place. `'wait'`: ask again. `'refused'`: the wait would be longer than `maxWait`. */
  state: 'go' | 'wait' | 'refused';
  /** Ms until the request may be sent, until the call must ask again, or until there is room. */
  ms: number;
}

/** What counts in the windows of a key. */
export interface Usage {
  /** Number of requests in each window, with those in flight. */
  used: number[];
  /** Number of calls that wait. */
  waiting: number;
}

/**
 * Counts the requests of keys for all processes that use it. `redisStore` from `multilocal/redis` is one. To write
 * another one, keep a {@link RateLimitBook} for each key where only one caller at a time can use it.
 *
 * `key` is a hash of the API key and the address. Each method may be asynchronous. A method that fails or takes longer
 * than 2 s counts as a failure of the store: see `onStoreError`.
 */
export interface RateLimitStore {
  /**
   * Gives a request its place in the windows, or the call its place in the queue. The same `id` comes again after a
   * wait, or if an answer was lost.
   */
  take(key: string, request: TakeRequest): Promisable<TakeAnswer>;
  /**
   * Ends a request or a wait. `'done'`: the request counts from now on. `'unsent'`: it was never sent, or the call gave
   * up waiting. An id that is unknown or already settled does nothing.
   */
  settle(key: string, id: string, result: 'done' | 'unsent'): unknown;
  /** Lets no request of the key leave for this many ms, because the service asked for it. */
  hold(key: string, ms: number): unknown;
  /**
   * Optional. Counts the requests in windows of these lengths (ms), for `client.budget()` and the cost of a sync.
   * Without it, both know only the requests of their own process.
   */
  count?(key: string, lengths: readonly number[]): Promisable<Usage>;
}
