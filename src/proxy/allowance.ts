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
  /** For what exists and cannot be sent from the cache: the plain list, or an article that a response has shown. */
  | 'known'
  /** Replaces a cached response that is sent meanwhile. */
  | 'refresh';

/** What the budget allows in a minute and in a day. */
export interface Budget {
  perMinute: number;
  perDay: number;
}

/** A part of the budget that some purposes share. */
interface Share {
  of: readonly Purpose[];
  part: number;
  /** Whether the requests of a day are spread over it: see {@link Pace}. */
  isPaced?: boolean;
}

/**
 * Shares of all visitors together. Whatever visitors invent or keep fresh, a sixth of the budget is left for articles
 * that exist; and neither of the two can take the other's whole share.
 */
const COMMON: readonly Share[] = [
  { of: ['new', 'known', 'refresh'], part: 1 },
  { of: ['new', 'refresh'], part: 5 / 6, isPaced: true },
  { of: ['new'], part: 2 / 3, isPaced: true },
  { of: ['refresh'], part: 2 / 3, isPaced: true },
];

/** Shares of one visitor. A refresh serves everybody, so it is nobody's own. */
const OWN: readonly Share[] = [
  { of: ['new', 'known'], part: 1 / 2 },
  { of: ['new'], part: 1 / 3, isPaced: true },
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

  /** Says that a new query asked for something that exists: such queries do not use up the day of the new ones. */
  wasKnown(visitor: string | undefined): void {
    for (const { of, pace } of this.#limitsOf(visitor)) if (of.includes('new')) pace?.giveBack();
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
  /** `undefined` if the day is not paced or has no limit. */
  readonly pace: Pace | undefined;
  readonly #windows: readonly { window: SlidingWindow; max: number }[];

  constructor({ of, part, isPaced = false }: Share, { perMinute, perDay }: Budget) {
    this.of = of;
    const windows = [{ window: new SlidingWindow(MINUTE), max: perMinute * part }];
    if (isPaced) this.pace = Number.isFinite(perDay) ? new Pace(perDay * part) : undefined;
    else windows.push({ window: new SlidingWindow(DAY), max: perDay * part });
    // A window without a limit would hold every request of its length for nothing.
    this.#windows = windows.filter(({ max }) => Number.isFinite(max));
  }

  /** When one more request has room: `now`, or later. */
  opensAt(now: number): number {
    return Math.max(
      this.pace?.opensAt(now) ?? now,
      ...this.#windows.map(({ window, max }) => window.opensAt(max, now)),
    );
  }

  add(now: number): void {
    for (const { window } of this.#windows) window.add(now);
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
