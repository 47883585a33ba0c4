import type { Promisable } from 'type-fest';
import * as z from 'zod/mini';
import { until } from '../abort.js';
import { isMultilocalError } from '../errors/index.js';
import * as s from '../schema.js';
import { hash } from '../text.js';
import { createRegistry, type Limiter, limiterOf } from './local.js';
import { type AcquireOptions, createId, LENGTHS, type Limits, Queue, type Release } from './queue.js';
import type { RateLimitStore, TakeAnswer, TakeRequest, Usage } from './store.js';

/** Longest call to a store, in ms. */
const LONGEST_CALL = 2_000;
/** Ms without calls to a store that failed. */
const RECESS = 10_000;

const count = s.atLeast(0);
const answerSchema = z.looseObject({ state: s.oneOf(['go', 'wait', 'refused']), ms: count });
const usageSchema = z.looseObject({ used: s.list(count), waiting: count });

/** A failure of the store. Its message holds no secret. */
export class StoreFailure extends Error {
  /** What to do about it. A store with errors of this package says it in their messages. */
  readonly hint: string;

  constructor(message: string, hint = 'Check that the store runs, and the address and the password of its client.') {
    super(message);
    this.hint = hint;
  }
}

export interface SharedOptions extends AcquireOptions {
  /** The share of this process in the limits, for the time in which the store fails. Without it, the call fails too. */
  share: (() => Limits) | undefined;
  /** Receives the first failure of an outage. */
  onOutage: (failure: StoreFailure) => void;
}

/** The limiter of one key whose requests a store counts for all processes. */
class SharedLimiter {
  readonly #store: RateLimitStore;
  readonly #key: Promise<string>;
  /** Counts the requests of this process, in case the store fails. Found anew, because an idle limiter is forgotten. */
  readonly #local: () => Limiter;
  readonly #queue: Queue;
  /** The last failure of the store, and its time. */
  #failure: StoreFailure | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #isOut = false;

