import { ConfigurationError, isMultilocalError } from '../core/errors/index.js';
import { type RequestTrace, requestChannel, type SyncTrace, syncChannel, type TraceHandlers } from '../stages/trace.js';
import { type PlanTrace, planChannel, type WatchTrace, watchChannel } from '../stages/trace-counts.js';
import {
  isOpenTelemetry,
  type OpenTelemetry,
  type OpenTelemetryAttributes,
  type OpenTelemetryContext,
  type OpenTelemetryCounter,
  type OpenTelemetryHistogram,
  type OpenTelemetryMeterProvider,
  type OpenTelemetrySpan,
} from './open-telemetry.js';

export type {
  OpenTelemetry,
  OpenTelemetryAttributes,
  OpenTelemetryContext,
  OpenTelemetryCounter,
  OpenTelemetryHistogram,
  OpenTelemetryMeterProvider,
  OpenTelemetrySpan,
} from './open-telemetry.js';

/** The name of our tracer and meter. */
const SCOPE = 'multilocal';
/** The build replaces this name. */
declare const MULTILOCAL_VERSION: string | undefined;
const VERSION = typeof MULTILOCAL_VERSION === 'string' ? MULTILOCAL_VERSION : 'source';

/** `SpanKind` and `SpanStatusCode` of OpenTelemetry. We get its namespace as an argument and import nothing. */
const INTERNAL = 0;
const CLIENT = 2;
const ERROR = 2;

/** The bounds that the semantic conventions advise for the duration of a request, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** The names of the reasons with which runtimes abort a call. Any other name could contain anything. */
const ABORTS = ['AbortError', 'TimeoutError'];

type Active = import('node:async_hooks').AsyncLocalStorage<OpenTelemetryContext>;

type AnyTrace = RequestTrace | SyncTrace | PlanTrace | WatchTrace;

/** A span that has not ended. */
interface Open {
  readonly span: OpenTelemetrySpan;
  /** The context in which the span is active. */
  readonly context: OpenTelemetryContext;
  /** By `performance.now()`. */
  readonly began: number;
}

/**
 * Makes spans and metrics of OpenTelemetry from the calls of every client in this process. Returns a function that ends
 * this. It needs `@opentelemetry/api` 1.9 or later and works before and after the SDK of OpenTelemetry starts.
 *
 * - Each call is a span of kind CLIENT: `GET /articles/{article_id}`. Its attributes follow the semantic conventions of
 *   HTTP: `http.request.method`, `url.template`, `server.address`, `server.port`, `http.response.status_code` and, if
 *   there was a retry, `http.request.resend_count`. `multilocal.operation` and `multilocal.outcome` are ours.
 * - The span is active during the call, so the spans of an instrumented `fetch` (undici) are its children.
 * - A call that fails has the status ERROR. `error.type` is the `code` of our error (`not_found`), `AbortError` or
 *   `TimeoutError` if the signal of the caller ended it, and `_OTHER` for any other error. No span has an exception event,
 *   because messages quote the service.
 * - Each retry and each wait in the limiter is an event of the span. A call that the client refuses has a span too.
 * - A run of `articles.syncTo` is a span of kind INTERNAL with its counts. Its requests are the children.
 * - A call of `runPlan` or `rehearsePlan` is a span of kind INTERNAL, and its requests are the children. The metric
 *   `multilocal.plan.actions` counts the actions that it settled by `multilocal.operation` and `multilocal.outcome`: `applied`,
 *   `not_applied`, `unknown`, and of a rehearsal `ready`, `refused` …
 * - A look of `watch` is a span of kind INTERNAL with its `multilocal.watch.kind`, and its requests are the children. The metric
 *   `multilocal.watch.events` counts the events that it found by `multilocal.event.type`.
 * - The metric `http.client.request.duration` counts seconds of calls that sent a request. It includes waits and retries,
 *   as does the span.
 *
 * No span contains a key, an id, a query, a contact or a body. That is why there is no `url.full`.
 *
 * An SDK that throws loses spans or metrics, and nothing else: its errors are ignored.
 *
 * A second `instrument` changes nothing as long as the first one is not stopped. A call that runs while `stop` is called
 * gets no span.
 * @throws a {@link ConfigurationError} if `api` is not the namespace of `@opentelemetry/api`, or if this runtime has no
 * `node:diagnostics_channel` (browsers, and Workers without the flag `nodejs_compat`).
 * @example
 * import * as api from '@opentelemetry/api';
 * import { instrument } from 'multilocal/otel';
 *
 * const stop = instrument(api);
 */
