import type { RateWindow, TakeAnswer, TakeRequest, Usage } from './rate-limit-store.js';
import { Sorted } from './sorted.js';

const DAY = 86_400_000;
/** A waiting call that does not come back within this many ms of its turn loses its place. */
const GRACE = 5_000;
/**
 * A call that comes back at its turn gets its place already if it has room within this many ms, and before the requests
 * in flight could leave the shortest window.
 */
const SOON = 1_000;

/** A call that waits, in the state of a {@link RateLimitBook}. */
export interface WaitingCall {
  /** Id of the attempt. */
  readonly id: string;
  /** Its position in the line. Retries have negative positions, because their calls arrived before those that wait. */
  readonly order: number;
  /** How many requests of the key are expected to leave before it, counted from the first request ever. */
  readonly before: number;
  /** The time at which it has waited for `maxWait`. */
  readonly deadline: number;
  /** Its limits. */
  windows: readonly RateWindow[];
  /** The time for which it was told to come back. */
  told: number;
}

/** The content of a {@link RateLimitBook} as JSON. Its form may change between versions. */
export interface RateLimitBookState {
  /** Times of the requests with a response, in order. */
  done: number[];
  /** Ids of the requests without a response, each with the time at which it is over at the latest. */
  flight: [id: string, end: number][];
  /** The calls that wait. */
  line: WaitingCall[];
  /** No request leaves before this time. */
  held: number;
  /** Number of requests with a response, also those that have left every window. */
  counted: number;
  /** Number of calls that have waited. */
  arrivals: number;
  /** Requests older than this count in no window, in ms. */
  longest: number;
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
 * Each call follows its own limits. Calls with the same limits go in order of arrival, retries first, and a call that
 * has room passes calls with tighter limits.
 * @example
 * const book = new RateLimitBook(saved);
 * const answer = book.take(Date.now(), request);
 * save(book.state);
 */
export class RateLimitBook {
  readonly #done: Sorted;
  readonly #flight: Map<string, number>;
  readonly #line = new Map<string, WaitingCall>();
  /** The orders of the waiters, for each set of windows. */
  readonly #queues = new Map<string, { windows: readonly RateWindow[]; orders: Sorted }>();
  #held: number;
  #counted: number;
  #arrivals: number;
  #longest: number;
  /** Before these times, no request in flight is over, and no waiter has lost its place. */
  #nextEnd = Number.NEGATIVE_INFINITY;
  #nextLoss = Number.NEGATIVE_INFINITY;

  /** Creates a book, empty or with a saved state. */
  constructor(state?: RateLimitBookState) {
    const { done = [], flight = [], line = [], held = 0, counted = 0, arrivals = 0, longest = DAY } = state ?? {};
    this.#done = new Sorted(done);
    this.#flight = new Map(flight);
    this.#held = held;
    this.#counted = counted;
    this.#arrivals = arrivals;
    this.#longest = longest;
    for (const waiter of line) this.#enter({ ...waiter });
  }

