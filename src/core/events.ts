import type { Promisable } from 'type-fest';
import type { ErrorCode } from './errors/index.js';
import type { Issue, Method, Outcome } from './types.js';

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

/** An attempt ended without a response. Observers of the caller learn it from a `retry` event or from the error. */
interface LostNote extends EventBase {
  type: 'lost';
  /** Milliseconds since the request was sent. */
  duration: number;
  /** The code of the error, or `aborted`. */
  code: string;
}

/** Something that the people who run the program should know. */
interface WarningNote extends EventBase {
  type: 'warning';
  /** Returns the text. It may ask a store, so it is called only if somebody reads it. */
  text: () => Promisable<string>;
}

/** The call is over. */
interface EndNote extends EventBase {
  type: 'end';
  outcome: Outcome;
  /** HTTP status of the last attempt, if it got a response. */
  status: number | undefined;
}

/** What happens to a call. Events, log lines and traces are all made from the notes of a call. */
export type Note = ClientEvent | LostNote | WarningNote | EndNote;

type WithoutBase<Kind> = Kind extends Note ? Omit<Kind, keyof EventBase> : never;
/** A note without the fields that every note of a call has. */
export type News = WithoutBase<Note>;

/** What a teller may want to know about the call of a note. */
export interface Told {
  /** The response of the last attempt. */
  readonly response: Response | undefined;
  /** A preview changes nothing. */
  readonly request: { readonly dryRun: boolean };
  /** How long the attempt waited in the limiter, in ms. */
  readonly waited: number;
  /** Masks what no line may show. */
  readonly redactor: { mask(text: string): string };
}

/** Makes the notes of calls known: as events, as lines of the log, or in a trace. */
export type Teller = (note: Note, call: Told) => void;

/** Gives the public notes of each call to `onEvent`. */
export function eventTeller(onEvent: (event: ClientEvent) => unknown): Teller {
  return (note) => {
    if (note.type !== 'lost' && note.type !== 'warning' && note.type !== 'end') tell(onEvent, note);
  };
}

/**
 * Calls an observer of the caller (`onEvent`, `onPoll`, `onProgress`). Errors and rejections of the observer are
 * ignored, so an observer cannot change the call, and an async observer cannot end the process.
 */
export function tell<Content>(observer: ((content: Content) => unknown) | undefined, content: Content): void {
  const told = async () => observer?.(content);
  told().catch(() => {});
}
