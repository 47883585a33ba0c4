import { LONGEST_TIMER, onAbort, sleep } from './abort.js';
import { type ErrorContext, WaitTimeoutError } from './errors/index.js';
import { aFunction, milliseconds, unchecked } from './options.js';
import { checkParams } from './request.js';
import { isPassing } from './retry.js';
import * as s from './schema.js';

/** Options of the methods that wait for something to be ready. */
export interface WaitOptions {
  /** Milliseconds between two polls. Each costs a request of the budget. */
  pollInterval?: number | undefined;
  /** Milliseconds after which to give up with a `WaitTimeoutError`. */
  timeout?: number | undefined;
  /** Ends the wait at once; it then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Called after each poll that did not find it ready. */
  onPoll?: ((poll: Poll) => void) | undefined;
}

/** How a wait is going. */
export interface Poll {
  /** Polls so far. */
  polls: number;
  /** Milliseconds since the wait began. */
  elapsed: number;
}

const waitOptionsSchema = s.params({
  pollInterval: milliseconds,
  timeout: milliseconds,
  signal: unchecked,
  onPoll: aFunction,
});

/** Refuses a wait that would poll without a pause, before anything is sent. @throws {InvalidRequestError} */
export function checkWait(options: WaitOptions, operation: string): void {
  checkParams(waitOptionsSchema, options, operation);
}

interface Wanted<T> {
  /** Looks once; `undefined` if it is not ready. */
  look: (options: { signal: AbortSignal }) => Promise<T | undefined>;
  /** Milliseconds before the first look. */
  first: number;
  id: number | string;
  /** For the error: what did not come. */
  what: string;
  context: ErrorContext;
}

/** Looks again and again until it is ready. Failures that pass (connection, 429, 5xx) are looked past. */
export async function poll<T>(
  wanted: Wanted<T>,
  { pollInterval, timeout, signal: parent, onPoll }: WaitOptions & { pollInterval: number; timeout: number },
): Promise<T> {
  parent?.throwIfAborted();
  const started = performance.now();
  const controller = new AbortController();
  const { signal } = controller;
  const detach = parent && onAbort(parent, () => controller.abort());
  let polls = 0;
  const lookUntilFound = async () => {
    for (let delay = wanted.first; ; delay = pollInterval) {
      await sleep(delay, signal);
      const found = await wanted.look({ signal }).catch((error) => {
        if (!isPassing(error, (status) => status === 408 || status === 429 || status >= 500)) throw error;
      });
      if (found !== undefined) return found as T;
      signal.throwIfAborted();
      polls++;
      onPoll?.({ polls, elapsed: performance.now() - started });
    }
  };
  const expire = async () => {
    await sleep(timeout, signal);
    const message = `${wanted.what} was not ready within ${timeout} ms. It may still come.`;
    throw new WaitTimeoutError(message, { ...wanted.context, attempts: polls, id: wanted.id });
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
