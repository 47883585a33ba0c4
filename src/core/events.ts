import type { ErrorCode } from './errors/index.js';
import type { Issue, Method } from './types.js';

/** The call that an event is about. */
export interface EventBase {
  /** The method that was called: `'articles.confirm'`. */
  operation: string;
  /** HTTP method of the route. */
  method: Method;
  /** As it follows `/api/v2`, without the query. */
  path: string;
  /** Which attempt of the call, from 1. */
  attempt: number;
}

/** A request is about to leave. */
export interface RequestEvent extends EventBase {
  /** Marks this kind of event. */
  type: 'request';
}

/** A response arrived, with any status. */
export interface ResponseEvent extends EventBase {
  /** Marks this kind of event. */
  type: 'response';
  /** HTTP status of the response. */
  status: number;
  /** Milliseconds from the request to the end of the body. */
  duration: number;
}

/** The attempt failed and will be repeated. */
export interface RetryEvent extends EventBase {
  /** Marks this kind of event. */
  type: 'retry';
  /** Milliseconds until the next attempt. */
  delay: number;
  /** `code` of the error that the attempt would have ended with. */
  code: ErrorCode;
}

/** The call waits in the limiter's line. */
export interface WaitEvent extends EventBase {
  /** Marks this kind of event. */
  type: 'wait';
  /** Milliseconds foreseen. */
  delay: number;
}

/** An answer did not have the expected shape and was given all the same (`validation: 'warn'`). */
export interface DriftEvent extends EventBase {
  /** Marks this kind of event. */
  type: 'drift';
  /** The fields with another value than expected, without their values. */
  issues: readonly Issue[];
}

/** What `onEvent` is told. No event holds a key, a header or a body. */
export type ClientEvent = RequestEvent | ResponseEvent | RetryEvent | WaitEvent | DriftEvent;

/**
 * Calls an observer of the caller (`onEvent`, `onPoll`, `onProgress`). Its errors and rejections are ignored: an observer
 * cannot change the call, and an async observer cannot end the process.
 */
export function tell<News>(observer: ((news: News) => unknown) | undefined, news: News): void {
  const told = async () => observer?.(news);
  told().catch(() => {});
}
