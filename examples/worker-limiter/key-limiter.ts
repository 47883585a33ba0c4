import { DurableObject, waitUntil } from 'cloudflare:workers';
import {
  RateLimitBook,
  type RateLimitBookState,
  type RateLimitStore,
  type TakeAnswer,
  type TakeRequest,
  type Usage,
} from 'multilocal';

/**
 * Counts the requests of one key for all isolates. Cloudflare runs one object of each name, and an object handles one
 * call at a time, so no two isolates can get the same place.
 *
 * The clock is `Date.now()`. The saved times outlive the isolate of the object, and `performance.now()` may start anew
 * with each isolate. The clocks of the calling isolates do not matter, because only the object reads the time.
 */
export class KeyLimiter extends DurableObject<unknown> {
  #book = new RateLimitBook();

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    // No call arrives before the state is loaded.
    ctx.blockConcurrencyWhile(async () => {
      this.#book = new RateLimitBook(await ctx.storage.get<RateLimitBookState>('book'));
    });
  }

  take(request: TakeRequest): TakeAnswer {
    const answer = this.#book.take(Date.now(), request);
    this.#save();
    return answer;
  }

  settle(id: string, result: 'done' | 'unsent'): void {
    this.#book.settle(Date.now(), id, result);
    this.#save();
  }

  hold(ms: number): void {
    this.#book.hold(Date.now(), ms);
    this.#save();
  }

  count(lengths: readonly number[]): Usage {
    return this.#book.count(Date.now(), lengths);
  }

  /** Needs no `await`: the runtime holds every response of the object back until the write is on disk. */
  #save(): void {
    this.ctx.storage.put('book', this.#book.state);
  }
}

/** Returns the `store` of `rateLimit` that counts in Durable Objects, one for each key. */
export function durableStore(limiters: DurableObjectNamespace<KeyLimiter>): RateLimitStore {
  // A stub belongs to the request of a visitor that created it, so each call creates its own.
  const limiterOf = (key: string) => limiters.getByName(key);
  return {
    take: (key, request) => limiterOf(key).take(request),
    settle: (key, id, result) => delivered(limiterOf(key).settle(id, result)),
    hold: (key, ms) => delivered(limiterOf(key).hold(ms)),
    count: (key, lengths) => limiterOf(key).count(lengths),
  };
}

/** The client does not wait for these calls. Without `waitUntil`, they could end with the response of the Worker. */
function delivered(call: Promise<void>): Promise<void> {
  waitUntil(call);
  return call;
}
