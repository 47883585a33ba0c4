import { until } from './abort.js';
import type { Call, Session } from './call.js';
import { RateLimitError, refusal } from './errors/index.js';
import { type Limits, limiterOf } from './limiter.js';
import { isCustomLimiter } from './options.js';

/**
 * Returns the limits of the key as its client knows them. `undefined` if the client's own limiter does not count its
 * requests.
 */
function limitsOf({ config, identity }: Session): Limits | undefined {
  const { rateLimit } = config;
  if (rateLimit === false || isCustomLimiter(rateLimit)) return undefined;
  const { per_minute = 0, per_day = 0 } = identity?.rate_limits ?? {};
  // A reported limit of 0 or -1 means that the limit is unknown. As a limit, it would block the client forever.
  const { perMinute = per_minute > 0 ? per_minute : 60, perDay = per_day > 0 ? per_day : 1000 } = rateLimit;
  return { perMinute, perDay, maxWait: rateLimit.maxWait ?? 600_000 };
}

const DAY = 86_400_000;

/**
 * Returns how many more requests the client may send today. `undefined` if nothing limits them, or if calls wait for
 * the next day.
 */
export function leftToday(session: Session): number | undefined {
  const limits = limitsOf(session);
  if (!limits || limits.perDay === Number.POSITIVE_INFINITY || limits.maxWait >= DAY) return undefined;
  return limiterOf(session.config.root, session.config.apiKey).left(limits);
}

/** Whether the client's own limiter counts the requests of a call. */
export function isLimited({ session, endpoint }: Call): boolean {
  return endpoint.permission !== null && limitsOf(session) !== undefined;
}

/** Makes every other call of the key wait, from now on, for as long as the service asked this call to wait. */
export function holdOthers({ config, holdBack }: Call): void {
  limiterOf(config.root, config.apiKey).hold(holdBack);
}

/** Longest wait without a warning, in ms. */
const LONG_WAIT = 5_000;

/** Warns that a call waits. While an announced wait lasts, the calls behind it in the queue cause no warning. */
function warnOfWait({ session, endpoint }: Call, delay: number): void {
  const now = performance.now();
  if (delay <= LONG_WAIT || now < (session.announcedUntil ?? 0)) return;
  session.announcedUntil = now + delay;
  const { perMinute, perDay } = limitsOf(session) as Limits;
  console.warn(
    `multilocal: ${endpoint.operation} waits ${Math.ceil(delay / 1000)} s for the request budget of its key ` +
      `(${perMinute} a minute, ${perDay} a day). Set \`rateLimit.maxWait\` (ms) to fail instead of waiting that long.`,
  );
}

/** Waits until the budget of the key has room for the next attempt of a call. */
export async function admit(call: Call): Promise<void> {
  const { config, session } = call;
  const { signal } = call.controller;
  const { rateLimit } = config;
  if (isCustomLimiter(rateLimit)) await until(rateLimit.acquire({ signal }), signal);
  if (!isLimited(call)) return;
  call.release = await limiterOf(config.root, config.apiKey).acquire({
    limits: () => limitsOf(session) as Limits,
    signal,
    isRetry: call.attempts > 0,
    holdBack: call.holdBack,
    timeout: call.timeout,
    onWait: (delay) => {
      call.emit({ type: 'wait', delay }, call.attempts + 1);
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
