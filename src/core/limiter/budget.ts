import type { Session } from '../call.js';
import { ConnectionError } from '../errors/index.js';
import { type Limits, limiterOf } from './local.js';
import type { RateLimitOptions } from './options.js';
import { type StoreFailure, sharedLimiterOf } from './shared.js';
import type { Usage } from './store.js';

/** The requests of a sliding window. */
export interface BudgetWindow {
  /** Maximum number of requests in the window. `Infinity` if the client's limiter sets none. */
  limit: number;
  /** Number of requests in the window, including those in flight. 0 if the client's limiter is off. */
  used: number;
  /** Number of requests that this client can send now. `reserve` is not part of it. */
  left: number;
}

/** What the limiter of a client knows about its key. */
export interface Budget {
  /** The last 60 s. */
  minute: BudgetWindow;
  /** The last 24 h. */
  day: BudgetWindow;
}

const DAY = 86_400_000;

const UNLIMITED: BudgetWindow = { limit: Number.POSITIVE_INFINITY, used: 0, left: Number.POSITIVE_INFINITY };
/** The budget of a client whose own limiter does not count the requests. */
export const NO_BUDGET: Budget = { minute: UNLIMITED, day: UNLIMITED };

/** Returns the limits of the key as its client knows them. */
export function limitsOf({ identity }: Session, options: RateLimitOptions): Required<Limits> {
  const { per_minute = 0, per_day = 0 } = identity?.rate_limits ?? {};
  // A reported limit of 0 or -1 means that the limit is unknown. As a limit, it would block the client forever.
  const { perMinute = per_minute > 0 ? per_minute : 60, perDay = per_day > 0 ? per_day : 1000 } = options;
  return { perMinute, perDay, reserve: options.reserve ?? 0, maxWait: options.maxWait ?? 600_000 };
}

/** Returns what the requests that count leave of the limits of the key. */
export function budgetOf(session: Session, options: RateLimitOptions, { used }: Usage): Budget {
  const { perMinute, perDay, reserve } = limitsOf(session, options);
  const windowOf = (limit: number, kept: number, count = 0) => {
    return { limit, used: count, left: Math.max(0, Math.floor(limit - kept - count)) };
  };
  return { minute: windowOf(perMinute, reserve, used[0]), day: windowOf(perDay, 0, used[1]) };
}

/** Writes what is left: `48 of 60 a minute, 940 of 1000 a day`. Windows without a limit are left out. */
export function printBudget({ minute, day }: Budget): string {
  return Object.entries({ minute, day })
    .filter(([, { limit }]) => Number.isFinite(limit))
    .map(([name, { left, limit }]) => `${left} of ${limit} a ${name}`)
    .join(', ');
}

/**
 * Returns how many more requests may leave today. `undefined` if nothing limits them, or if calls wait for the next
 * day.
 */
export async function leftOf(
  session: Session,
  options: RateLimitOptions,
  operation: string,
): Promise<number | undefined> {
  const { perDay, maxWait } = limitsOf(session, options);
  if (perDay === Number.POSITIVE_INFINITY || maxWait >= DAY) return undefined;
  const { used, waiting } = await usageOf(session, options, operation);
  return Math.max(0, Math.floor(perDay) - (used[1] ?? 0) - waiting);
}

/** Counts the requests of the key, those of other processes included if there is a store. */
export async function usageOf({ config }: Session, options: RateLimitOptions, operation: string): Promise<Usage> {
  const { root, apiKey } = config;
  const local = limiterOf(root, apiKey);
  if (!options.store) return local.usage();
  try {
    return await sharedLimiterOf(options.store, root, apiKey).usage();
  } catch (thrown) {
    if (options.onStoreError !== 'throw') return local.usage();
    throw new ConnectionError(`${operation}: ${storeProblem(thrown as StoreFailure)}.`, { operation });
  }
}

/** Describes a failure of the store in the middle of a sentence. */
export function storeProblem({ message }: StoreFailure): string {
  return `the rate limit store failed: ${message}`;
}
