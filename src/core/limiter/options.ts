import * as z from 'zod/mini';
import * as s from '../schema.js';
import type { RateLimitStore } from './store.js';

/** A limiter of your own, for example one that several processes share. */
export interface CustomLimiter {
  /** Resolves when the next request may be sent. The client calls it before every attempt. */
  acquire(options: { signal?: AbortSignal | undefined }): Promise<void>;
}

/** The request budget of a client. */
export interface RateLimitOptions {
  /** Requests per minute. Default: the identity's `rate_limits`, or 60 if they are unknown, 0 or less. */
  perMinute?: number | undefined;
  /** Requests per day. Default: the identity's `rate_limits`, or 1000 if they are unknown, 0 or less. */
  perDay?: number | undefined;
  /**
   * Maximum wait in ms. A call that would wait longer fails at once with a `RateLimitError`. A call that already waits
   * fails after this time if other calls of the key delay it. Default 600 000.
   */
  maxWait?: number | undefined;
  /**
   * Number of places of the minute that this client leaves to others. Set it for background jobs, so that clients
   * without it, which answer people, need not wait. Default 0. At least one place stays for the client.
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
      z.literal(false, s.must('false')),
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

export function isCustomLimiter(value: unknown): value is CustomLimiter {
  return typeof (value as CustomLimiter | null | undefined)?.acquire === 'function';
}

function isStore(value: unknown): boolean {
  const { take, settle, hold } = Object(value) as Partial<RateLimitStore>;
  return [take, settle, hold].every((method) => typeof method === 'function');
}
