import { until } from '../abort.js';
import type { Call, Session, Stages } from '../call.js';
import { ConnectionError, RateLimitError, refusal } from '../errors/index.js';
import { callError } from '../failure.js';
import { type Budget, budgetOf, leftOf, limitsOf, NO_BUDGET, printBudget, storeProblem, usageOf } from './budget.js';
import { type AcquireOptions, limiterOf, type Release } from './local.js';
import { type CustomLimiter, isCustomLimiter, type RateLimitOptions } from './options.js';
import { StoreFailure, sharedLimiterOf } from './shared.js';

/** Longest wait without a warning, in ms. */
const LONG_WAIT = 5_000;

/** What happens if the store of `rateLimit` fails. */
const ALONE =
  'Until it works again, this process counts its own requests, up to the limits divided by `rateLimit.instances`.';

/** The stage of a call that keeps the calls of a client within the budget of its key. */
export class Admission implements NonNullable<Stages['limiter']> {
  readonly #custom: CustomLimiter | undefined;
  /** The options of the client's own limiter. `undefined` if it does not count the requests. */
  readonly #options: RateLimitOptions | undefined;
  /** The end of the last wait that a warning announced, by `performance.now()`. */
  #announcedUntil = 0;

  constructor(rateLimit: false | RateLimitOptions | CustomLimiter = {}) {
    if (isCustomLimiter(rateLimit)) this.#custom = rateLimit;
    else if (rateLimit) this.#options = rateLimit;
  }

  /** Waits until the budget of the key has room for the next attempt of a call. */
  async admit(call: Call): Promise<void> {
    const { signal } = call.controller;
    if (this.#custom) await until(this.#custom.acquire({ signal }), signal);
    const options = this.#optionsFor(call);
    if (!options) return;
    let announced = Number.NEGATIVE_INFINITY;
    call.release = await acquire(call, options, {
      limits: () => limitsOf(call.session, options),
      signal,
      isRetry: call.attempts > 0,
      holdBack: call.holdBack,
      timeout: call.timeout,
      onWait: (delay) => {
        // While a store fails, a call waits for its place again and again.
        const end = performance.now() + delay;
        if (end < announced + LONG_WAIT) return;
        announced = end;
        // The `retry` event has announced the time that the service asked for.
        if (delay > call.holdBack) call.emit({ type: 'wait', delay }, call.attempts + 1);
        this.#warnOfWait(call, delay);
      },
      refuse: (wait) => {
        const detail = `the limiter of this client has room in ${Math.ceil(wait / 1000)} s, which is longer than \`maxWait\``;
        return callError(call, RateLimitError, detail, { ...refusal(429, detail), retryAfter: Math.ceil(wait) });
      },
    });
    // The call may have been aborted in the moment when it got its place.
    if (signal.aborted) call.release('unsent');
    signal.throwIfAborted();
  }

  /** Makes every other call of the key wait, from now on, for as long as the service asked this call to wait. */
  hold(call: Call, ms: number): boolean {
    const options = this.#optionsFor(call);
    if (!options) return false;
    const { root, apiKey } = call.config;
    (options.store ? sharedLimiterOf(options.store, root, apiKey) : limiterOf(root, apiKey)).hold(ms);
    return true;
  }

  /** Returns what is left of the limits of the key. Sends no request. */
  async budget(session: Session): Promise<Budget> {
    const options = this.#options;
    return options ? budgetOf(session, options, await usageOf(session, options, 'budget')) : NO_BUDGET;
  }

  /** Returns the same at once. `undefined` if the limiter is off, or if a store counts the requests. */
  knownBudget(session: Session): Budget | undefined {
    const options = this.#options;
    if (!options || options.store) return undefined;
    const { root, apiKey } = session.config;
    return budgetOf(session, options, limiterOf(root, apiKey).usage());
  }

  /** Returns how many more requests may leave today. `undefined` if nothing limits them, or if calls wait for tomorrow. */
  async leftToday(session: Session, operation: string): Promise<number | undefined> {
    return this.#options && leftOf(session, this.#options, operation);
  }

  /** `GET /health` needs no key, so it does not count. */
  #optionsFor({ endpoint }: Call): RateLimitOptions | undefined {
    return endpoint.permission === null ? undefined : this.#options;
  }

  /**
   * Warns that a call waits, unless an earlier warning covers this wait. So the calls behind it in the queue cause no
   * warning of their own, and a wait that ends clearly later does.
   */
  #warnOfWait(call: Call, delay: number): void {
    const { session, endpoint, holdBack } = call;
    const end = performance.now() + delay;
    if (delay <= LONG_WAIT || end <= this.#announcedUntil + LONG_WAIT) return;
    this.#announcedUntil = end;
    const isRefused = delay <= holdBack;
    const text = async () => {
      // The store of the budget may fail. After a 429, the service knows better what is left.
      const budget = isRefused ? undefined : await this.budget(session).catch(() => undefined);
      const left = budget ? ` (left: ${printBudget(budget)})` : '';
      const why = isRefused
        ? 'because the service refused its last request (429)'
        : 'for the request budget of its key';
      const option = isRefused ? 'totalTimeout' : 'rateLimit.maxWait';
      const wait = `${endpoint.operation} waits ${Math.ceil(delay / 1000)} s ${why}${left}`;
      return `${wait}. Set \`${option}\` (ms) to fail instead of waiting that long.`;
    };
    call.emit({ type: 'warning', text });
  }
}

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
      onOutage: (failure) => call.emit({ type: 'warning', text: () => `${storeProblem(failure)}. ${ALONE}` }),
    });
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    const effect = call.attempts === 0 ? 'No request was sent.' : 'The request was not repeated.';
    throw callError(call, ConnectionError, storeProblem(error), {}, `${error.hint} ${effect}`.trim());
  }
}
