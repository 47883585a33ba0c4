import type { Promisable } from 'type-fest';
import type { ErrorCode } from './errors/index.js';
import type { Issue, Method, Outcome } from './types.js';

/** Why an attempt or a call failed: the `code` of its error, or `'aborted'` if the caller ended it. */
export type FailureCode = ErrorCode | 'aborted';

/** The call that an event is about. */
export interface EventBase {
  /** Number of the call. All events of one call have it, and no other call of the process does. */
  call: number;
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

/**
 * An attempt ended without a response. Each request ends with a `response` or a `failure`. If the call is retried, a
 * `retry` follows.
 */
export interface FailureEvent extends EventBase {
  /** Marks this kind of event. */
  type: 'failure';
  /** The `code` of the error, or `'aborted'` if the `signal` of the caller ended the attempt. */
  code: FailureCode;
  /** Milliseconds since the request was sent. */
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

/**
 * The call is over: its last event. A call that sent no request has none. Each page of an iteration is a call of its
 * own.
 */
export interface EndEvent extends EventBase {
  /** Marks this kind of event. */
  type: 'end';
  /** Whether the write happened, see {@link Outcome}. `'not_applied'` for reads and previews. */
  outcome: Outcome;
  /** HTTP status of the last attempt. `undefined` if the last attempt got no response. */
  status: number | undefined;
  /**
   * The `code` of the error with which the call rejects. `'aborted'` if it rejects with an error that is not ours, such
   * as the reason of `signal`. `undefined` if the call succeeded.
   */
  code: FailureCode | undefined;
  /** Number of requests sent. */
  attempts: number;
  /** Milliseconds since the call began, with its waits. */
  duration: number;
}

/** The events that `onEvent` receives. No event contains a key, a header or a body. */
export type ClientEvent = RequestEvent | ResponseEvent | FailureEvent | RetryEvent | WaitEvent | DriftEvent | EndEvent;

/** Something that the people who run the program should know. */
interface WarningEvent extends EventBase {
  type: 'warning';
  /** Returns the text. It may ask a store, so it is called only if a listener reads it. */
  text: () => Promisable<string>;
}

/** What happens to a call. `onEvent`, log lines and traces get the same events. */
export type CallEvent = ClientEvent | WarningEvent;

type WithoutBase<Kind> = Kind extends CallEvent ? Omit<Kind, keyof EventBase> : never;
/** The fields of an event that are not the same for every event of a call. */
export type EventDetails = WithoutBase<CallEvent>;

/** What a listener may want to know about the call of an event. */
export interface ObservedCall {
  /** The response of the last attempt. */
  readonly response: Response | undefined;
  readonly endpoint: { readonly method: Method; readonly operation: string };
  /** Whether a method of the SDK calls the route for itself. */
  readonly options: { readonly lenient?: boolean | undefined };
  /** A preview changes nothing. */
  readonly request: { readonly dryRun: boolean };
  /** How long the attempt waited in the limiter, in ms. */
  readonly waited: number;
  /** Masks what no line may show. */
  readonly redactor: { mask(text: string): string };
}

/**
 * Gets what happens to calls. `describe` returns a new event with all its fields. Most
 * listeners need few events, and masking a path takes time.
 */
export type Listener = (details: EventDetails, call: ObservedCall, describe: () => CallEvent) => void;

/** Passes the public events of each call to `onEvent`. */
export function eventListener(onEvent: (event: ClientEvent) => unknown): Listener {
  return ({ type }, _, describe) => {
    if (type !== 'warning') emit(onEvent, describe() as ClientEvent);
  };
}

/**
 * Calls an observer of the caller (`onEvent`, `onPoll`, `onProgress`). Errors and rejections of the observer are
 * ignored, so an observer cannot change the call, and an async observer cannot end the process.
 */
export function emit<Content>(observer: ((content: Content) => unknown) | undefined, content: Content): void {
  const observed = async () => observer?.(content);
  observed().catch(() => {});
}
