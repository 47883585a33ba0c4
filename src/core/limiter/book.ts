import type { Promisable } from 'type-fest';
import { DAY } from '../timestamps.js';

/** One sliding window: at most `max` requests within `length` ms. */
export type RateWindow = readonly [length: number, max: number];

/** A call that wants to send a request. */
export interface TakeRequest {
  /** Id of the attempt. The call uses the same id when it comes back after a wait. */
  id: string;
  /**
   * The limits of the key, shortest window first: `[[60_000, perMinute], [86_400_000, perDay]]`. They apply to the
   * whole account, so a later call may change them. No window is longer than a day.
   */
  windows: readonly RateWindow[];
  /** Maximum wait in ms. The store refuses a call that would wait longer. */
  maxWait: number;
  /** Ms after which the request counts as over if it was not settled, because its process died. */
  timeout: number;
  /** Whether the attempt is a retry. Retries go first. */
  retry?: boolean | undefined;
  /** Places of the shortest window that the call leaves to calls without `reserve`. Those go first. Default 0. */
  reserve?: number | undefined;
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
   * wait, or if a response was lost.
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

/** A waiting call that does not come back within this many ms of its turn loses its place. */
const LOST_AFTER = 5_000;
/** A call that comes back gets its place already if it has room within this many ms. */
const EARLY_BY = 1_000;
/** More than the number of calls that ever wait. */
const RANK = 2 ** 50;

/**
 * The content of a {@link RateLimitBook} as JSON, for example to save it. Its form may change between versions. All times
 * are in ms.
 */
export interface RateLimitBookState {
  /** Times of the requests with a response, in order. */
  done: number[];
  /** Ids of the requests without a response, each with the time at which it is over at the latest. */
  flight: [id: string, end: number][];
  /** The calls that wait, in order: by rank, then by arrival. Each has waited for `maxWait` at its `deadline`. */
  queue: Readonly<{
    /** The id of the call. */
    id: string;
    /** Its rank and its arrival, as one number. */
    order: number;
    /** When it has waited for `maxWait`. */
    deadline: number;
    /** When it must ask again. */
    askAt: number;
  }>[];
  /** No request leaves before this time. */
  held: number;
  /** Number of calls that have waited. */
  arrivals: number;
  /** The latest time of the book. */
  seen: number;
  /** How far the clock of the caller was set back since. */
  ahead: number;
}

/** Returns the rank of a call in the queue. Calls of a lower rank go first. */
export function rankOf({ retry, reserve = 0 }: Pick<TakeRequest, 'retry' | 'reserve'>): number {
  return (reserve > 0 ? 2 : 0) + (retry ? 0 : 1);
}

/**
 * The account of one key: which requests count in its sliding windows, and who goes next. It has no clock and no timer.
 * The caller passes the time, in ms. If its clock is set back, the time of the book goes on from the latest one. Use it
 * to build a `store` for `rateLimit`, for example in a Durable Object.
 *
 * A request counts from the time of its response, because the service may have counted it at any moment before. All
 * calls wait in one queue: retries first, calls with `reserve` last, otherwise in order of arrival. The limits of the
 * call that asks apply to the whole queue.
 * @example
 * const book = new RateLimitBook(saved);
 * const answer = book.take(Date.now(), request);
 * save(book.state);
 */
export class RateLimitBook {
  readonly #done: number[];
  readonly #flight: Map<string, number>;
  readonly #queue: RateLimitBookState['queue'];
  #held: number;
  #arrivals: number;
  #seen: number;
  #ahead: number;
  /** Before this time, no request in flight is over, and no waiting call has lost its place. */
  #nextLoss = Number.NEGATIVE_INFINITY;

  /** Creates a book, empty or with a saved state. */
  constructor(state?: RateLimitBookState) {
    this.#done = [...(state?.done ?? [])];
    this.#flight = new Map(state?.flight);
    this.#queue = [...(state?.queue ?? [])];
    this.#held = state?.held ?? 0;
    this.#arrivals = state?.arrivals ?? 0;
    this.#seen = state?.seen ?? 0;
    this.#ahead = state?.ahead ?? 0;
  }

