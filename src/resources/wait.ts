import { LONGEST_TIMER, until } from '../core/abort.js';
import { type ApiError, type ErrorContext, WaitTimeoutError } from '../core/errors/index.js';
import { emit } from '../core/events.js';
import { milliseconds, type RequestOptions, requestOptionFields } from '../core/options.js';
import type { Redactor } from '../core/redact.js';
import { checkOptions } from '../core/request.js';
import { isOutage, isPassing } from '../core/retry.js';
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

export const waitFields = { ...requestOptionFields, pollInterval: milliseconds, onPoll: s.aFunction };
const waitOptionsSchema = s.params(waitFields);

/**
 * Checks the options before anything is sent, so that no wait polls without a pause.
 * @throws {InvalidRequestError} if an option is invalid.
 */
export function checkWait(options: WaitOptions | undefined, operation: string, redactor: Redactor): void {
  checkOptions(waitOptionsSchema, options, { operation, redactor });
}

/** What a wait looks for. */
export interface Wanted<T, Answer> {
  /** Sends the read for all that wait. Called for one of them. */
  read(waiting: readonly Wanted<unknown, Answer>[], signal: AbortSignal): Promise<Answer>;
  /** Finds the result in what was read. `undefined`: it is not ready. Throws if the wait cannot go on. */
  look: (answer: Answer) => T | undefined;
  /** Milliseconds before the first poll. */
  first: number;
  id: number | string;
  /** The name of the result, for the error. */
  what: string;
  context: ErrorContext;
  /** Masks the key in the id, because the service chose the id. */
  redactor: Redactor;
}

interface Waiter<Answer> {
  readonly wanted: Wanted<unknown, Answer>;
  readonly interval: number;
  /** When its next poll is due, by `performance.now()`. */
  next: number;
  /** Gets what was read. `undefined`: the read has failed for now. */
  take(answer: Answer | undefined): void;
  fail(error: unknown): void;
}

/** The reads that several waits share: one answers all of them. */
export class SharedReads<Answer> {
  readonly #waiting = new Set<Waiter<Answer>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: AbortController | undefined;

  /** Adds a wait. Returns the function that ends it. */
  join(waiter: Waiter<Answer>): () => void {
    this.#waiting.add(waiter);
    this.#plan();
    return () => {
      this.#waiting.delete(waiter);
      if (this.#waiting.size === 0) {
        this.#reading?.abort();
        this.#reading = undefined;
      }
      this.#plan();
    };
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#reading || this.#waiting.size === 0) return;
    const delay = Math.min(...Array.from(this.#waiting, ({ next }) => next)) - performance.now();
    const act = () => (delay > LONGEST_TIMER ? this.#plan() : void this.#read());
    this.#timer = setTimeout(act, Math.min(Math.max(delay, 0), LONGEST_TIMER));
  }

  async #read(): Promise<void> {
    const asked = [...this.#waiting];
    const controller = new AbortController();
    this.#reading = controller;
    const wanted = asked.map((waiter) => waiter.wanted);
    let answer: Answer | undefined;
    let error: unknown;
    try {
      answer = await wanted[0]?.read(wanted, controller.signal);
    } catch (thrown) {
      error = thrown;
    }
    // Nobody waits any more, and what began since then has its own reads.
    if (this.#reading !== controller) return;
    this.#reading = undefined;
    const { retryAfter = 0 } = Object(error) as Partial<ApiError>;
    const isOver = error !== undefined && !isTemporary(error);
    for (const waiter of asked) {
      waiter.next = Math.max(waiter.next, performance.now() + Math.max(waiter.interval, retryAfter));
      if (!this.#waiting.has(waiter)) continue;
      if (isOver) waiter.fail(error);
      else waiter.take(answer);
    }
    this.#plan();
  }
}

/** Whether a wait goes on after a failure of a read: connection, 408, 429, 5xx. `Retry-After` delays the next poll. */
export function isTemporary(error: unknown): boolean {
  return (isOutage(error) || isPassing(error)) && !isUntrusted(Object(error).cause);
}

/** Polls until the result is ready, together with all others that wait for the same reads. */
export async function poll<T, Answer>(
  reads: SharedReads<Answer>,
  wanted: Wanted<T, Answer>,
  options: WaitOptions & { pollInterval: number; timeout: number },
): Promise<T> {
  const { pollInterval: interval, timeout, signal, onPoll } = options;
  signal?.throwIfAborted();
  const started = performance.now();
  let polls = 0;
  let leave = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<{ found: T } | { error: unknown } | undefined>((resolve) => {
    const fail = (error: unknown) => resolve({ error });
    const take = (answer: Answer | undefined) => {
      try {
        const found = answer === undefined ? undefined : wanted.look(answer);
        if (found !== undefined) return resolve({ found });
      } catch (error) {
        return fail(error);
      }
      polls++;
      emit(onPoll, { polls, elapsed: performance.now() - started });
    };
    leave = reads.join({ wanted, interval, next: started + wanted.first, take, fail });
    if (timeout <= LONGEST_TIMER) timer = setTimeout(resolve, timeout, undefined);
  });
  try {
    const end = await until(ended, signal);
    if (!end) throw expired(wanted, timeout, polls);
    if ('error' in end) throw end.error;
    return end.found;
  } finally {
    clearTimeout(timer);
    leave();
  }
}

function expired<T, Answer>(
  { what, context, id, redactor }: Wanted<T, Answer>,
  timeout: number,
  attempts: number,
): WaitTimeoutError {
  const message = `${redactor.beginning(what)} was not ready within ${timeout} ms. It may still become ready: nothing was cancelled.`;
  const path = context.path && redactor.mask(context.path);
  return new WaitTimeoutError(message, { ...context, path, attempts, id: redactor.json(id) });
}
