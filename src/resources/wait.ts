import { LONGEST_TIMER, onAbort, sleep } from '../core/abort.js';
import { type ApiError, type ErrorContext, WaitTimeoutError } from '../core/errors/index.js';
import { emit } from '../core/events.js';
import { milliseconds, type RequestOptions, requestOptionFields } from '../core/options.js';
import type { Redactor } from '../core/redact.js';
import { checkOptions } from '../core/request.js';
import { isOutage, isTransient } from '../core/retry.js';
import * as s from '../core/schema.js';
import { isUntrusted } from '../stages/network.js';

/**
 * Options of the methods that wait for a result. The request options apply to each request of the wait. A read that
 * several waits share has those of one of them. `signal` ends the whole wait at once. The method then rejects with
 * `signal.reason`.
 */
export interface WaitOptions extends Omit<RequestOptions, 'timeout'> {
  /**
   * Milliseconds between two polls. Each poll is a request and counts toward the budget. Waits of one client and its views
   * share their polls, at the shortest interval among them.
   */
  pollInterval?: number | undefined;
  /** Milliseconds for the whole wait. After that time, the method throws a `WaitTimeoutError`. */
  timeout?: number | undefined;
  /** Called after each poll without a result. May be async. Errors and rejections are ignored. */
  onPoll?: ((poll: Poll) => unknown) | undefined;
}

/** The progress of a wait. */
export interface Poll {
  /** Number of polls so far. */
  polls: number;
  /** Milliseconds since the wait began. */
  elapsed: number;
}

/** How long a wait lasts by default, in ms. */
export const WAIT_TIMEOUT = 600_000;
export const waitFields = { ...requestOptionFields, pollInterval: milliseconds, onPoll: s.aFunction };
const waitOptionsSchema = s.params(waitFields);

/**
 * Checks the options before anything is sent, so that no wait polls without a pause.
 * @throws {InvalidRequestError} if an option is invalid.
 */
export function checkWait(options: WaitOptions | undefined, operation: string, redactor: Redactor): void {
  checkOptions(waitOptionsSchema, options, { operation, redactor });
}

/**
 * Splits the options of a wait, whose default interval is `interval`: its own, those of a request, and those of a read that
 * several waits share.
 */
export function waitOptionsOf(options: WaitOptions = {}, interval: number) {
  const { pollInterval = interval, timeout = WAIT_TIMEOUT, onPoll, signal, ...others } = options;
  const callOptions = { ...others, fresh: true };
  const { extra: _, totalTimeout: __, ...shared } = callOptions;
  return { pollInterval, timeout, onPoll, signal, callOptions, shared };
}

export interface PollTarget<T> {
  /** Polls once. Resolves to what was found, and to the time of the read by `performance.now()`, because waits share reads. */
  look: (signal: AbortSignal) => Promise<{ readonly found: T | undefined; readonly at: number }>;
  /** Milliseconds before the first poll. */
  first: number;
  /** Milliseconds between two polls: the shortest of all that wait for the same reads. */
  interval(): number;
  id: number | string;
  /** The name of the result, for the error. */
  what(): string;
  context: ErrorContext;
  /** Masks the key in the id, because the service chose the id. */
  redactor: Redactor;
}

/** Whether a wait goes on after a failure of a read: connection, 408, 429, 5xx. */
export function isTemporary(error: unknown): boolean {
  return (isOutage(error) || isTransient(error)) && !isUntrusted(Object(error).cause);
}

/** Polls until the result is ready. Temporary failures do not end the wait. `Retry-After` delays the next poll. */
export async function poll<T>(
  wanted: PollTarget<T>,
  { timeout, signal: parent, onPoll }: Pick<WaitOptions, 'signal' | 'onPoll'> & { timeout: number },
): Promise<T> {
  parent?.throwIfAborted();
  const started = performance.now();
  const controller = new AbortController();
  const { signal } = controller;
  const detach = parent && onAbort(parent, () => controller.abort());
  let polls = 0;
  const lookUntilFound = async () => {
    for (let next = started + wanted.first; ; ) {
      await sleep(next - performance.now(), signal);
      try {
        const { found, at } = await wanted.look(signal);
        if (found !== undefined) return found;
        next = at + wanted.interval();
      } catch (error) {
        if (!isTemporary(error)) throw error;
        const { retryAfter = 0 } = error as Partial<ApiError>;
        next = performance.now() + Math.max(wanted.interval(), retryAfter);
      }
      signal.throwIfAborted();
      polls++;
      emit(onPoll, { polls, elapsed: performance.now() - started });
    }
  };
  const expire = async () => {
    await sleep(timeout, signal);
    const { what, context, id, redactor } = wanted;
    const message = `${redactor.beginning(what())} was not ready within ${timeout} ms. It may still become ready.`;
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
    // Ends the poll or the sleep that is still running.
    controller.abort();
  }
}
