import { until } from './abort.js';
import { budgetOf, limiterOptionsOf, limitsOf, printBudget, storeProblem } from './budget.js';
import type { Call } from './call.js';
import { ConnectionError, RateLimitError, refusal } from './errors/index.js';
import { type AcquireOptions, limiterOf, type Release } from './limiter.js';
import { isCustomLimiter, type RateLimitOptions } from './options.js';
import { StoreFailure, sharedLimiterOf } from './shared-limiter.js';

/** Whether the client's own limiter counts the requests of a call. */
export function isLimited({ session, endpoint }: Call): boolean {
  return endpoint.permission !== null && limiterOptionsOf(session) !== undefined;
}

/** Makes every other call of the key wait, from now on, for as long as the service asked this call to wait. */
export function holdOthers({ session, config, holdBack }: Call): void {
  const { store } = limiterOptionsOf(session) ?? {};
  const { root, apiKey } = config;
  (store ? sharedLimiterOf(store, root, apiKey) : limiterOf(root, apiKey)).hold(holdBack);
}

/** Longest wait without a warning, in ms. */
const LONG_WAIT = 5_000;

/**
 * Warns that a call waits, unless an earlier warning covers this wait. So the calls behind it in the queue cause no
 * warning of their own, and a wait that ends clearly later does.
 */
async function warnOfWait(call: Call, delay: number): Promise<void> {
  const { session, endpoint, config, holdBack } = call;
  const end = performance.now() + delay;
  const isCovered = end <= (session.announcedUntil ?? 0) + LONG_WAIT;
  if (delay <= LONG_WAIT || isCovered || !config.log.has('warn')) return;
  session.announcedUntil = end;
  const isRefused = delay <= holdBack;
  // The store of the budget may fail. After a 429, the service knows better what is left.
  const budget = isRefused ? undefined : await budgetOf(session).catch(() => undefined);
  const left = budget ? ` (left: ${printBudget(budget)})` : '';
  const why = isRefused ? 'because the service refused its last request (429)' : 'for the request budget of its key';
  call.log(
    'warn',
    () =>
      `${endpoint.operation} waits ${Math.ceil(delay / 1000)} s ${why}${left}. ` +
      `Set \`${isRefused ? 'totalTimeout' : 'rateLimit.maxWait'}\` (ms) to fail instead of waiting that long.`,
  );
}

/** Waits until the budget of the key has room for the next attempt of a call. */
export async function admit(call: Call): Promise<void> {
  const { config, session } = call;
  const { signal } = call.controller;
  const { rateLimit } = config;
  if (isCustomLimiter(rateLimit)) await until(rateLimit.acquire({ signal }), signal);
  const options = limiterOptionsOf(session);
  if (!options || !isLimited(call)) return;
  const limits = () => limitsOf(session, options);
  call.release = await acquire(call, options, {
    limits,
    signal,
    isRetry: call.attempts > 0,
    holdBack: call.holdBack,
    timeout: call.timeout,
    onWait: (delay) => {
      // The `retry` event has announced the time that the service asked for.
      if (delay > call.holdBack) call.emit({ type: 'wait', delay }, call.attempts + 1);
      warnOfWait(call, delay);
    },
    refuse: (wait) => {
      const detail = `the limiter of this client has room in ${Math.ceil(wait / 1000)} s, which is longer than \`maxWait\``;
      return call.error(RateLimitError, detail, { ...refusal(429, detail), retryAfter: Math.ceil(wait) });
    },
  });
  // The call may have been aborted in the moment when it got its place.
  if (signal.aborted) call.release('unsent');
  signal.throwIfAborted();
}

/** What happens if the store of `rateLimit` fails. */
const ALONE =
  'Until it works again, this process counts its own requests, up to the limits divided by `rateLimit.instances`.';

async function acquire(call: Call, rateLimit: RateLimitOptions, options: AcquireOptions): Promise<Release> {
  const { root, apiKey } = call.config;
  const { store, onStoreError = 'local', instances = 1 } = rateLimit;
  if (!store) return limiterOf(root, apiKey).acquire(options);
  const share = () => {
    const { perMinute, perDay, ...others } = options.limits();
    return { ...others, perMinute: perMinute / instances, perDay: Math.max(1, perDay / instances) };
  };
  try {
    return await sharedLimiterOf(store, root, apiKey).acquire({
      ...options,
      share: onStoreError === 'local' ? share : undefined,
      onOutage: (failure) => call.log('warn', () => `${storeProblem(failure)}. ${ALONE}`),
    });
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    const effect = call.attempts === 0 ? 'No request was sent.' : 'The request was not repeated.';
    throw call.error(ConnectionError, storeProblem(error), {}, `${error.hint} ${effect}`.trim());
  }
}
