import { Sorted } from '../core/limiter/sorted.js';
import { busy } from './refusal.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Maximum number of visitors with their own share. The least recently seen ones are forgotten. */
const MOST_VISITORS = 1_000;

/** Why a request goes to the service. */
export type Purpose =
  /** New queries: ids that no response has shown, lists with parameters, confirmations. */
  | 'new'
  /** An article that a response has shown and that is not in the cache. */
  | 'known'
  /** The replacement of a stale response, which visitors get in the meantime. */
  | 'refresh'
  /** The list without parameters if it is not in the cache, or a popular response that will soon be too old. */
  | 'popular';

/** Maximum number of requests per minute and per day. */
export interface Budget {
  perMinute: number;
  perDay: number;
}

/** The parts of the budget that some purposes share. */
interface Share extends Budget {
  of: readonly Purpose[];
}

/**
 * Shares of all visitors together. For each purpose except `popular`, visitors can cause any number of requests. So an
 * eighth of a day is reserved for `popular`, another eighth for articles that exist, and a part for each of the others.
 */
const COMMON: readonly Share[] = [
  { of: ['new', 'known', 'refresh', 'popular'], perMinute: 1, perDay: 1 },
  { of: ['new', 'known', 'refresh'], perMinute: 1, perDay: 7 / 8 },
  { of: ['new', 'refresh'], perMinute: 5 / 6, perDay: 3 / 4 },
  { of: ['new'], perMinute: 2 / 3, perDay: 2 / 3 },
  { of: ['refresh'], perMinute: 2 / 3, perDay: 2 / 3 },
];

/** Shares of one visitor. A refresh serves all visitors, so no visitor has a share for it. */
const OWN: readonly Share[] = [
  { of: ['new', 'known'], perMinute: 1 / 2, perDay: 1 / 2 },
  { of: ['new'], perMinute: 1 / 3, perDay: 1 / 3 },
];

/**
 * Counts the requests that visitors cause and refuses those beyond the budget. A 429 pauses all requests. Times are
 * monotonic, so a change of the system clock does not increase the budget.
 */
export class Allowance {
  readonly #budget: Budget;
  readonly #common: readonly Limit[];
  /** The limits of each visitor, least recently seen first. */
  readonly #visitors = new Map<string, readonly Limit[]>();
  #pausedUntil = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
    this.#common = COMMON.map((share) => new Limit(share, budget));
  }

  /**
   * Takes one request from the budget. An unknown visitor has no share of its own. @throws {Refusal} 503 if none is
   * left.
   */
  take(purpose: Purpose, visitor: string | undefined): void {
    const now = performance.now();
    const limits = this.#limitsOf(visitor).filter(({ of }) => of.includes(purpose));
    const wait = Math.max(this.#pausedUntil, ...limits.map((limit) => limit.opensAt(now))) - now;
    if (wait > 0) throw busy(wait);
    for (const limit of limits) limit.add(now);
  }

  /** Gives a `new` request back to its share, because it was for an article that exists. */
  wasKnown(visitor: string | undefined): void {
    for (const { of, pace } of this.#limitsOf(visitor)) {
      if (of.includes('new') && !of.includes('known')) pace?.giveBack();
    }
  }

  /** Refuses every request for a time that the service requested, at most a day. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + Math.min(ms, DAY));
  }

  #limitsOf(visitor: string | undefined): readonly Limit[] {
    if (visitor === undefined) return this.#common;
    const own = this.#visitors.get(visitor) ?? OWN.map((share) => new Limit(share, this.#budget));
    this.#visitors.delete(visitor);
    this.#visitors.set(visitor, own);
    for (const oldest of this.#visitors.keys()) {
      if (this.#visitors.size <= MOST_VISITORS) break;
      this.#visitors.delete(oldest);
    }
    return [...this.#common, ...own];
  }
}

/** Counts the requests of one share. */
class Limit {
  readonly of: readonly Purpose[];
  /** `undefined` if a day has no limit. */
  readonly pace: Pace | undefined;
  /** The times of the last minute. `undefined` if a minute has no limit. */
  readonly #minute: Sorted | undefined;
  readonly #perMinute: number;

  constructor({ of, perMinute, perDay }: Share, budget: Budget) {
    this.of = of;
    this.#perMinute = perMinute * budget.perMinute;
    this.#minute = Number.isFinite(this.#perMinute) ? new Sorted() : undefined;
    this.pace = Number.isFinite(budget.perDay) ? new Pace(perDay * budget.perDay) : undefined;
  }

  /** The time when another request is allowed: `now` or later. */
  opensAt(now: number): number {
    const leaving = this.#minute?.fromEnd(Math.ceil(this.#perMinute)) ?? Number.NEGATIVE_INFINITY;
    return Math.max(now, this.pace?.opensAt(now) ?? now, leaving + MINUTE);
  }

  add(now: number): void {
    this.#minute?.removeUpTo(now - MINUTE);
    this.#minute?.add(now);
    this.pace?.add(now);
  }
}

/**
 * Allows a quarter of a day's requests at once and spreads the rest evenly over the day. So any 24 hours stay below the
 * limit, and somebody who uses up the share blocks others for minutes and not until the next day.
 */
class Pace {
  /** Number of requests that are allowed at once. */
  readonly #burst: number;
  /** Milliseconds between two requests after the burst. */
  readonly #interval: number;
  /** The time when the whole burst is available again. */
  #restsAt = 0;

  constructor(perDay: number) {
    this.#burst = Math.max(1, perDay / 4);
    this.#interval = DAY / (perDay * 0.75);
  }

  opensAt(now: number): number {
    return Math.max(now, this.#restsAt - (this.#burst - 1) * this.#interval);
  }

  add(now: number): void {
    this.#restsAt = Math.max(this.#restsAt, now) + this.#interval;
  }

  giveBack(): void {
    this.#restsAt -= this.#interval;
  }
}
