import { busy } from './refusal.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** What questions never asked before may take of the whole. */
const NEW = 2 / 3;

/** Counts the requests that visitors cause, in two exact sliding windows, and holds them back after a 429. */
export class Allowance {
  readonly #perMinute: number;
  readonly #perDay: number;
  #pausedUntil = 0;
  /** Times of the requests, oldest first. */
  #spent: number[] = [];

  constructor({ perMinute, perDay }: { perMinute: number; perDay: number }) {
    this.#perMinute = perMinute;
    this.#perDay = perDay;
  }

  /** Take one request. @throws {Refusal} 503 where none is left. */
  take(isNew: boolean): void {
    const now = Date.now();
    if (now < this.#pausedUntil) throw busy(this.#pausedUntil - now);
    const longest = Number.isFinite(this.#perDay) ? DAY : MINUTE;
    this.#spent = this.#spent.filter((time) => time > now - longest);
    const share = isNew ? NEW : 1;
    const wait = Math.max(
      this.#wait(now, MINUTE, Math.ceil(this.#perMinute * share)),
      this.#wait(now, DAY, Math.ceil(this.#perDay * share)),
    );
    if (wait > 0) throw busy(wait);
    if (Number.isFinite(this.#perMinute) || Number.isFinite(this.#perDay)) this.#spent.push(now);
  }

  /** Take none for a while: the service said so. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + Math.min(ms, DAY));
  }

  /** Milliseconds until fewer than `most` requests lie in the window. */
  #wait(now: number, window: number, most: number): number {
    const last = this.#spent.at(-most);
    return Number.isFinite(most) && last !== undefined ? Math.max(0, last + window - now) : 0;
  }
}
