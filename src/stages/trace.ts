import type { Stages } from '../core/call.js';
import type { Config } from '../core/config.js';
import type { Endpoint } from '../core/endpoint.js';
import type { ErrorCode } from '../core/errors/index.js';
import type { EventDetails, Listener } from '../core/events.js';
import type { Method, Outcome } from '../core/types.js';

/** A call waits in the queue of the limiter. */
export interface TraceWait {
  /** Marks this kind of event. */
  type: 'wait';
  /** When the wait began, in ms since the epoch. */
  time: number;
  /** Expected wait in milliseconds. */
  delay: number;
}

/** An attempt of a call failed and will be retried. */
export interface TraceRetry {
  /** Marks this kind of event. */
  type: 'retry';
  /** When the attempt failed, in ms since the epoch. */
  time: number;
  /** Milliseconds until the next attempt. */
  delay: number;
  /** The `code` of the error that the call would have failed with, if it were not retried. */
  code: ErrorCode;
}

/** What `around` belongs to: the context object of a call or of a sync. */
export interface TraceBase {
  /** The error with which the call or the sync rejects. `signal.reason` if the caller aborted. Set before `error`. */
  error?: unknown;
  /**
   * @internal Runs the work, for example while a span is active. A subscriber of `start` sets it. Stores that are bound
   * to the channel cannot do this with the public functions of OpenTelemetry.
   */
  around?: <T>(work: () => T) => T;
}

/**
 * The context object of `tracingChannel('multilocal:request')`: one call with all its attempts. The same object goes to
 * every subscriber, from `start` to `asyncEnd`. It contains no key, no id, no query and no body, but `error` is the error
 * that the caller gets.
 *
 * A call that the client refuses locally is traced too, with 0 attempts. Errors of a subscriber do not change the call:
 * Node reports them as `uncaughtException`.
 * @example
 * import { tracingChannel } from 'node:diagnostics_channel';
 * tracingChannel('multilocal:request').asyncEnd.subscribe((message) => {
 *   const { operation, status, attempts } = message as RequestTrace;
 *   console.log(operation, status, attempts);
 * });
 */
export interface RequestTrace extends TraceBase {
  /** The method that was called: `'articles.get'`. */
  operation: string;
  /** HTTP method of the route. */
  method: Method;
  /**
   * Path of the route after `/api/v2`, with the names of its parameters: `/articles/{article_id}`. `undefined` for
   * `client.request`, because a path of the caller may contain ids.
   */
  template: string | undefined;
  /** Host name of the service. */
  address: string;
  /** Port of the service. */
  port: number;
  /** Number of requests sent for the call. 0 before `asyncEnd`. */
  attempts: number;
  /** Whether the write happened, see {@link Outcome}. `'not_applied'` for reads, previews and before `asyncEnd`. */
  outcome: Outcome;
  /** HTTP status of the last attempt. `undefined` before `asyncEnd`, and if the last attempt got no response. */
  status: number | undefined;
  /** The waits in the limiter and the retries so far. */
  events: (TraceWait | TraceRetry)[];
}

/**
 * The context object of `tracingChannel('multilocal:sync')`: one run of `articles.syncTo`. The same object goes to every
 * subscriber, from `start` to `asyncEnd`. The counts have the names of `SyncResult`. They are 0 before `asyncEnd`. If the run
 * fails, they count what was done before.
 */
export interface SyncTrace extends TraceBase {
  /** Always `'articles.syncTo'`. */
  operation: string;
  /** Number of articles stored because they are new or have changed. */
  upserted: number;
  /** Number of articles removed because they went offline. */
  unpublished: number;
  /** Number of articles removed because they no longer exist. */
  deleted: number;
  /** Number of requests sent, including retries. */
  requests: number;
  /** Whether the run read everything. `false` before `asyncEnd`. */
  done: boolean;
}

/** The handlers that a subscriber may have. */
export interface TraceHandlers<Kind> {
  start?: (trace: Kind) => void;
  asyncEnd?: (trace: Kind) => void;
}