export function instrument(api: OpenTelemetry): () => void {
  if (!isOpenTelemetry(api)) {
    const hint = "Use `import * as api from '@opentelemetry/api'`";
    throw new ConfigurationError(
      `instrument: \`api\` must be the namespace of @opentelemetry/api 1.9 or later. ${hint}.`,
    );
  }
  const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks');
  if (!requestChannel || !syncChannel || !planChannel || !watchChannel || !hooks) {
    const hint = 'In Workers, set the compatibility flag `nodejs_compat`';
    throw new ConfigurationError(`instrument: this runtime has no node:diagnostics_channel. ${hint}.`);
  }
  const spans = new Spans(api, new hooks.AsyncLocalStorage());
  const onRequest: TraceHandlers<RequestTrace> = {
    start: (trace) => quietly(() => spans.begin(trace, nameOf(trace), CLIENT, requestAttributes(trace))),
    asyncEnd: (trace) => quietly(() => spans.endRequest(trace)),
  };
  const begin = (trace: Exclude<AnyTrace, RequestTrace>) =>
    quietly(() => spans.begin(trace, trace.operation, INTERNAL, { 'multilocal.operation': trace.operation }));
  const onSync: TraceHandlers<SyncTrace> = {
    start: begin,
    asyncEnd: (trace) => quietly(() => spans.endSync(trace)),
  };
  const onCounts: TraceHandlers<PlanTrace | WatchTrace> = {
    start: begin,
    asyncEnd: (trace) => quietly(() => spans.endCounts(trace)),
  };
  requestChannel.subscribe(onRequest);
  syncChannel.subscribe(onSync);
  planChannel.subscribe(onCounts);
  watchChannel.subscribe(onCounts);
  return () => {
    watchChannel?.unsubscribe(onCounts);
    planChannel?.unsubscribe(onCounts);
    requestChannel?.unsubscribe(onRequest);
    syncChannel?.unsubscribe(onSync);
  };
}

/** Ignores errors of the SDK. Node would report them as `uncaughtException`, which ends the process. */
function quietly(work: () => unknown): void {
  (async () => work())().catch(() => {});
}

/** The spans of the calls and syncs that run. */
class Spans {
  readonly #api: OpenTelemetry;
  /** The context of the innermost span, for programs without a context manager. There, OpenTelemetry knows none. */
  readonly #active: Active;
  readonly #open = new WeakMap<object, Open>();
  #made: Instruments | undefined;

  constructor(api: OpenTelemetry, active: Active) {
    this.#api = api;
    this.#active = active;
  }

