/** Why an attempt failed, as far as the policy cares. Empty: it broke, and nobody knows what became of it. */
export interface Failure {
  /** The request provably never left: refused connection, name not resolved. */
  unsent?: boolean;
  /** Of an answer. */
  status?: number;
  /** Milliseconds that the answer asks for. */
  retryAfter?: number | undefined;
  /** The status is 429 because a monthly quota is used up. */
  quota?: boolean;
}

/** A longer `Retry-After` is the caller's to wait out: a call that sleeps for hours looks like a hang. */
const LONGEST_RETRY_AFTER = 60_000;

/**
 * Milliseconds until a failed attempt (counted from 1) may be repeated, or `undefined` where it may not.
 * A costly write goes out again only after 429 and where it provably never left: anything else might do it twice.
 */
export function retryDelay(
  attempt: number,
  { unsent, status, retryAfter, quota }: Failure,
  { repeatable, maxRetries }: { repeatable: boolean; maxRetries: number },
  random = Math.random,
): number | undefined {
  const isTransient = status === undefined || /^(408|5(00|02|03|04))$/.test(`${status}`);
  const may = attempt <= maxRetries && (unsent || (status === 429 ? !quota : repeatable && isTransient));
  // 0.5 s, 1 s, 2 s … at most 8 s, of which a random part up to the half is taken off: clients must not march in step.
  const delay = retryAfter ?? Math.min(8_000, 500 * 2 ** (attempt - 1)) * (1 - random() / 2);
  return may && delay <= LONGEST_RETRY_AFTER ? delay : undefined;
}
