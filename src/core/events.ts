import type { ErrorCode } from './errors/index.js';
import type { Issue, Method } from './types.js';

/** The call that an event is about. */
export interface EventBase {
  /** The method that was called: `'articles.confirm'`. */
  operation: string;
  /** HTTP method of the route. */
  method: Method;
  /** Path of the route after `/api/v2`, without the query. */
  path: string;
  /** Number of the attempt, from 1. */
  attempt: number;
}

/** A request is about to be sent. */
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
  /** Milliseconds from sending the request to the end of the body. */
  duration: number;
}

/** The attempt failed and will be retried. */
export interface RetryEvent extends EventBase {
  /** Marks this kind of event. */
  type: 'retry';
  /** Milliseconds until the next attempt. */
  delay: number;
  /** The `code` of the error that the call would have failed with, if it were not retried. */
  code: ErrorCode;
}

/** The call waits in the queue of the limiter. */
export interface WaitEvent extends EventBase {
  /** Marks this kind of event. */
  type: 'wait';
  /** Expected wait in milliseconds. */
  delay: number;
}

/** A response did not match its schema and was returned nevertheless (`validation: 'warn'`). */
export interface DriftEvent extends EventBase {
  /** Marks this kind of event. */
  type: 'drift';
  /** The fields that do not match the schema, without their values. */
  issues: readonly Issue[];
}

/** The events that `onEvent` receives. No event contains a key, a header or a body. */
export type ClientEvent = RequestEvent | ResponseEvent | RetryEvent | WaitEvent | DriftEvent;

/**
 * Calls an observer of the caller (`onEvent`, `onPoll`, `onProgress`). Errors and rejections of the observer are
 * ignored, so an observer cannot change the call, and an async observer cannot end the process.
 */
export function tell<News>(observer: ((news: News) => unknown) | undefined, news: News): void {
  const told = async () => observer?.(news);
  told().catch(() => {});
}