  begin(trace: AnyTrace, name: string, kind: number, attributes: OpenTelemetryAttributes): void {
    // Another instrumentation has made the span already, possibly that of another copy of this package.
    if (trace.around) return;
    const { context: contexts, trace: traces } = this.#api;
    const active = contexts.active();
    const parent = traces.getSpan(active) ? active : (this.#active.getStore() ?? active);
    const span = traces.getTracer(SCOPE, VERSION).startSpan(name, { kind, attributes }, parent);
    const context = traces.setSpan(parent, span);
    this.#open.set(trace, { span, context, began: performance.now() });
    trace.around = (work) => this.#active.run(context, () => contexts.with(context, work));
  }

  endRequest(trace: RequestTrace): void {
    const open = this.#open.get(trace);
    if (!open) return;
    const { attempts, events, outcome, status } = trace;
    for (const event of events) {
      const code = event.type === 'retry' && { 'error.type': event.code };
      const attributes = { 'multilocal.delay_ms': event.delay, ...code };
      quietly(() => open.span.addEvent(event.type, attributes, new Date(event.time)));
    }
    const result = {
      ...(status !== undefined && { 'http.response.status_code': status }),
      ...errorOf(trace),
    };
    const resent = attempts > 1 && { 'http.request.resend_count': attempts - 1 };
    this.#end(trace, open, { ...result, ...resent, 'multilocal.outcome': outcome });
    if (attempts === 0) return;
    const { 'multilocal.operation': _, ...attributes } = requestAttributes(trace);
    const seconds = (performance.now() - open.began) / 1000;
    this.#durations.record(seconds, { ...attributes, ...result }, open.context);
  }

  endSync(trace: SyncTrace): void {
    const open = this.#open.get(trace);
    if (!open) return;
    const { upserted, unpublished, deleted, requests, done } = trace;
    this.#end(trace, open, {
      'multilocal.sync.upserted': upserted,
      'multilocal.sync.unpublished': unpublished,
      'multilocal.sync.deleted': deleted,
      'multilocal.sync.requests': requests,
      'multilocal.sync.done': done,
      ...errorOf(trace),
    });
  }

  endCounts(trace: PlanTrace | WatchTrace): void {
    const open = this.#open.get(trace);
    if (!open) return;
    const isWatch = trace.operation === 'watch';
    const counts = Object.entries(trace.counts);
    const attributes: OpenTelemetryAttributes = isWatch
      ? { 'multilocal.watch.kind': trace.kind }
      : Object.fromEntries(counts.map(([ending, count]) => [`multilocal.plan.${ending}`, count]));
    this.#end(trace, open, { ...attributes, ...errorOf(trace) });
    const { actions, events } = this.#instruments();
    for (const [name, count] of counts) {
      const of: OpenTelemetryAttributes = isWatch
        ? { 'multilocal.event.type': name }
        : { 'multilocal.operation': trace.operation, 'multilocal.outcome': name };
      quietly(() => (isWatch ? events : actions).add(count, of, open.context));
    }
  }

  #end(trace: AnyTrace, { span }: Open, attributes: OpenTelemetryAttributes): void {
    quietly(() => span.setAttributes(attributes));
    if ('error' in trace) quietly(() => span.setStatus({ code: ERROR }));
    quietly(() => span.end());
  }

  get #durations(): OpenTelemetryHistogram {
    return this.#instruments().histogram;
  }

  /** Unlike tracers, meters do not follow a provider that is set later. */
  #instruments(): Instruments {
    const provider = this.#api.metrics.getMeterProvider();
    if (this.#made?.provider === provider) return this.#made;
    const meter = provider.getMeter(SCOPE, VERSION);
    const histogram = meter.createHistogram('http.client.request.duration', {
      description: 'Duration of HTTP client requests.',
      unit: 's',
      advice: { explicitBucketBoundaries: BOUNDS },
    });
    const actions = meter.createCounter('multilocal.plan.actions', {
      description: 'Actions of plans, by what became of them.',
      unit: '{action}',
    });
    const events = meter.createCounter('multilocal.watch.events', {
      description: 'Events that a watcher found.',
      unit: '{event}',
    });
    this.#made = { provider, histogram, actions, events };
    return this.#made;
  }
}

/** What one meter provider has given. */
interface Instruments {
  readonly provider: OpenTelemetryMeterProvider;
  readonly histogram: OpenTelemetryHistogram;
  readonly actions: OpenTelemetryCounter;
  readonly events: OpenTelemetryCounter;
}

function nameOf({ method, template }: RequestTrace): string {
  return template === undefined ? method : `${method} ${template}`;
}

function requestAttributes({ operation, method, template, address, port }: RequestTrace): OpenTelemetryAttributes {
  return {
    'http.request.method': method,
    ...(template !== undefined && { 'url.template': template }),
    'server.address': address,
    'server.port': port,
    'multilocal.operation': operation,
  };
}

/** The `error.type` of a failure. Messages are left out, because they may quote the service. */
function errorOf(trace: AnyTrace): OpenTelemetryAttributes | undefined {
  if (!('error' in trace)) return undefined;
  const { error } = trace;
  if (isMultilocalError(error)) return { 'error.type': error.code };
  const name = error instanceof Error ? error.name : '';
  return { 'error.type': ABORTS.includes(name) ? name : '_OTHER' };
}
