import * as z from 'zod/mini';
import { until } from '../core/abort.js';
import type { Call, Session, Stages } from '../core/call.js';
import { ConnectionError, RateLimitError, refusal } from '../core/errors/index.js';
import { callError } from '../core/failure.js';
import type { RateLimitStore, Usage } from '../core/limiter/book.js';
import type { KnownLimits } from '../core/limiter/limits.js';
import { type Account, type AcquireOptions, accountOf, type Release } from '../core/limiter/queue.js';
import * as s from '../core/schema.js';
import { DAY } from '../core/timestamps.js';

/** A limiter of your own, for example one that several processes share. */
export interface CustomLimiter {
  /** Resolves when the next request may be sent. The client calls it before every attempt. */
  acquire(options: { signal?: AbortSignal | undefined }): Promise<void>;
}

/**
 * The request budget of a client. Where clients of one key know different limits, the lowest ones apply to all. A client
 * that knows none follows the others.
 */
export interface RateLimitOptions {
  /** Requests per minute. Default: the identity's `rate_limits`, or 60 if no client of the key knows a limit. */
  perMinute?: number | undefined;
  /** Requests per day. Default: the identity's `rate_limits`, or 1000 if no client of the key knows a limit. */
  perDay?: number | undefined;
  /**
   * Maximum wait in ms. A call that would wait longer fails at once with a `RateLimitError`. A call that already waits
   * fails after this time if other calls of the key delay it. Default 600 000.
   */
  maxWait?: number | undefined;
  /**
   * Number of places of the minute that this client leaves to others. Set it for background jobs, so that clients
   * without it, which serve people, need not wait. Default 0. At least one place stays for the client.
   */
  reserve?: number | undefined;
  /**
   * Counts the requests of all processes and machines that use the key, such as `redisStore` from `multilocal/redis`.
   * Default: this thread counts its own requests.
   */
  store?: RateLimitStore | undefined;
  /**
   * What to do if the store fails, which includes a call that takes longer than 2 s. `'local'`: this process counts its
   * own requests, up to the limits divided by `instances`, and asks the store again within 15 s. `'throw'`: calls fail
   * with a `ConnectionError`, and nothing is sent. Default `'local'`.
   */
  onStoreError?: 'local' | 'throw' | undefined;
  /** Number of processes that share the key. It matters only while the store fails. Default 1. */
  instances?: number | undefined;
}

const count = z.optional(s.atLeast(1));

/** The schema of the option `rateLimit`. */
export const rateLimitSchema = z.optional(
  s.anyOf(
    [
      s.only(false),
      z.custom<CustomLimiter>(isCustomLimiter, s.must('{ acquire }')),
      s.params({
        perMinute: count,
        perDay: count,
        maxWait: z.optional(s.atLeast(0)),
        reserve: z.optional(s.int(0)),
        store: z.optional(z.custom<RateLimitStore>(isStore, s.must('a store, such as redisStore(evalFunction)'))),
        onStoreError: z.optional(s.oneOf(['local', 'throw'])),
        instances: z.optional(s.int(1)),
      }),
    ],
    'false, { acquire } or { perMinute, perDay, maxWait, reserve, store, onStoreError, instances }',
  ),
);

function isCustomLimiter(value: unknown): value is CustomLimiter {
  return typeof (value as CustomLimiter | null | undefined)?.acquire === 'function';
}

function isStore(value: unknown): boolean {
  const { take, settle, hold } = Object(value) as Partial<RateLimitStore>;
  return [take, settle, hold].every((method) => typeof method === 'function');
}

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

/** Longest wait without a warning, in ms. */
const LONG_WAIT = 5_000;
/** The default of `maxWait`, in ms. */
export const MAX_WAIT = 600_000;
const UNLIMITED: BudgetWindow = { limit: Number.POSITIVE_INFINITY, used: 0, left: Number.POSITIVE_INFINITY };

/** Writes what is left: `48 of 60 a minute, 940 of 1000 a day`. Windows without a limit are left out. */
export function printBudget({ minute, day }: Budget): string {
  return Object.entries({ minute, day })
    .filter(([, { limit }]) => Number.isFinite(limit))
    .map(([name, { left, limit }]) => `${left} of ${limit} a ${name}`)
    .join(', ');
}

