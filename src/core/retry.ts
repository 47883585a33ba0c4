import { type ApiError, ConnectionError, type MultilocalError, QuotaExceededError } from './errors/index.js';
import { isUntrusted } from './network.js';

/** A longer `Retry-After` is the caller's to wait out: a call that sleeps for hours looks like a hang. */
const LONGEST_RETRY_AFTER = 60_000;

/** Statuses of which the next attempt may fare better. */
const RETRIED: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Whether the next attempt may fare better: no response came, or one of such a status. A monthly quota stays used up, and
 * a certificate stays as it is.
 */
export function isPassing(error: unknown, isPassingStatus = (status: number) => RETRIED.has(status)): boolean {
  if (error instanceof QuotaExceededError) return false;
  if (error instanceof ConnectionError) return !isUntrusted(error.cause);
  return isPassingStatus((Object(error) as Partial<ApiError>).status ?? 0);
}

/**
 * Milliseconds until a failed attempt (counted from 1) may be repeated, `undefined` if it may not.
 * A costly write is sent again only if it provably did nothing (429, or never sent): else it might be done twice.
 */
export function retryDelay(
  error: MultilocalError,
  attempt: number,
  repeatable: boolean,
  maxRetries: number,
): number | undefined {
  const isSafe = repeatable || error.outcome === 'not_applied';
  if (attempt > maxRetries || !isSafe || !isPassing(error)) return undefined;
  // 0.5 s, 1 s, 2 s … at most 8 s, of which a random part of up to the half is taken off: clients must not march in step.
  const backoff = Math.min(8_000, 500 * 2 ** (attempt - 1)) * (1 - Math.random() / 2);
  const { retryAfter = backoff } = error as Partial<ApiError>;
  return retryAfter <= LONGEST_RETRY_AFTER ? retryAfter : undefined;
}

/** IMF-fixdate and RFC 850 end in GMT; asctime ends in its year and means it. */
const HTTP_DATE = /^[A-Z][a-z]+,? .*\d(:\d\d){2} (GMT|\d{4})$/;

/**
 * Milliseconds that a `Retry-After` header asks for: seconds, or one of the three HTTP dates (0 if past).
 * `undefined` for anything else: `Date.parse` would read `'3'` as a year.
 *
 * `date` is the `Date` header of the same response: the clock of the client may be wrong by hours.
 */
export function parseRetryAfter(value: string | null, date: string | null = null): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = parseHttpDate(text);
  return at === undefined ? undefined : Math.max(0, at - (parseHttpDate(date ?? '') ?? Date.now()));
}

function parseHttpDate(text: string): number | undefined {
  const at = HTTP_DATE.test(text) ? Date.parse(text.replace(/(\d)$/, '$1 GMT')) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
