import { HttpError } from './http.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The limits that the mock reports if it counts nothing. */
export const UNCOUNTED = { perMinute: 60, perDay: 1000 };

/** Two exact sliding windows per key. A request leaves a window when it is exactly as old as the window is long. */
export class RateLimit {
  readonly #limits: { readonly perMinute: number; readonly perDay: number } | undefined;
  readonly #accepted = new Map<string, number[]>();

  constructor(limits: { readonly perMinute: number; readonly perDay: number } | undefined) {
    this.#limits = limits;
  }

  /** Counts one request, or throws the 429. A refused request does not count, so the time in `Retry-After` is always enough. */
  take(key: string, now: number): void {
    if (this.#limits === undefined) return;
    const { perMinute, perDay } = this.#limits;
    const accepted = (this.#accepted.get(key) ?? []).filter((at) => at > now - DAY);
    this.#accepted.set(key, accepted);
    const day = waitFor(accepted, perDay, DAY, now);
    const minute = waitFor(accepted, perMinute, MINUTE, now);
    if (day > 0 || minute > 0) {
      const seconds = Math.ceil(Math.max(day, minute) / 1000);
      const limit = minute > day ? `${perMinute} par minute` : `${perDay} par jour`;
      const detail = `Limite de requêtes dépassée (${limit}). Réessayez dans ${seconds} s.`;
      throw new HttpError(429, detail, {}, { 'retry-after': String(seconds) });
    }
    accepted.push(now);
  }

  /** The requests that are left in the minute of a key, and the seconds until there are more. */
  left(key: string | null, now: number) {
    const { perMinute } = this.#limits ?? UNCOUNTED;
    const counted = (this.#accepted.get(key ?? '') ?? []).filter((at) => at > now - MINUTE);
    const [oldest = now] = counted;
    return {
      limit: perMinute,
      remaining: perMinute - counted.length,
      reset: Math.ceil((oldest + MINUTE - now) / 1000),
    };
  }
}

/** Milliseconds until a window of `limit` requests has room again; 0 if it has room. */
function waitFor(accepted: readonly number[], limit: number, length: number, now: number): number {
  const oldest = accepted[accepted.length - limit];
  return oldest === undefined ? 0 : Math.max(0, oldest + length - now);
}
