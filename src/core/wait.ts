import type { Except } from 'type-fest';
import { LONGEST_TIMER, onAbort, sleep } from './abort.js';
import { type ApiError, type ErrorContext, WaitTimeoutError } from './errors/index.js';
import type { Redactor } from './errors/redact.js';
import { tell } from './events.js';
import { aFunction, milliseconds, type RequestOptions, requestOptionFields } from './options.js';
import { checkOptions } from './request.js';
import { isPassing } from './retry.js';
import * as s from './schema.js';

/**
 * Options of the methods that wait for something to be ready. The options of a request apply to each request of the wait.
 * `signal` ends the whole wait at once; it then rejects with `signal.reason`.
 */
export interface WaitOptions extends Except<RequestOptions, 'timeout'> {
  /** Milliseconds between two polls. Each costs a request of the budget. */
  pollInterval?: number | undefined;
  /** Milliseconds for the whole wait, after which it gives up with a `WaitTimeoutError`. */
  timeout?: number | undefined;
  /** Called after each poll without a result. May be async. Errors and rejections are ignored. */
  onPoll?: ((poll: Poll) => unknown) | undefined;
}

/** How a wait is going. */
export interface Poll {
  /** Polls so far. */
  polls: number;
  /** Milliseconds since the wait began. */
  elapsed: number;
}

const waitOptionsSchema = s.params({ ...requestOptionFields, pollInterval: milliseconds, onPoll: aFunction });

/** Refuses a wait that would poll without a pause, before anything is sent. @throws {InvalidRequestError} */
export function checkWait(options: WaitOptions | undefined, operation: string, redactor: Redactor): void {
  checkOptions(waitOptionsSchema, options, { operation, redactor });
}

interface Wanted<T> {
  /** Looks once; `undefined` if it is not ready. */
  look: (options: RequestOptions) => Promise<T | undefined>;
  /** Milliseconds before the first look. */
  first: number;
  id: number | string;
  /** For the error: what did not come. */
  what: string;
  context: ErrorContext;
  /** The service chose the id, and may have put the key in it. */
  redactor: Redactor;
}

/**
 * Looks again and again until it is ready. Failures that pass (connection, 429, 5xx) are looked past; one that asks for a
 * pause delays the next look.
 */
export async function poll<T>(
  wanted: Wanted<T>,
  options: WaitOptions & { pollInterval: number; timeout: number },
): Promise<T> {
  const { pollInterval, timeout, signal: parent, onPoll, ...requestOptions } = options;
  parent?.throwIfAborted();
  const started = performance.now();
  const controller = new AbortController();
  const { signal } = controller;
  const detach = parent && onAbort(parent, () => controller.abort());
  let polls = 0;
  const lookUntilFound = async () => {
    for (let delay = wanted.first; ; ) {
      await sleep(delay, signal);
      delay = pollInterval;
      const found = await wanted.look({ ...requestOptions, signal }).catch((error) => {
        if (!isPassing(error, (status) => status === 408 || status === 429 || status >= 500)) throw error;
        const { retryAfter = 0 } = error as Partial<ApiError>;
        delay = Math.max(pollInterval, retryAfter);
      });
      if (found !== undefined) return found as T;
      signal.throwIfAborted();
      polls++;
      tell(onPoll, { polls, elapsed: performance.now() - started });
    }
  };
  const expire = async () => {
    await sleep(timeout, signal);
    const { what, context, id, redactor } = wanted;
    const message = `${redactor.beginning(what)} was not ready within ${timeout} ms. It may still become ready: nothing was cancelled.`;
    const path = context.path && redactor.mask(context.path);
    throw new WaitTimeoutError(message, { ...context, path, attempts: polls, id: redactor.json(id) });
  };
  try {
    return await Promise.race([lookUntilFound(), ...(timeout <= LONGEST_TIMER ? [expire()] : [])]);
  } catch (error) {
    parent?.throwIfAborted();
    throw error;
  } finally {
    detach?.();
    // Ends the look or the sleep that lost.
    controller.abort();
  }
}
