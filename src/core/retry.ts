import { type ApiError, ConnectionError, type MultilocalError, QuotaExceededError } from './errors/index.js';

/** A longer `Retry-After` is the caller's to wait out: a call that sleeps for hours looks like a hang. */
const LONGEST_RETRY_AFTER = 60_000;

/** Whether the next attempt may fare better: no answer came, or one of such a status. A monthly quota stays used up. */
export function passes(error: unknown, statuses: RegExp): boolean {
  if (error instanceof QuotaExceededError) return false;
  return error instanceof ConnectionError || statuses.test(`${Object(error).status}`);
}

/**
 * Milliseconds until a failed attempt (counted from 1) may be repeated, or `undefined` where it may not.
 * A costly write goes out again only where it provably did nothing (429, or never sent): else it might be done twice.
 */
export function retryDelay(
  error: MultilocalError,
  attempt: number,
  repeatable: boolean,
  maxRetries: number,
): number | undefined {
  const isSafe = repeatable || error.outcome === 'not_applied';
  if (attempt > maxRetries || !isSafe || !passes(error, /^(408|429|50[0234])$/)) return undefined;
  // 0.5 s, 1 s, 2 s … at most 8 s, of which a random part up to the half is taken off: clients must not march in step.
  const backoff = Math.min(8_000, 500 * 2 ** (attempt - 1)) * (1 - Math.random() / 2);
  const { retryAfter = backoff } = error as Partial<ApiError>;
  return retryAfter <= LONGEST_RETRY_AFTER ? retryAfter : undefined;
}