  constructor(store: RateLimitStore, id: string, local: () => Limiter) {
    this.#store = store;
    this.#key = hash(id);
    this.#local = local;
    this.#queue = new Queue({
      take: (request, signal) => this.#take(request, signal),
      settle: (id, result) => this.#tell((key) => store.settle(key, id, result)),
      createId,
    });
  }

  /** Like `Limiter.acquire`. @throws a {@link StoreFailure} if the store fails and the call has no share. */
  async acquire(options: SharedOptions): Promise<Release> {
    const since = performance.now();
    for (;;) {
      const alone = await this.#acquireAlone({ ...options, share: options.share && lessTime(options.share, since) });
      if (alone) return alone;
      try {
        return await this.#acquireBoth(options, since);
      } catch (error) {
        if (!options.share || !(error instanceof StoreFailure)) throw error;
      }
    }
  }

  /**
   * Waits for a place in the store, then for one in the windows of this process. The store does not know what this process
   * sent while it failed, or for clients without a store.
   */
  async #acquireBoth(options: SharedOptions, since: number): Promise<Release> {
    const limits = lessTime(options.limits, since);
    // The store must not count the request as over while the call still waits for the other place.
    const timeout = options.timeout + limits().maxWait;
    const shared = await this.#queue.acquire({ ...options, limits, timeout });
    try {
      const local = await this.#local().acquire({ ...options, limits: lessTime(options.limits, since) });
      return (result) => {
        shared(result);
        local(result);
      };
    } catch (error) {
      shared('unsent');
      throw error;
    }
  }

  async #take(request: TakeRequest, signal: AbortSignal): Promise<TakeAnswer> {
    let isOver = false;
    const take = async (key: string) => {
      const answer = await this.#store.take(key, request);
      // The call has given up, and the store may have heard of that before it gave the place.
      if (isOver) this.#tell(() => this.#store.settle(key, request.id, 'unsent'));
      return answer;
    };
    try {
      const answer = await this.#ask(answerSchema, take, signal);
      this.#isOut = false;
      return answer;
    } finally {
      isOver = true;
    }
  }

  /** Waits for room in the share of this process. `undefined` as soon as the store may be asked again. */
  async #acquireAlone({ share, signal, onOutage, ...options }: SharedOptions): Promise<Release | undefined> {
    const rest = this.#failedAt + RECESS - performance.now();
    if (!share || rest <= 0) return undefined;
    if (!this.#isOut && this.#failure) onOutage(this.#failure);
    this.#isOut = true;
    const recess = new AbortController();
    const timer = setTimeout(() => recess.abort(), rest);
    try {
      const either = AbortSignal.any([signal, recess.signal]);
      return await this.#local().acquire({ ...options, limits: share, signal: either });
    } catch (error) {
      if (!recess.signal.aborted || signal.aborted) throw error;
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Makes the calls of all processes wait for this many ms, those of this process also if the store does not learn it. */
  hold(ms: number): void {
    this.#local().hold(ms);
    this.#tell((key) => this.#store.hold(key, ms));
  }

  /**
   * Counts the requests of all processes. A store that cannot count leaves those of this process.
   * @throws a {@link StoreFailure} if the store fails.
   */
  async usage(): Promise<Usage> {
    const { count } = this.#store;
    return typeof count === 'function'
      ? this.#ask(usageSchema, (key) => count.call(this.#store, key, LENGTHS))
      : this.#local().usage();
  }

  /** Whether it has nothing to remember. */
  isIdle(): boolean {
    return this.#queue.isEmpty && performance.now() >= this.#failedAt + RECESS;
  }

  /** Tells the store something that no call waits for. A store that does not learn it counts too much. */
  #tell(call: (key: string) => unknown): void {
    this.#ask(s.anything, call).catch(() => {});
  }

  /** Calls the store and checks its answer. @throws a {@link StoreFailure}, or the reason of the signal. */
  async #ask<T>(
    schema: z.ZodMiniType<T>,
    call: (key: string) => Promisable<unknown>,
    signal = new AbortController().signal,
  ): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new StoreFailure(`no response within ${LONGEST_CALL} ms`)), LONGEST_CALL);
    });
    try {
      const answer = await until(Promise.race([this.#key.then(call), late]), signal);
      const { data, success } = z.safeParse(schema, answer);
      if (!success) throw new StoreFailure('its answer has the wrong form');
      return data;
    } catch (thrown) {
      signal.throwIfAborted();
      this.#failedAt = performance.now();
      const failure = failureOf(thrown);
      this.#failure = failure;
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The limits of a call that has waited since `since`: that time is taken off its `maxWait`. */
function lessTime(limits: () => Limits, since: number): () => Limits {
  const waited = performance.now() - since;
  return () => {
    const { maxWait, ...others } = limits();
    return { ...others, maxWait: maxWait - waited };
  };
}

/** The message of a foreign error may hold a password, so only its name and its code are kept. */
function failureOf(thrown: unknown): StoreFailure {
  if (thrown instanceof StoreFailure) return thrown;
  if (isMultilocalError(thrown)) return new StoreFailure(thrown.message.replace(/\.$/, ''), '');
  const { name, code } = Object(thrown) as { name?: unknown; code?: unknown };
  const words = [name, code].filter((word) => typeof word === 'string' && /^\w{1,40}$/.test(word));
  return new StoreFailure(words.join(' ') || 'unknown error');
}

const registries = new WeakMap<RateLimitStore, ReturnType<typeof createRegistry<SharedLimiter>>>();

/** Returns the limiter of a key at a base URL whose requests this store counts. */
export function sharedLimiterOf(store: RateLimitStore, baseUrl: string, apiKey = ''): SharedLimiter {
  const registry = registries.get(store) ?? createRegistry<SharedLimiter>();
  registries.set(store, registry);
  const id = `${apiKey}\n${baseUrl}`;
  return registry(id, () => new SharedLimiter(store, id, () => limiterOf(baseUrl, apiKey)));
}
