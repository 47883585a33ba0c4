import { type ApiError, ConnectionError, type MultilocalError } from './errors/index.js';
import { parseHttpDate, partsOf } from './timestamps.js';

/**
 * Maximum `Retry-After` that the client waits for. A call that waits for hours looks like a hang, so the caller
 * decides.
 */
const LONGEST_RETRY_AFTER = 60_000;

/** Statuses after which another attempt may succeed. */
const RETRIED: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Whether another attempt may succeed: no response arrived, or it has one of these statuses. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  const { code, status = 0 } = Object(error) as Partial<ApiError>;
  return code !== 'quota_exceeded' && RETRIED.has(status);
}

/** Whether the service could not do its work, or did not respond in time: 408, any 5xx, or no response. */
export function isOutage(error: unknown): boolean {
  const { status = 0 } = Object(error) as Partial<ApiError>;
  return error instanceof ConnectionError || status === 408 || status >= 500;
}

/**
 * Returns the milliseconds until the next attempt, or `undefined` if the call must not be retried. `attempt` counts
 * from 1, and ky counts how many are allowed. A costly write is retried only if it provably did nothing (429, or never
 * sent). Otherwise it could happen twice.
 */
export function retryDelay(error: MultilocalError, attempt: number, repeatable: boolean): number | undefined {
  const isSafe = repeatable || error.outcome === 'not_applied';
  if (!isSafe || !isTransient(error)) return undefined;
  // 0.5 s, 1 s, 2 s … at most 8 s, shortened by a random part of up to half, so that clients do not retry all at once.
  const backoff = Math.min(8_000, 500 * 2 ** (attempt - 1)) * (1 - Math.random() / 2);
  const { retryAfter = backoff } = error as Partial<ApiError>;
  return retryAfter <= LONGEST_RETRY_AFTER ? retryAfter : undefined;
}

/**
 * Returns the wait in milliseconds that a `Retry-After` header asks for. The header holds seconds or one of the three
 * HTTP dates (0 if the date is past). Returns `undefined` for any other value: `Date.parse` would read `'3'` as a date. Of
 * several values, which a proxy has joined, the longest wait counts.
 *
 * `date` is the `Date` header of the same response, because the client's clock may be wrong by hours.
 */
export function parseRetryAfter(value: string | null, date: string | null = null): number | undefined {
  const waits = partsOf(value).flatMap((text) => {
    if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
    const at = parseHttpDate(text);
    return at === undefined ? [] : Math.max(0, at - (parseHttpDate(date) ?? Date.now()));
  });
  return waits.length > 0 ? Math.max(...waits) : undefined;
}
