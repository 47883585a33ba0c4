import { SlidingWindow } from '../core/sliding-window.js';
import { busy } from './refusal.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Queries that are not in the cache may take this share of the budget; the rest is kept for revalidations. */
const NEW_SHARE = 2 / 3;

/**
 * Counts the requests that visitors cause, and refuses those beyond the budget. A 429 pauses all of them. Times are
 * monotonic, so a change of the system clock gives no room.
 */
export class Allowance {
  readonly #limits: readonly { window: SlidingWindow; max: number }[];
  #pausedUntil = 0;

  constructor({ perMinute, perDay }: { perMinute: number; perDay: number }) {
    const limits = [
      { window: new SlidingWindow(MINUTE), max: perMinute },
      { window: new SlidingWindow(DAY), max: perDay },
    ];
    // A window without a limit would hold every request of its length for nothing.
    this.#limits = limits.filter(({ max }) => Number.isFinite(max));
  }

  /** Takes one request from the budget. @throws {Refusal} 503 if none is left. */
  take(isNew: boolean): void {
    const now = performance.now();
    const share = isNew ? NEW_SHARE : 1;
    const opensAt = this.#limits.map(({ window, max }) => window.opensAt(max * share, now));
    const wait = Math.max(this.#pausedUntil, ...opensAt) - now;
    if (wait > 0) throw busy(wait);
    for (const { window } of this.#limits) window.add(now);
  }

  /** Refuses every request for a while, because the service asked for it. A day is the longest pause. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + Math.min(ms, DAY));
  }
}
