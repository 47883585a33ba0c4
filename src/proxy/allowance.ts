import { SlidingWindow } from '../core/sliding-window.js';
import { busy } from './refusal.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Visitors that are told apart; the least recently seen ones are forgotten. */
const MOST_VISITORS = 1_000;

/** Why a request goes to the service. */
export type Purpose =
  /** For what may not exist: an id that no response has shown, a list with parameters, a confirmation. Visitors can ask for endlessly many. */
  | 'new'
  /** For an article that a response has shown, and that the cache does not hold. */
  | 'known'
  /** Replaces a cached response that is sent meanwhile. */
  | 'refresh'
  /** For the plain list if the cache does not hold it, or for a popular response that will soon be too old to be sent. */
  | 'popular';

/** What the budget allows in a minute and in a day. */
export interface Budget {
  perMinute: number;
  perDay: number;
}

/** The parts of the budget that some purposes share. */
interface Share extends Budget {
  of: readonly Purpose[];
}

/**
 * Shares of all visitors together. Visitors can cause endlessly many requests for each purpose but `popular`, so an
 * eighth of a day is left for that one, another eighth for articles that exist, and something for each of the others.
 */
const COMMON: readonly Share[] = [
  { of: ['new', 'known', 'refresh', 'popular'], perMinute: 1, perDay: 1 },
  { of: ['new', 'known', 'refresh'], perMinute: 1, perDay: 7 / 8 },
  { of: ['new', 'refresh'], perMinute: 5 / 6, perDay: 3 / 4 },
  { of: ['new'], perMinute: 2 / 3, perDay: 2 / 3 },
  { of: ['refresh'], perMinute: 2 / 3, perDay: 2 / 3 },
];

/** Shares of one visitor. A refresh serves everybody, so it is nobody's own. */
const OWN: readonly Share[] = [
  { of: ['new', 'known'], perMinute: 1 / 2, perDay: 1 / 2 },
  { of: ['new'], perMinute: 1 / 3, perDay: 1 / 3 },
];

/**
 * Counts the requests that visitors cause, and refuses those beyond the budget. A 429 pauses all of them. Times are
 * monotonic, so a change of the system clock gives no room.
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

  /** Takes one request from the budget. An unknown visitor has no share of its own. @throws {Refusal} 503 if none is left. */
  take(purpose: Purpose, visitor: string | undefined): void {
    const now = performance.now();
    const limits = this.#limitsOf(visitor).filter(({ of }) => of.includes(purpose));
    const wait = Math.max(this.#pausedUntil, ...limits.map((limit) => limit.opensAt(now))) - now;
    if (wait > 0) throw busy(wait);
    for (const limit of limits) limit.add(now);
  }

  /** Says that a new query asked for something that exists: it counts as known from here on. */
  wasKnown(visitor: string | undefined): void {
    for (const { of, pace } of this.#limitsOf(visitor)) {
      if (of.includes('new') && !of.includes('known')) pace?.giveBack();
    }
  }

  /** Refuses every request for a while, because the service asked for it. A day is the longest pause. */
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
  /** `undefined` if a minute has no limit: the window would hold every request for nothing. */
  readonly #minute: SlidingWindow | undefined;
  readonly #perMinute: number;

  constructor({ of, perMinute, perDay }: Share, budget: Budget) {
    this.of = of;
    this.#perMinute = perMinute * budget.perMinute;
    this.#minute = Number.isFinite(this.#perMinute) ? new SlidingWindow(MINUTE) : undefined;
    this.pace = Number.isFinite(budget.perDay) ? new Pace(perDay * budget.perDay) : undefined;
  }

  /** When one more request has room: `now`, or later. */
  opensAt(now: number): number {
    return Math.max(this.pace?.opensAt(now) ?? now, this.#minute?.opensAt(this.#perMinute, now) ?? now);
  }

  add(now: number): void {
    this.#minute?.add(now);
    this.pace?.add(now);
  }
}

/**
 * Lets a quarter of a day's requests through at once and spreads the rest evenly over the day. So any 24 hours stay below
 * the limit, and somebody who uses up all of it closes the way for minutes, not until the next day.
 */
class Pace {
  /** How many requests may come at once. */
  readonly #burst: number;
  /** Milliseconds until one more request has room. */
  readonly #interval: number;
  /** When the whole burst has room again. */
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
