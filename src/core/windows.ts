import { SlidingWindow } from './sliding-window.js';

/** How many requests a key may send. */
export interface Rates {
  perMinute: number;
  perDay: number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Ms between two searches for requests whose end was never reported. A search goes through all requests in flight. */
const SETTLING = 1_000;

/**
 * Two sliding windows, minute and day, over the requests of one key. They tell when another request has room.
 *
 * A request counts from the time of its response and not from the time when it was sent, because the service may have
 * counted it at any moment between. So the service never counts more than the limit in a window, however slow the
 * network is.
 */
export class Windows {
  readonly #minute = new SlidingWindow(MINUTE);
  readonly #day = new SlidingWindow(DAY);
  /** Requests without a response, each with the time at which it is over at the latest. */
  readonly #inFlight = new Set<{ end: number }>();
  #counted = 0;
  #heldUntil = 0;
  #settleAt = 0;

  /** Requests sent so far. */
  get sent(): number {
    return this.#counted + this.#inFlight.size;
  }

  hold(until: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, until);
  }

  /** Returns the number of requests that count for the day. */
  size(now: number): number {
    this.#settle(now);
    return this.#day.size(now) + this.#inFlight.size;
  }

  /**
   * Counts a request as in flight until the returned function is called. That function returns whether the request was
   * still in flight.
   */
  depart(timeout: number): (result?: 'unsent') => boolean {
    const request = { end: performance.now() + timeout };
    this.#inFlight.add(request);
    return (result) => {
      const counted = this.#inFlight.delete(request);
      if (counted && !result) this.#count(performance.now());
      return counted;
    };
  }

  /**
   * Returns the time at which a request with these rates has room, if the requests in flight got their responses now.
   * `ahead` requests go first, and `openingOf` returns the time at which each of them has room.
   */
  opensAt({ perMinute, perDay }: Rates, now: number, ahead = 0, openingOf: (place: number) => number = never): number {
    this.#settle(now);
    const opensAt = (window: SlidingWindow, max: number) => {
      // The request that must leave the window first is one of those ahead, one in flight, or one with a response.
      const place = ahead - Math.ceil(max);
      if (place >= 0) return openingOf(place) + window.length;
      const pending = this.#inFlight.size + ahead;
      return pending < max ? window.opensAt(max - pending, now) : now + window.length;
    };
    return Math.max(now, this.#heldUntil, opensAt(this.#minute, perMinute), opensAt(this.#day, perDay));
  }

  /** Returns the earliest time for a request behind `ahead` calls with other rates. The cost is constant. */
  opensBehind(ahead: number, theirs: Rates, rates: Rates, now: number): number {
    // Every `perMinute` places take a minute, and every `perDay` places take a day. The requests already sent determine
    // when the first of these places open.
    const perMinute = Math.ceil(theirs.perMinute);
    const perDay = Math.ceil(theirs.perDay);
    const byMinutes = (place: number) =>
      Math.floor(place / perMinute) * MINUTE + this.opensAt(theirs, now, place % perMinute);
    const openingOf = (place: number) => {
      const rest = place % perDay;
      const days = Math.floor(place / perDay) * DAY;
      return Math.max(byMinutes(place), days + byMinutes(rest), days + this.opensAt(theirs, now, rest));
    };
    return Math.max(openingOf(ahead - 1), this.opensAt(rates, now, ahead, openingOf));
  }

  #settle(now: number): void {
    if (now < this.#settleAt) return;
    this.#settleAt = now + SETTLING;
    for (const request of this.#inFlight) if (request.end <= now && this.#inFlight.delete(request)) this.#count(now);
  }

  #count(time: number): void {
    this.#counted++;
    this.#minute.add(time);
    this.#day.add(time);
  }
}

/** The default of `openingOf`: the requests ahead delay nothing. */
function never(): number {
  return Number.NEGATIVE_INFINITY;
}
