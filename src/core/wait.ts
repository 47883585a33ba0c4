import { sleep, within } from './abort.js';
import { type ErrorContext, WaitTimeoutError } from './errors/index.js';
import { milliseconds, unchecked } from './options.js';
import { checkParams } from './request.js';
import { passes } from './retry.js';
import { strictObject } from './schema.js';

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

const waitOptions = /* @__PURE__ */ strictObject({
  pollInterval: milliseconds,
  timeout: milliseconds,
  signal: unchecked,
  onPoll: unchecked,
});

/** Refuse a wait that would poll without a pause, before anything is sent. @throws {InvalidRequestError} */
export function checkWait(options: WaitOptions, operation: string): void {
  checkParams(waitOptions, options, operation);
}

interface Wanted<T> {
  /** Look once; `undefined` when it is not ready. */
  look: (options: { signal: AbortSignal }) => Promise<T | undefined>;
  /** Milliseconds before the first look. */
  first: number;
  id: number | string;
  /** For the error: what did not come. */
  what: string;
  context: ErrorContext;
}

/** Look again and again until it is ready. Failures that pass (connection, 429, 5xx) are looked past. */
export async function poll<T>(
  wanted: Wanted<T>,
  { pollInterval, timeout, signal: parent, onPoll }: WaitOptions & { pollInterval: number; timeout: number },
): Promise<T> {
  parent?.throwIfAborted();
  const started = performance.now();
  let polls = 0;
  const lookUntilFound = async (signal: AbortSignal) => {
    for (let delay = wanted.first; ; delay = pollInterval) {
      await sleep(delay, signal);
      const found = await wanted.look({ signal }).catch((error) => {
        if (!passes(error, /^(408|429|5..)$/)) throw error;
      });
      if (found !== undefined) return found as T;
      signal.throwIfAborted();
      polls++;
      onPoll?.({ polls, elapsed: performance.now() - started });
    }
  };
  return within(parent, timeout, lookUntilFound, () => {
    const message = `${wanted.what} was not ready within ${timeout} ms. It may still come.`;
    throw new WaitTimeoutError(message, { ...wanted.context, attempts: polls, id: wanted.id });
  });
}
