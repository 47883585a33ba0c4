import { SlidingWindow } from './sliding-window.js';

/** How many requests a key may send. */
export interface Rates {
  perMinute: number;
  perDay: number;
}

/** When the calls of the same rates that wait will have room, first the one that goes first. */
export interface Plan {
  readonly rates: Rates;
  /** How many requests of the key go before the first time of the plan. */
  first: number;
  times: number[];
  /** The hold that the plan knows of. */
  heldUntil: number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
/** How often the limiter looks for requests that are over without a word: each look costs as much as there are in flight. */
const SETTLING = 1_000;

/**
 * Two sliding windows, minute and day, over one key's requests, and when there is room for more.
 *
 * A request counts from when its response came rather than from when it was sent, since the service may have seen it at
 * any moment between: only so does it never see more than the limit in a window, however slow the way.
 */
export class Windows {
  readonly #minute = new SlidingWindow(MINUTE);
  readonly #day = new SlidingWindow(DAY);
  /** Requests that were sent and have no response, and when they are over at the latest. */
  readonly #inFlight = new Set<{ end: number }>();
  #counted = 0;
  #heldUntil = 0;
  #settledAt = Number.NEGATIVE_INFINITY;

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

  /** Counts a request that leaves, until the returned function tells that it is over: whether it still counted. */
  depart(timeout: number): (result?: 'unsent') => boolean {
    const request = { end: performance.now() + timeout };
    this.#inFlight.add(request);
    return (result) => {
      const counted = this.#inFlight.delete(request);
      if (counted && !result) this.#count(performance.now());
      return counted;
    };
  }

  /** When there is room for a request of these rates, if those in flight got their responses now. */
  opensAt(rates: Rates, now: number): number {
    this.#settle(now);
    return this.#opensAfter([], 0, 0, 0, rates, now);
  }

  /** When there is room for a request of these rates behind so many calls of the plan. Costs the same for any number. */
  opensBehind(plan: Plan, ahead: number, rates: Rates, now: number): number {
    const opening = this.opensAt(plan.rates, now);
    const { sent } = this;
    let used = sent - plan.first;
    const isStale = plan.heldUntil !== this.#heldUntil || used < 0 || used >= plan.times.length / 2;
    if (isStale || (plan.times[used] as number) > opening) {
      Object.assign(plan, { first: sent, times: [opening], heldUntil: this.#heldUntil });
      used = 0;
    }
    const { times } = plan;
    // Each response comes later than the plan has it, and all that waits moves with it.
    const late = opening - (times[used] as number);
    while (times.length < used + ahead) {
      times.push(this.#opensAfter(times, used, late, times.length - used, plan.rates, now) - late);
    }
    return this.#opensAfter(times, used, late, ahead, rates, now);
  }

  /** When there is room behind so many others, which get in at `times`, counted from `used`, and so much later. */
  #opensAfter(times: readonly number[], used: number, late: number, ahead: number, rates: Rates, now: number): number {
    const timeOf = (place: number) => (times[used + place] as number) + late;
    const pending = this.#inFlight.size + ahead;
    const opensAt = (window: SlidingWindow, max: number) => {
      // The request that has to leave first waits itself, is in flight, or has its response.
      const back = Math.ceil(max);
      if (back <= ahead) return timeOf(ahead - back) + window.length;
      return back <= pending ? now + window.length : window.opensAt(max - pending, now);
    };
    const previous = ahead > 0 ? timeOf(ahead - 1) : now;
    const { perMinute, perDay } = rates;
    return Math.max(previous, this.#heldUntil, opensAt(this.#minute, perMinute), opensAt(this.#day, perDay));
  }

  #settle(now: number): void {
    if (now < this.#settledAt + SETTLING) return;
    this.#settledAt = now;
    for (const request of this.#inFlight) if (request.end <= now && this.#inFlight.delete(request)) this.#count(now);
  }

  #count(time: number): void {
    this.#counted++;
    this.#minute.add(time);
    this.#day.add(time);
  }
}
