import type { ErrorCode } from './errors/index.js';
import type { Issue, Method } from './types.js';

/** The call that an event is about. */
export interface EventBase {
  /** The method that was called: `'articles.confirm'`. */
  operation: string;
  method: Method;
  /** As it follows `/api/v2`, without the query. */
  path: string;
  /** Which attempt of the call, from 1. */
  attempt: number;
}

/** A request is about to leave. */
export interface RequestEvent extends EventBase {
  type: 'request';
}

/** An answer came, of whichever status. */
export interface ResponseEvent extends EventBase {
  type: 'response';
  status: number;
  /** Milliseconds from the request to the end of the body. */
  duration: number;
}

/** The attempt failed and will be repeated. */
export interface RetryEvent extends EventBase {
  type: 'retry';
  /** Milliseconds until the next attempt. */
  delay: number;
  /** `code` of the error that the attempt would have ended with. */
  code: ErrorCode;
}

/** The call waits in the limiter's line. */
export interface WaitEvent extends EventBase {
  type: 'wait';
  /** Milliseconds foreseen. */
  delay: number;
}

/** An answer did not have the expected shape and was given all the same (`validation: 'warn'`). */
export interface DriftEvent extends EventBase {
  type: 'drift';
  issues: readonly Issue[];
}

/** What `onEvent` is told. No event holds a key, a header or a body. */
export type ClientEvent = RequestEvent | ResponseEvent | RetryEvent | WaitEvent | DriftEvent;

/**
 * Tells an observer of the caller (`onEvent`, `onPoll`, `onProgress`) what happens. What it throws, or rejects with, is
 * swallowed: watching a call cannot change the call, and an async observer cannot end the process.
 */
export function tell<News>(observer: ((news: News) => unknown) | undefined, news: News): void {
  const told = async () => observer?.(news);
  told().catch(() => {});
}