/** The part of Node's `TracingChannel` that we use. Its types would require `@types/node`. */
export interface TracingChannel<Kind> {
  readonly hasSubscribers?: boolean;
  subscribe(handlers: TraceHandlers<Kind>): void;
  unsubscribe(handlers: TraceHandlers<Kind>): unknown;
  tracePromise(work: () => Promise<void>, trace: Kind): Promise<void>;
}

interface Diagnostics {
  tracingChannel?<Kind>(name: string): TracingChannel<Kind>;
}

/** A global that only some runtimes have. An import would break bundles for browsers. */
const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => Diagnostics | undefined } };
const diagnostics = process?.getBuiltinModule?.('node:diagnostics_channel');

/** A channel. Absent in browsers, and in Workers without `nodejs_compat`. */
export function channelOf<Kind>(name: string): TracingChannel<Kind> | undefined {
  return diagnostics?.tracingChannel?.<Kind>(`multilocal:${name}`);
}

export const requestChannel = channelOf<RequestTrace>('request');
export const syncChannel = channelOf<SyncTrace>('sync');

/** Runs the work and publishes its trace, if there is a subscriber. */
export function traced<Kind extends TraceBase, T>(
  channel: TracingChannel<Kind> | undefined,
  create: () => Kind,
  work: (trace?: Kind) => Promise<T>,
): Promise<T> {
  // Bun 1.4 lacks `hasSubscribers`, as did Node before 20.13.
  return channel && channel.hasSubscribers !== false ? publish(channel, create(), work) : work();
}

/** Subscribers cannot change the result of the work. */
async function publish<Kind extends TraceBase, T>(
  channel: TracingChannel<Kind>,
  trace: Kind,
  work: (trace: Kind) => Promise<T>,
): Promise<T> {
  let result: T | undefined;
  // `tracePromise` shows subscribers the value of its promise. The result may be a body, so it takes another way.
  const perform = async () => {
    result = await work(trace);
  };
  let running: Promise<void> | undefined;
  // An `around` may fail, or call the work twice or never. The work still runs once.
  const run = () => {
    running ??= perform();
    return running;
  };
  const runAround = async () => trace.around?.(run);
  try {
    await channel.tracePromise(() => {
      runAround().catch(() => {});
      return run();
    }, trace);
  } catch {
    // The error of the work, or of Node, which cannot write into a trace that a subscriber has frozen.
  }
  await run();
  return result as T;
}

/** The stage of a call that publishes it. */
export const trace: NonNullable<Stages['trace']> = {
  channel: requestChannel,
  publish: (endpoint, config, work) =>
    traced(
      requestChannel,
      () => traceOf(endpoint, config),
      (trace) => work(trace && listenerOf(trace)),
    ),
};

function traceOf({ operation, method, path }: Endpoint, { root }: Config): RequestTrace {
  const { protocol, hostname, port } = new URL(root);
  return {
    operation,
    method,
    template: operation === 'request' ? undefined : path,
    address: hostname,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    attempts: 0,
    outcome: 'not_applied',
    status: undefined,
    events: [],
  };
}

/** Writes the events of a call into its trace. A subscriber may have frozen the trace, which must not change the call. */
function listenerOf(trace: RequestTrace): Listener {
  const write = (event: EventDetails) => {
    if (event.type === 'wait') trace.events.push({ type: 'wait', delay: event.delay, time: Date.now() });
    if (event.type === 'retry') {
      trace.events.push({ type: 'retry', delay: event.delay, code: event.code, time: Date.now() });
    }
    if (event.type !== 'end') return;
    trace.attempts = event.attempts;
    trace.status = event.status;
    trace.outcome = event.outcome;
  };
  return (event) => {
    try {
      write(event);
    } catch {
      // The trace is incomplete.
    }
  };
}

/** Creates the trace of a sync that is about to begin. */
export function syncTraceOf(operation: string): SyncTrace {
  return { operation, upserted: 0, unpublished: 0, deleted: 0, requests: 0, done: false };
}