/** The stage of a call that keeps the calls of a client within the budget of its key. */
export class Admission implements NonNullable<Stages['limiter']> {
  readonly #custom: CustomLimiter | undefined;
  /** The options of the client's own limiter. `undefined` if it does not count the requests. */
  readonly #options: RateLimitOptions | undefined;
  readonly #maxWait: number;
  #limits: (() => KnownLimits) | undefined;
  /** How a front says that a call waits. `isRefused`: because of a 429, not for the budget of its key. */
  words?: (operation: string, seconds: number, isRefused: boolean, budget: Budget | undefined) => string;
  /** The end of the last wait that a warning announced, by `performance.now()`. */
  #announcedUntil = 0;

  constructor(rateLimit: false | RateLimitOptions | CustomLimiter = {}) {
    if (isCustomLimiter(rateLimit)) this.#custom = rateLimit;
    else if (rateLimit) this.#options = rateLimit;
    this.#maxWait = this.#options?.maxWait ?? MAX_WAIT;
  }

  /** Waits until the budget of the key has room for the next attempt of a call. */
  async admit(call: Call, waiting: Pick<AcquireOptions, 'signal' | 'pause'>): Promise<Release | undefined> {
    if (this.#custom) await acquire(this.#custom, call, waiting.signal);
    // `GET /health` needs no key, so it does not count.
    if (!this.#counts(call)) return undefined;
    const { signal, pause } = waiting;
    return account(call.session).acquire({
      limits: this.#limitsOf(call.session),
      maxWait: this.#maxWait,
      signal,
      retry: call.attempts > 0,
      pause,
      timeout: call.timeout,
      onWait: (delay) => {
        // The `retry` event has announced the time that the service asked for.
        if (delay > pause) call.emit({ type: 'wait', delay }, call.attempts + 1);
        this.#warnOfWait(call, delay, pause);
      },
      refuse: (wait) => {
        const detail = `the limiter of this client has room in ${Math.ceil(wait / 1000)} s, which is longer than \`maxWait\``;
        const fields = { ...refusal(429, detail), retryAfter: Math.ceil(wait) };
        const known = this.knownBudget(call.session);
        const hints = [known && `Left: ${printBudget(known)}.`, call.attempts === 0 && 'Nothing was sent.'];
        return callError(call, RateLimitError, detail, fields, hints.filter(Boolean).join(' '));
      },
      ...(this.#options?.store && { shared: shared(call, this.#options.store, this.#options) }),
    });
  }

  /** Makes every other call of the key wait for as long as the service asked this one to. */
  hold(call: Call, ms: number): boolean | undefined {
    if (!this.#counts(call)) return undefined;
    account(call.session).hold(ms, this.#options?.store);
    return ms <= this.#maxWait;
  }

  /** Notes the limits of an identity that has become known, for all clients of the key. */
  learn(session: Session): void {
    if (this.#options) account(session).learn(this.#limitsOf(session));
  }

  /** Returns what is left of the limits of the key. Sends no request. */
  async budget(session: Session): Promise<Budget> {
    return this.#budgetOf(session, this.#options && (await this.#usage(session, 'budget')));
  }

  /** Returns the same at once. `undefined` if the limiter is off, or if a store counts the requests. */
  knownBudget(session: Session): Budget | undefined {
    if (!this.#options || this.#options.store) return undefined;
    return this.#budgetOf(session, account(session).ownUsage());
  }

  /** How many more requests may leave today. `undefined` if nothing limits them, or if calls wait for tomorrow. */
  async leftToday(session: Session, operation: string): Promise<number | undefined> {
    if (!this.#options || this.#maxWait >= DAY) return undefined;
    const { perDay } = account(session).limits(this.#limitsOf(session));
    if (perDay === Number.POSITIVE_INFINITY) return undefined;
    const { used, waiting } = await this.#usage(session, operation);
    return Math.max(0, Math.floor(perDay) - (used[1] ?? 0) - waiting);
  }

  #counts({ endpoint }: Call): boolean {
    return this.#options !== undefined && endpoint.permission !== null;
  }

  /** What this client knows of the limits of the key. This function identifies the client in the account. */
  #limitsOf(session: Session): () => KnownLimits {
    this.#limits ??= () => {
      const { perMinute, perDay, reserve = 0 } = this.#options ?? {};
      const { per_minute = 0, per_day = 0 } = session.identity?.rate_limits ?? {};
      // A reported limit of 0 or -1 means that the limit is unknown. As a limit, it would block the client forever.
      const reported = (limit: number) => (limit > 0 ? limit : undefined);
      return { perMinute: perMinute ?? reported(per_minute), perDay: perDay ?? reported(per_day), reserve };
    };
    return this.#limits;
  }

  #budgetOf(session: Session, usage: Usage | undefined): Budget {
    if (!usage) return { minute: UNLIMITED, day: UNLIMITED };
    const { perMinute, perDay, reserve } = account(session).limits(this.#limitsOf(session));
    const windowOf = (limit: number, kept: number, count = 0) => {
      return { limit, used: count, left: Math.max(0, Math.floor(limit - kept - count)) };
    };
    return { minute: windowOf(perMinute, reserve, usage.used[0]), day: windowOf(perDay, 0, usage.used[1]) };
  }

  /** Counts the requests of the key, with a store in all processes. */
  async #usage(session: Session, operation: string): Promise<Usage> {
    try {
      return await account(session).usage(this.#options?.store);
    } catch (thrown) {
      if (this.#options?.onStoreError !== 'throw') return account(session).ownUsage();
      throw new ConnectionError(`${operation}: ${storeProblem(thrown as Error)}.`, { operation });
    }
  }

  /**
   * Warns that a call waits, unless an earlier warning covers this wait. So the calls behind it in the queue cause no
   * warning of their own, and a wait that ends clearly later does.
   */
  #warnOfWait(call: Call, delay: number, pause: number): void {
    const { session, endpoint } = call;
    const end = performance.now() + delay;
    if (delay <= LONG_WAIT || end <= this.#announcedUntil + LONG_WAIT) return;
    this.#announcedUntil = end;
    const isRefused = delay <= pause;
    const text = async () => {
      // The store of the budget may fail. After a 429, the service knows better what is left.
      const budget = isRefused ? undefined : await this.budget(session).catch(() => undefined);
      const seconds = Math.ceil(delay / 1000);
      if (this.words) return this.words(endpoint.operation, seconds, isRefused, budget);
      const left = budget ? ` (left: ${printBudget(budget)})` : '';
      const why = isRefused ? 'because the service answered 429' : 'for the request budget of its key';
      return `${endpoint.operation} waits ${seconds} s ${why}${left}. Set \`rateLimit.maxWait\` (ms) to fail instead.`;
    };
    call.emit({ type: 'warning', text });
  }
}

/** Asks a limiter of the caller. What it throws says nothing about the requests that were sent before. */
async function acquire(limiter: CustomLimiter, call: Call, signal: AbortSignal): Promise<void> {
  try {
    await until(limiter.acquire({ signal }), signal);
  } catch (thrown) {
    signal.throwIfAborted();
    const message = call.redactor.beginning(String(Object(thrown).message ?? thrown));
    throw callError(call, ConnectionError, `the limiter failed: ${message}`, { cause: thrown });
  }
}

function account({ config }: Session): Account {
  return accountOf(config.root, config.apiKey);
}

/** What happens to a call if the store of `rateLimit` fails. */
function shared(call: Call, store: RateLimitStore, options: RateLimitOptions): NonNullable<AcquireOptions['shared']> {
  const alone =
    'Until it works again, this process counts its own requests, up to the limits divided by `rateLimit.instances`.';
  return {
    store,
    share: options.onStoreError === 'throw' ? 0 : 1 / (options.instances ?? 1),
    onOutage: (failure) => call.emit({ type: 'warning', text: () => `${storeProblem(failure)}. ${alone}` }),
    fail: (failure) => {
      const effect = call.attempts === 0 ? 'No request was sent.' : 'The request was not sent again.';
      return callError(call, ConnectionError, storeProblem(failure), {}, `${failure.hint} ${effect}`.trim());
    },
  };
}

/** Describes a failure of the store in the middle of a sentence. */
function storeProblem({ message }: Error): string {
  return `the rate limit store failed: ${message}`;
}
