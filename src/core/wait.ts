import { Deadline, sleep } from './abort.js';
import { ApiError, ConnectionError, type ErrorContext, QuotaExceededError, WaitTimeoutError } from './errors/index.js';
import { milliseconds } from './options.js';
import { checkParams } from './request.js';
import { object } from './schema.js';

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

const waitOptions = /* @__PURE__ */ object({ pollInterval: milliseconds, timeout: milliseconds });

/** Refuse a wait that would poll without a pause, before anything is sent. @throws {InvalidRequestError} */
export function checkWait(options: WaitOptions, operation: string): void {
  checkParams(waitOptions, options, { operation });
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
  options: WaitOptions & { pollInterval: number; timeout: number },
): Promise<T> {
  const { pollInterval, timeout, signal, onPoll } = options;
  signal?.throwIfAborted();
  const started = performance.now();
  const deadline = new Deadline(signal, timeout);
  let polls = 0;
  try {
    await sleep(wanted.first, deadline.signal);
    for (;;) {
      const found = await wanted.look({ signal: deadline.signal }).catch((error) => {
        if (!passes(error)) throw error;
        return undefined;
      });
      if (found !== undefined) return found;
      polls++;
      onPoll?.({ polls, elapsed: performance.now() - started });
      await sleep(pollInterval, deadline.signal);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!deadline.expired) throw error;
    const message = `${wanted.what} was not ready within ${timeout} ms. It may still come: look again later.`;
    throw new WaitTimeoutError(message, { ...wanted.context, attempts: polls, id: wanted.id });
  } finally {
    deadline.dispose();
  }
}

function passes(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return (
    error instanceof ApiError && !(error instanceof QuotaExceededError) && /^(408|429|5..)$/.test(`${error.status}`)
  );
}
