import type { Session } from './call.js';
import { ConnectionError, type ErrorContext } from './errors/index.js';
import { type Limits, limiterOf } from './limiter.js';
import { isCustomLimiter, type RateLimitOptions } from './options.js';
import type { Usage } from './rate-limit-store.js';
import { type StoreFailure, sharedLimiterOf } from './shared-limiter.js';

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

/** Returns the options of the client's own limiter. `undefined` if it does not count the requests. */
export function limiterOptionsOf({ config }: Session): RateLimitOptions | undefined {
  return config.rateLimit === false || isCustomLimiter(config.rateLimit) ? undefined : config.rateLimit;
}

/** Returns the limits of the key as its client knows them. */
export function limitsOf({ identity }: Session, options: RateLimitOptions): Required<Limits> {
  const { per_minute = 0, per_day = 0 } = identity?.rate_limits ?? {};
  // A reported limit of 0 or -1 means that the limit is unknown. As a limit, it would block the client forever.
  const { perMinute = per_minute > 0 ? per_minute : 60, perDay = per_day > 0 ? per_day : 1000 } = options;
  return { perMinute, perDay, reserve: options.reserve ?? 0, maxWait: options.maxWait ?? 600_000 };
}

/** Returns what is left of the limits of the key. Sends no request. */
export async function budgetOf(session: Session): Promise<Budget> {
  const options = limiterOptionsOf(session);
  const none = { limit: Number.POSITIVE_INFINITY, used: 0, left: Number.POSITIVE_INFINITY };
  if (!options) return { minute: none, day: none };
  return windowsOf(session, options, await usageOf(session, options, { operation: 'budget' }));
}

/** Returns the same at once. `undefined` if the limiter is off, or if a store counts the requests. */
export function knownBudget(session: Session): Budget | undefined {
  const options = limiterOptionsOf(session);
  if (!options || options.store) return undefined;
  const { root, apiKey } = session.config;
  return windowsOf(session, options, limiterOf(root, apiKey).usage());
}

/** Writes what is left: `48 of 60 a minute, 940 of 1000 a day`. Windows without a limit are left out. */
export function printBudget({ minute, day }: Budget): string {
  return Object.entries({ minute, day })
    .filter(([, { limit }]) => Number.isFinite(limit))
    .map(([name, { left, limit }]) => `${left} of ${limit} a ${name}`)
    .join(', ');
}

function windowsOf(session: Session, options: RateLimitOptions, { used }: Usage): Budget {
  const { perMinute, perDay, reserve } = limitsOf(session, options);
  const windowOf = (limit: number, kept: number, count = 0) => {
    return { limit, used: count, left: Math.max(0, Math.floor(limit - kept - count)) };
  };
  return { minute: windowOf(perMinute, reserve, used[0]), day: windowOf(perDay, 0, used[1]) };
}

/**
 * Returns how many more requests the client may send today. `undefined` if nothing limits them, or if calls wait for
 * the next day.
 */
export async function leftToday(session: Session, operation: string): Promise<number | undefined> {
  const options = limiterOptionsOf(session);
  const limits = options && limitsOf(session, options);
  if (!limits || limits.perDay === Number.POSITIVE_INFINITY || limits.maxWait >= DAY) return undefined;
  const { used, waiting } = await usageOf(session, options, { operation });
  return Math.max(0, Math.floor(limits.perDay) - (used[1] ?? 0) - waiting);
}

async function usageOf({ config }: Session, options: RateLimitOptions, context: ErrorContext): Promise<Usage> {
  const { root, apiKey } = config;
  const local = limiterOf(root, apiKey);
  if (!options.store) return local.usage();
  try {
    return await sharedLimiterOf(options.store, root, apiKey).usage();
  } catch (thrown) {
    if (options.onStoreError !== 'throw') return local.usage();
    throw new ConnectionError(`${context.operation}: ${storeProblem(thrown as StoreFailure)}.`, context);
  }
}

/** Describes a failure of the store in the middle of a sentence. */
export function storeProblem({ message }: StoreFailure): string {
  return `the rate limit store failed: ${message}`;
}