  /** The content of the book, to save it and to create another book from it. */
  get state(): RateLimitBookState {
    const [done, flight, queue] = [[...this.#done], [...this.#flight], [...this.#queue]];
    return { done, flight, queue, held: this.#held, arrivals: this.#arrivals, seen: this.#seen, ahead: this.#ahead };
  }

  /** Answers a call that wants to send a request. See `RateLimitStore.take`. */
  take(clock: number, request: TakeRequest): TakeAnswer {
    const { id, windows, maxWait, timeout, reserve = 0 } = request;
    const now = this.#timeAt(clock);
    this.#settleLost(now, id);
    // The answer was lost. It may have promised a place for a little later.
    const end = this.#flight.get(id);
    if (end !== undefined) return { state: 'go', ms: Math.max(0, end - timeout - now) };
    const known = this.#leave(id);
    const { order, deadline } = known ?? { order: rankOf(request) * RANK + this.#arrivals, deadline: now + maxWait };
    const place = this.#queue.findLastIndex((call) => call.order < order) + 1;
    const opening = this.#opensAt(place, now, windows, reserve);
    const ms = opening - now;
    // A call must not get its place before the requests in flight could leave the shortest window. A call with `reserve`
    // gets its place only when it goes, because the calls that arrive until then would have to wait for it.
    const soon = known && reserve === 0 ? Math.min(EARLY_BY, (windows[0]?.[0] ?? 0) - 1) : 0;
    if (ms <= soon) {
      this.#flight.set(id, opening + timeout);
      this.#nextLoss = Math.min(this.#nextLoss, opening + timeout);
      if (ms > 0) this.#held = opening;
      return { state: 'go', ms };
    }
    // Sums of times have rounding errors below a millisecond.
    if (known ? deadline <= now : Math.floor(ms) > maxWait) return { state: 'refused', ms };
    const askAt = Math.min(opening, deadline);
    this.#queue.splice(place, 0, { id, order, deadline, askAt });
    if (!known) this.#arrivals++;
    this.#nextLoss = Math.min(this.#nextLoss, askAt + LOST_AFTER);
    return { state: 'wait', ms: askAt - now };
  }

  /** Ends a request in flight, or the wait of a call. An unknown id does nothing. See `RateLimitStore.settle`. */
  settle(clock: number, id: string, result: 'done' | 'unsent'): void {
    const now = this.#timeAt(clock);
    if (!this.#flight.delete(id)) this.#leave(id);
    else if (result === 'done') this.#count(now);
  }

  /** Lets no request leave for this many ms. */
  hold(clock: number, ms: number): void {
    this.#held = Math.max(this.#held, this.#timeAt(clock) + ms);
  }

  /** Returns how many requests count in windows of these lengths (ms), with those in flight, and how many calls wait. */
  count(clock: number, lengths: readonly number[]): Usage {
    const now = this.#timeAt(clock);
    this.#settleLost(now);
    const done = this.#done;
    const usedIn = (length: number) => done.length - 1 - done.findLastIndex((time) => time <= now - length);
    return { used: lengths.map((length) => usedIn(length) + this.#flight.size), waiting: this.#queue.length };
  }

  /**
   * Returns when a call at this place of the queue has room, if the requests in flight got their responses now. The
   * request that must leave a window first is one with a response, one in flight, or the waiting call `max` places
   * ahead. Places before 0 have left the queue.
   */
  #opensAt(place: number, now: number, windows: readonly RateWindow[], reserve: number): number {
    const unreserved = this.#queue.findLastIndex(({ order }) => order < 2 * RANK) + 1;
    const start = Math.max(now, this.#held);
    /** The place that must have left a window. Those before 0 have left the queue. */
    const before = (from: number, index: number, [, max]: RateWindow) =>
      from - Math.max(1, index === 0 && from >= unreserved ? max - reserve : max);
    const leavesAt = (from: number) => {
      if (from >= 0) return openings[from] as number;
      return -from <= this.#flight.size ? now : (this.#done.at(from + this.#flight.size) ?? Number.NEGATIVE_INFINITY);
    };
    // The call needs the times of few other places. 1 marks them until they are known.
    const openings = new Float64Array(place + 1);
    openings[place] = 1;
    for (let from = place; from >= 0; from--) {
      if (openings[from])
        windows.forEach((window, index) => {
          const other = before(from, index, window);
          if (other >= 0) openings[other] = 1;
        });
    }
    for (let from = 0; from <= place; from++) {
      if (openings[from])
        openings[from] = windows.reduce(
          (opening, window, index) => Math.max(opening, leavesAt(before(from, index, window)) + window[0]),
          start,
        );
    }
    return leavesAt(place);
  }

  /** Ends the requests in flight whose end was not reported, and removes the waiting calls that did not come back. */
  #settleLost(now: number, asking?: string): void {
    if (now < this.#nextLoss) return;
    this.#nextLoss = Number.POSITIVE_INFINITY;
    for (const [id, end] of this.#flight) {
      if (end <= now && this.#flight.delete(id)) this.#count(end);
      else this.#nextLoss = Math.min(this.#nextLoss, end);
    }
    for (const { id, askAt } of [...this.#queue]) {
      if (askAt + LOST_AFTER <= now && id !== asking) this.#leave(id);
      else this.#nextLoss = Math.min(this.#nextLoss, askAt + LOST_AFTER);
    }
  }

  /** The time of the book when the clock of the caller shows `clock`. */
  #timeAt(clock: number): number {
    this.#ahead = Math.max(this.#ahead, this.#seen - clock);
    this.#seen = clock + this.#ahead;
    return this.#seen;
  }

  /** Counts a request that ended at this time. One whose end was not reported may be older than others. */
  #count(time: number): void {
    while ((this.#done[0] ?? time) <= time - DAY) this.#done.shift();
    this.#done.splice(this.#done.findLastIndex((other) => other <= time) + 1, 0, time);
  }

  #leave(id: string): RateLimitBookState['queue'][number] | undefined {
    const index = this.#queue.findIndex((call) => call.id === id);
    return index < 0 ? undefined : this.#queue.splice(index, 1)[0];
  }
}
