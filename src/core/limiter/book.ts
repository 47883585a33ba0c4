import { Sorted } from './sorted.js';
import type { RateWindow, TakeAnswer, TakeRequest, Usage } from './store.js';

const DAY = 86_400_000;
/** A waiting call that does not come back within this many ms of its turn loses its place. */
const GRACE = 5_000;
/** A call that comes back gets its place already if it has room within this many ms. */
const SOON = 1_000;
/** More than the number of calls that ever wait. */
const RANK = 2 ** 50;

/** A call that waits, in the state of a {@link RateLimitBook}. */
export interface WaitingCall {
  /** Id of the attempt. */
  readonly id: string;
  /** Its position in the queue: its rank, then its arrival. */
  readonly order: number;
  /** The time at which it has waited for `maxWait`. */
  readonly deadline: number;
  /** Its limits. */
  readonly windows: readonly RateWindow[];
  /** When to ask again. */
  readonly told: number;
  /** The time at which it has room, as far as the book can predict it. */
  opening: number;
}

/** The content of a {@link RateLimitBook} as JSON. Its form may change between versions. */
export interface RateLimitBookState {
  /** Times of the requests with a response, in order. */
  done: number[];
  /** Ids of the requests without a response, each with the time at which it is over at the latest. */
  flight: [id: string, end: number][];
  /** The calls that wait, in order. */
  queue: WaitingCall[];
  /** No request leaves before this time. */
  held: number;
  /** Number of calls that have waited. */
  arrivals: number;
  /** Requests older than this count in no window, in ms. */
  longest: number;
}

/** Returns the rank of a call in the queue. Calls of a lower rank go first. */
export function rankOf({ retry, background }: Pick<TakeRequest, 'retry' | 'background'>): number {
  return (background ? 2 : 0) + (retry ? 0 : 1);
}

/**
 * The account of one key: which requests count in its sliding windows, and who goes next. It has no clock and no timer.
 * The caller passes the time, in ms, which must not go back. Use it to build a `store` for `rateLimit`, for example in
 * a Durable Object.
 *
 * A request counts from the time of its response and not from the time when it was sent, because the service may have
 * counted it at any moment between. So the service never counts more than the limit in a window, however slow the
 * network is.
 *
 * Each call follows its own limits. All calls wait in one queue: retries first, calls with `background` last, otherwise
 * in order of arrival. A call does not pass another one, unless there is room for both.
 * @example
 * const book = new RateLimitBook(saved);
 * const answer = book.take(Date.now(), request);
 * save(book.state);
 */
export class RateLimitBook {
  readonly #done: Sorted;
  readonly #flight: Map<string, number>;
  readonly #queue: WaitingCall[];
  /** The calls of the queue by id. */
  readonly #calls: Map<string, WaitingCall>;
  /** So many calls at the front of the queue have an `opening` that nothing has changed since. */
  #fresh = 0;
  #held: number;
  #arrivals: number;
  #longest: number;
  /** Before this time, no request in flight is over, and no waiting call has lost its place. */
  #nextLoss = Number.NEGATIVE_INFINITY;

  /** Creates a book, empty or with a saved state. */
  constructor(state?: RateLimitBookState) {
    const { done = [], flight = [], queue = [], held = 0, arrivals = 0, longest = DAY } = state ?? {};
    this.#done = new Sorted(done);
    this.#flight = new Map(flight);
    this.#queue = queue.map((call) => ({ ...call }));
    this.#calls = new Map(this.#queue.map((call) => [call.id, call]));
    this.#held = held;
    this.#arrivals = arrivals;
    this.#longest = longest;
  }