  /** The content of the book, to save it and to create another book from it. */
  get state(): RateLimitBookState {
    return {
      done: this.#done.toArray(),
      flight: [...this.#flight],
      line: Array.from(this.#line.values(), (waiter) => ({ ...waiter })),
      held: this.#held,
      counted: this.#counted,
      arrivals: this.#arrivals,
      longest: this.#longest,
    };
  }

  /** Answers a call that wants to send a request. See `RateLimitStore.take`. */
  take(now: number, { id, windows, maxWait, timeout, retry = false }: TakeRequest): TakeAnswer {
    for (const [length] of windows) this.#longest = Math.max(this.#longest, length);
    this.#settleLost(now, id);
    if (this.#flight.has(id)) return { state: 'go', ms: 0 };
    const known = this.#line.get(id);
    const order = known?.order ?? (retry ? this.#arrivals - Number.MAX_SAFE_INTEGER : this.#arrivals);
    const { opening, before } = this.#foresee(windows, order, now);
    const ms = opening - now;
    const waiter = known ?? { id, order, before, deadline: now + maxWait, windows, told: 0 };
    // `maxWait` ends a wait only if more requests went first than expected. Slow responses do not end it: they delay
    // every window a little, so a call with an expected wait of exactly `maxWait` would always fail.
    const isPassed = waiter.before < this.#sent;
    const soon = Math.min(SOON, ...windows.map(([length]) => length - 1));
    if (ms <= 0 || (known && ms <= soon && !(isPassed && opening > waiter.deadline))) {
      this.#leave(id);
      this.depart(id, opening + timeout);
      return { state: 'go', ms };
    }
    // Sums of times have rounding errors below a millisecond.
    if (!known && Math.floor(ms) > maxWait) return { state: 'refused', ms };
    if (!known) this.#arrivals++;
    this.#leave(id);
    const isLate = waiter.deadline <= now;
    if (isLate && isPassed) return { state: 'refused', ms };
    const told = isLate ? opening : Math.min(opening, waiter.deadline);
    this.#enter({ ...waiter, windows, told });
    return { state: 'wait', ms: told - now };
  }

  /** Ends a request in flight, or the wait of a call. An unknown id does nothing. See `RateLimitStore.settle`. */
  settle(now: number, id: string, result: 'done' | 'unsent'): void {
    if (!this.#flight.delete(id)) this.#leave(id);
    else if (result === 'done') this.#count(now);
  }

  /** Lets no request leave for this many ms. */
  hold(now: number, ms: number): void {
    this.#held = Math.max(this.#held, now + ms);
  }

  /** Counts a request as in flight that another book or store let go. It is over at `end` at the latest. */
  depart(id: string, end: number): void {
    this.#flight.set(id, end);
    this.#nextEnd = Math.min(this.#nextEnd, end);
  }

  /** Returns how many requests count in windows of these lengths (ms), with those in flight, and how many calls wait. */
  count(now: number, lengths: readonly number[]): Usage {
    this.#settleLost(now);
    const done = this.#done;
    const used = lengths.map((length) => done.size - done.countUpTo(now - length) + this.#flight.size);
    return { used, waiting: this.#line.size };
  }

  /** Requests sent so far. */
  get #sent(): number {
    return this.#counted + this.#flight.size;
  }

  /** Returns the earliest time at which a call has room, and how many requests leave before it. */
  #foresee(own: readonly RateWindow[], order: number, now: number): { opening: number; before: number } {
    let opening = this.#opensAt(own, now);
    let before = this.#sent;
    for (const { windows: theirs, orders } of this.#queues.values()) {
      // This call may pass calls with tighter limits, so they do not count.
      const isTighter = theirs.some(([, max], index) => max < (own[index]?.[1] ?? 0));
      const ahead = isTighter ? 0 : orders.countUpTo(order - 1);
      if (ahead === 0) continue;
      opening = Math.max(opening, this.#opensBehind(ahead, theirs, own, now));
      before = Math.max(before, this.#sent + ahead);
    }
    return { opening, before };
  }

  /**
   * Returns the time at which a request with these windows has room, if the requests in flight got their responses now.
   * `ahead` requests go first, and `openingOf` returns the time at which each of them has room.
   */
  #opensAt(windows: readonly RateWindow[], now: number, ahead = 0, openingOf = never): number {
    let opening = Math.max(now, this.#held);
    for (const [length, max] of windows) {
      // The request that must leave the window first is one of those ahead, one in flight, or one with a response.
      const place = ahead - max;
      const spare = max - ahead - this.#flight.size;
      const leaving = place >= 0 ? openingOf(place) : spare > 0 ? this.#done.fromEnd(spare) : now;
      opening = Math.max(opening, leaving + length);
    }
    return opening;
  }

  /** Returns the earliest time for a request behind `ahead` calls with other windows. The cost is constant. */
  #opensBehind(ahead: number, theirs: readonly RateWindow[], own: readonly RateWindow[], now: number): number {
    const first = (place: number) => this.#opensAt(theirs, now, place);
    // Every `max` places take the length of a window. The requests already sent determine when the first of these
    // places open.
    const openingOf = theirs.reduce<(place: number) => number>((shorter, [length, max], index) => {
      return (place) => {
        const rest = place % max;
        const rounds = Math.floor(place / max) * length;
        if (index === 0) return rounds + first(rest);
        return Math.max(shorter(place), rounds + shorter(rest), rounds + first(rest));
      };
    }, first);
    return Math.max(openingOf(ahead - 1), this.#opensAt(own, now, ahead, openingOf));
  }

  /** Ends the requests in flight whose end nobody reported, and removes the waiters that did not come back. */
  #settleLost(now: number, asking?: string): void {
    if (this.#nextEnd <= now) {
      const over = [...this.#flight].filter(([, end]) => end <= now);
      for (const [id, end] of over) if (this.#flight.delete(id)) this.#count(end);
      this.#nextEnd = Math.min(...this.#flight.values());
    }
    if (this.#nextLoss <= now) {
      for (const { id, told } of [...this.#line.values()]) if (told + GRACE <= now && id !== asking) this.#leave(id);
      this.#nextLoss = Math.min(...Array.from(this.#line.values(), ({ told }) => told + GRACE));
    }
  }

  #count(time: number): void {
    this.#counted++;
    this.#done.add(time);
    this.#done.removeUpTo(time - this.#longest);
  }

  #enter(waiter: WaitingCall): void {
    const key = JSON.stringify(waiter.windows);
    const queue = this.#queues.get(key) ?? { windows: waiter.windows, orders: new Sorted() };
    this.#queues.set(key, queue);
    queue.orders.add(waiter.order);
    this.#line.set(waiter.id, waiter);
    this.#nextLoss = Math.min(this.#nextLoss, waiter.told + GRACE);
  }

  #leave(id: string): void {
    const waiter = this.#line.get(id);
    if (!waiter) return;
    this.#line.delete(id);
    const key = JSON.stringify(waiter.windows);
    const orders = this.#queues.get(key)?.orders;
    orders?.remove(waiter.order);
    if (orders?.size === 0) this.#queues.delete(key);
  }
}

/** The default of `openingOf`: the requests ahead delay nothing. */
function never(_place: number): number {
  return Number.NEGATIVE_INFINITY;
}
