import { fromMillis, type Micros } from './timestamps.js';

/** The mock's clock: starts where the options say, runs with real time, and can be moved forward. */
export interface Clock {
  /** The instant it started at: what the seed is laid out around. */
  readonly start: Micros;
  now(): Micros;
  advance(milliseconds: number): void;
  /**
   * The timestamp of one write: `at` (now, by default), moved on by as many microseconds as it takes to come
   * after every earlier one. So no two writes ever share an `updated_at` by chance.
   */
  stamp(at?: Micros): Micros;
}

export function createClock(startMillis: number): Clock {
  const start = fromMillis(startMillis);
  const realStart = Date.now();
  let advanced = 0;
  let latest = start;
  let last: Micros = start;
  let writes = 0;

  const now = (): Micros => {
    // A system clock set back must not take the mock's with it: scheduled work would be undone in appearance.
    latest = Math.max(latest, start + fromMillis(Date.now() - realStart + advanced));
    return latest;
  };
  return {
    start,
    now,
    advance(milliseconds) {
      advanced += milliseconds;
    },
    stamp(at) {
      // Digits below the millisecond, as a database gives them, so that a cursor cut to milliseconds shows.
      writes += 1;
      last = Math.max(at ?? now() + ((writes * 617) % 1000), last + 1);
      return last;
    },
  };
}