  /** The content of the book, to save it and to create another book from it. */
  get state(): RateLimitBookState {
    return {
      done: this.#done.toArray(),
      flight: [...this.#flight],
      queue: this.#queue.map((call) => ({ ...call })),
      held: this.#held,
      arrivals: this.#arrivals,
      longest: this.#longest,
    };
  }

  /** Answers a call that wants to send a request. See `RateLimitStore.take`. */
  take(now: number, request: TakeRequest): TakeAnswer {
    const { id, windows, maxWait, timeout, background = false } = request;
    for (const [length] of windows) this.#longest = Math.max(this.#longest, length);
    this.#settleLost(now, id);
    if (this.#flight.has(id)) return { state: 'go', ms: 0 };
    const known = this.#calls.get(id);
    const { order, deadline } = known ?? { order: rankOf(request) * RANK + this.#arrivals, deadline: now + maxWait };
    const place = known ? this.#queue.indexOf(known) : this.#queue.findLastIndex((call) => call.order < order) + 1;
    for (; this.#fresh < place; this.#fresh++) {
      const call = this.#queue[this.#fresh] as WaitingCall;
      call.opening = this.#opensAt(call.windows, this.#fresh, now);
    }
    const predicted = Math.max(now, this.#opensAt(windows, place, now));
    // A call must not get its place before the requests in flight could leave the shortest window. A background call
    // gets its place only when it goes, because the calls that arrive until then would have to wait for it.
    const soon = known && !background ? Math.min(SOON, ...windows.map(([length]) => length - 1)) : 0;
    // The calls ahead ask at this moment too, and may have lower limits. So this one asks again after them.
    const isEarly = predicted - now <= soon && !this.#leavesRoom(place, predicted, now);
    const opening = isEarly ? now + SOON : predicted;
    const ms = opening - now;
    if (ms <= soon && !isEarly) {
      this.#leave(id);
      this.depart(id, opening + timeout);
      if (ms > 0) this.#held = opening;
      return { state: 'go', ms };
    }
    // Sums of times have rounding errors below a millisecond.
    if (known ? deadline <= now : Math.floor(ms) > maxWait) {
      this.#leave(id);
      return { state: 'refused', ms };
    }
    const told = Math.min(opening, deadline);
    const call = { id, order, deadline, windows, told, opening };
    this.#queue.splice(place, known ? 1 : 0, call);
    this.#calls.set(id, call);
    if (!known) this.#arrivals++;
    this.#fresh = place + 1;
    this.#nextLoss = Math.min(this.#nextLoss, told + GRACE);
    return { state: 'wait', ms: told - now };
  }

  /** Ends a request in flight, or the wait of a call. An unknown id does nothing. See `RateLimitStore.settle`. */
  settle(now: number, id: string, result: 'done' | 'unsent'): void {
    if (!this.#flight.delete(id)) this.#leave(id);
    else {
      this.#fresh = 0;
      if (result === 'done') this.#done.add(now);
      this.#done.removeUpTo(now - this.#longest);
    }
  }

  /** Lets no request leave for this many ms. */
  hold(now: number, ms: number): void {
    this.#held = Math.max(this.#held, now + ms);
    this.#fresh = 0;
  }

  /** Counts a request as in flight that another book or store let go. It is over at `end` at the latest. */
  depart(id: string, end: number): void {
    this.#flight.set(id, end);
    this.#fresh = 0;
    this.#nextLoss = Math.min(this.#nextLoss, end);
  }

  /** Returns how many requests count in windows of these lengths (ms), with those in flight, and how many calls wait. */
  count(now: number, lengths: readonly number[]): Usage {
    this.#settleLost(now);
    const done = this.#done;
    const used = lengths.map((length) => done.size - done.countUpTo(now - length) + this.#flight.size);
    return { used, waiting: this.#queue.length };
  }

  /**
   * Returns when a call at this place of the queue has room, if the requests in flight got their responses now and the
   * calls ahead go as predicted. So the time is exact if all calls have the same limits. It may be over.
   */
  #opensAt(windows: readonly RateWindow[], place: number, now: number): number {
    let opening = Math.max(this.#held, this.#queue[place - 1]?.opening ?? 0);
    for (const [length, max] of windows) {
      // The request that must leave the window first is that of a waiting call, one in flight, or one with a response.
      const waiting = place >= max ? this.#queue[place - max] : undefined;
      const spare = max - place - this.#flight.size;
      const leaving = waiting ? Math.max(now, waiting.opening) : spare > 0 ? this.#done.fromEnd(spare) : now;
      opening = Math.max(opening, leaving + length);
    }
    return opening;
  }

  /** Whether the calls ahead of this place still have room at this time if one more request leaves before them. */
  #leavesRoom(place: number, time: number, now: number): boolean {
    const ahead = this.#queue.slice(0, place);
    return ahead.every(({ windows }, index) => this.#opensAt(windows, index + 1, now) <= time);
  }

  /** Ends the requests in flight whose end nobody reported, and removes the waiting calls that did not come back. */
  #settleLost(now: number, asking?: string): void {
    if (now < this.#nextLoss) return;
    this.#nextLoss = Number.POSITIVE_INFINITY;
    for (const [id, end] of this.#flight) {
      if (end <= now) this.settle(end, id, 'done');
      else this.#nextLoss = Math.min(this.#nextLoss, end);
    }
    for (const { id, told } of [...this.#queue]) {
      if (told + GRACE <= now && id !== asking) this.#leave(id);
      else this.#nextLoss = Math.min(this.#nextLoss, told + GRACE);
    }
  }

  #leave(id: string): void {
    const call = this.#calls.get(id);
    if (!call) return;
    const place = this.#queue.indexOf(call);
    this.#queue.splice(place, 1);
    this.#calls.delete(id);
    this.#fresh = Math.min(this.#fresh, place);
  }
}
