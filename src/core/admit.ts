import { until } from './abort.js';
import type { Call } from './call.js';
import { RateLimitError, refusal } from './errors/index.js';
import { limiterOf } from './limiter.js';
import { isCustomLimiter, type RateLimitOptions } from './options.js';

/** Whether the client's own limiter counts the requests of a call. */
export function isLimited({ config, endpoint }: Call): boolean {
  const { rateLimit } = config;
  return rateLimit !== false && !isCustomLimiter(rateLimit) && endpoint.permission !== null;
}

/** Holds every other call of the key back, from now on, for as long as the service asked this one to wait. */
export function holdOthers({ config, holdBack }: Call): void {
  limiterOf(config.root, config.apiKey).hold(holdBack);
}

/** Waits until the budget of the key has room for the next attempt of a call. */
export async function admit(call: Call): Promise<void> {
  const { config, session } = call;
  const { signal } = call.controller;
  const { rateLimit } = config;
  if (isCustomLimiter(rateLimit)) await until(rateLimit.acquire({ signal }), signal);
  if (!isLimited(call)) return;
  call.release = await limiterOf(config.root, config.apiKey).acquire({
    limits: () => {
      const { per_minute = 60, per_day = 1000 } = session.identity?.rate_limits ?? {};
      const { perMinute = per_minute, perDay = per_day, maxWait = 600_000 } = rateLimit as RateLimitOptions;
      return { perMinute, perDay, maxWait };
    },
    signal,
    isRetry: call.attempts > 0,
    holdBack: call.holdBack,
    timeout: call.timeout,
    onWait: (delay) => call.emit({ type: 'wait', delay }, call.attempts + 1),
    refuse: (wait) => {
      const detail = `the client's own limiter has room in ${Math.ceil(wait / 1000)} s, over maxWait`;
      return call.error(RateLimitError, detail, { ...refusal(429, detail), retryAfter: Math.ceil(wait) });
    },
  });
  // The call may have ended while it was let in.
  if (signal.aborted) call.release('unsent');
  signal.throwIfAborted();
}
