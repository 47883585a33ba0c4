import type { Promisable } from 'type-fest';
import * as z from 'zod/mini';
import { until } from '../abort.js';
import { isMultilocalError } from '../errors/index.js';
import * as s from '../schema.js';
import type { RateLimitStore, TakeAnswer, TakeRequest, Usage } from './book.js';

/** Longest call to a store, in ms. */
export const LONGEST_CALL = 2_000;
/** Ms without calls to a store that failed. */
const COOLDOWN = 10_000;

const count = s.atLeast(0);
const answerSchema = z.looseObject({ state: s.oneOf(['go', 'wait', 'refused']), ms: count });
const usageSchema = z.looseObject({ used: s.list(count), waiting: count });

/** A failure of the store. Its message holds no secret. A store with errors of this package says what to do about it. */
export class StoreFailure extends Error {
  constructor(
    message: string,
    readonly hint = 'Check that the store runs, and its address and password.',
  ) {
    super(message);
  }
}

/** The account of one key in a store. */
export class SharedAccount {
  #failure: StoreFailure | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #isReported = false;

  constructor(
    readonly store: RateLimitStore,
    readonly key: Promise<string>,
  ) {}

  /** Ms for which calls that can continue without the store do not ask it, because it failed. */
  get cooldown(): number {
    return Math.max(0, this.#failedAt + COOLDOWN - performance.now());
  }

  /** Returns the failure of an outage, once. */
  takeUnreported(): StoreFailure | undefined {
    const failure = this.#isReported ? undefined : this.#failure;
    this.#isReported = true;
    return failure;
  }

  /** @throws a {@link StoreFailure}, or the reason of the signal. */
  async take(request: TakeRequest, signal: AbortSignal): Promise<TakeAnswer> {
    let isOver = false;
    const take = async (key: string) => {
      const answer = await this.store.take(key, request);
      // The call has given up, and the store may have heard of that before it gave the place.
      if (isOver) this.notify('settle', request.id, 'unsent');
      return answer;
    };
    const answer = await this.#ask(answerSchema, take, signal).finally(() => {
      isOver = true;
    });
    this.#isReported = false;
    return answer;
  }

  /** Tells the store what no call waits for. A store that does not learn it counts too much. */
  notify(...[method, ...values]: ['settle', id: string, result: 'done' | 'unsent'] | ['hold', ms: number]): void {
    const call = (key: string) => (this.store[method] as (...values: unknown[]) => unknown)(key, ...values);
    this.#ask(s.anything, call).catch(() => {});
  }

  /** Counts the requests of all processes. `undefined` if the store cannot. @throws a {@link StoreFailure}. */
  async count(lengths: readonly number[]): Promise<Usage | undefined> {
    if (typeof this.store.count !== 'function') return undefined;
    return this.#ask(usageSchema, (key) => this.store.count?.(key, lengths));
  }

  /** Calls the store and checks its response. */
  async #ask<T>(
    schema: z.ZodMiniType<T>,
    call: (key: string) => Promisable<unknown>,
    signal?: AbortSignal,
  ): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new StoreFailure(`no response within ${LONGEST_CALL} ms`)), LONGEST_CALL);
    });
    try {
      const answer = Promise.race([this.key.then(call), late]);
      const { data, success } = z.safeParse(schema, await (signal ? until(answer, signal) : answer));
      if (!success) throw new StoreFailure('its response has the wrong form');
      return data;
    } catch (thrown) {
      signal?.throwIfAborted();
      this.#failedAt = performance.now();
      this.#failure = failureOf(thrown);
      throw this.#failure;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The message of a foreign error may hold a password, so only its name and its code are kept. */
function failureOf(thrown: unknown): StoreFailure {
  if (thrown instanceof StoreFailure) return thrown;
  if (isMultilocalError(thrown)) return new StoreFailure(thrown.message.replace(/\.$/, ''), '');
  const { name, code } = Object(thrown) as { name?: unknown; code?: unknown };
  const words = [name, code].filter((word) => typeof word === 'string' && /^\w{1,40}$/.test(word));
  return new StoreFailure(words.join(' ') || 'unknown error');
}
