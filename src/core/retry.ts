/** Why an attempt failed, as far as the policy cares. */
export type Failure =
  /** The request provably never left: refused connection, name not resolved. */
  | { kind: 'unsent' }
  /** Time-out, or a connection that broke after sending: nobody knows what became of it. */
  | { kind: 'broken' }
  /** An answer. `retryAfter` in ms; `quota`: the status is 429 because a monthly quota is used up. */
  | { kind: 'status'; status: number; retryAfter?: number | undefined; quota?: boolean };

/** What the policy needs to know of a call. */
export interface RetryRules {
  /** Sending it twice does no more than sending it once: reads, PUT, DELETE, `articles.confirm`, dry runs. */
  repeatable: boolean;
  maxRetries: number;
}

export type Decision = { retryAfter: number } | 'stop';

/** A longer `Retry-After` is the caller's to wait out: a call that sleeps for hours looks like a hang. */
const LONGEST_RETRY_AFTER = 60_000;
const TRANSIENT = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Decide what follows a failed attempt (`attempt` counts from 1).
 * A costly write goes out again only after 429 and where it provably never left: anything else might do it twice.
 */
export function decide(rules: RetryRules, attempt: number, failure: Failure, random = Math.random): Decision {
  if (attempt > rules.maxRetries || !mayRepeat(rules.repeatable, failure)) return 'stop';
  const asked = failure.kind === 'status' ? failure.retryAfter : undefined;
  if (asked === undefined) return { retryAfter: backoff(attempt, random) };
  return asked > LONGEST_RETRY_AFTER ? 'stop' : { retryAfter: asked };
}

function mayRepeat(repeatable: boolean, failure: Failure): boolean {
  if (failure.kind === 'unsent') return true;
  if (failure.kind === 'broken') return repeatable;
  if (failure.quota) return false;
  return failure.status === 429 || (repeatable && TRANSIENT.has(failure.status));
}

/** 0.5 s, 1 s, 2 s … at most 8 s, of which a random part up to the half is taken off so that clients do not march in step. */
function backoff(attempt: number, random: () => number): number {
  return Math.min(8_000, 500 * 2 ** (attempt - 1)) * (1 - random() / 2);
}
