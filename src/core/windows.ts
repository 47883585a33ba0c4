import { SlidingWindow } from './sliding-window.js';

/** How many requests a key may send. */
export interface Rates {
  perMinute: number;
  perDay: number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Ms between two searches for requests that timed out unreported. A search goes through all requests in flight. */
const SETTLING = 1_000;

/**
 * Two sliding windows, minute and day, over one key's requests, and when there is room for more.
 *
 * A request counts from when its response came rather than from when it was sent, since the service may have seen it at
 * any moment between. Only so does it never see more than the limit in a window, however slow the network is.
 */
export class Windows {
  readonly #minute = new SlidingWindow(MINUTE);
  readonly #day = new SlidingWindow(DAY);
  /** Requests that were sent and have no response, and when they are over at the latest. */
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

  /** Places of the day that are taken. */
  size(now: number): number {
    this.#settle(now);
    return this.#day.size(now) + this.#inFlight.size;
  }

  /** Counts a request as in flight until the returned function is called, which returns whether it was still in flight. */
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
   * Returns when a request of these rates has room, if those in flight got their responses now. `ahead` requests go first,
   * and `openingOf` says when each of them gets in.
   */
  opensAt({ perMinute, perDay }: Rates, now: number, ahead = 0, openingOf: (place: number) => number = never): number {
    this.#settle(now);
    const opensAt = (window: SlidingWindow, max: number) => {
      // The request that must leave the window first is one of those ahead, in flight, or has its response.
      const place = ahead - Math.ceil(max);
      if (place >= 0) return openingOf(place) + window.length;
      const pending = this.#inFlight.size + ahead;
      return pending < max ? window.opensAt(max - pending, now) : now + window.length;
    };
    return Math.max(now, this.#heldUntil, opensAt(this.#minute, perMinute), opensAt(this.#day, perDay));
  }

  /** Returns when a request has room at the earliest, behind `ahead` calls with rates of their own. The cost is constant. */
  opensBehind(ahead: number, theirs: Rates, rates: Rates, now: number): number {
    // Each `perMinute` places take a minute and each `perDay` places a day. The requests sent say when the first of them open.
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

/** For calls that get in as early as the requests sent allow: those ahead delay nothing. */
function never(): number {
  return Number.NEGATIVE_INFINITY;
}
