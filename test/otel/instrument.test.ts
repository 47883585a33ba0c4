import { tracingChannel } from 'node:diagnostics_channel';
import * as api from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { createMockApi } from 'multilocal/mock';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigurationError, memoryStore } from '../../src/index.js';
import { instrument } from '../../src/otel/index.js';
import { makeClient, rejection } from '../support/clients.js';
import { ARTICLE, KEY, LIST, PUBLICATION } from '../support/fixtures.js';
import { expectNoKey } from '../support/render.js';
import { fail, hang, json, raw, refuse, stubFetch } from '../support/stub-fetch.js';

const CLIENT = api.SpanKind.CLIENT;
const INTERNAL = api.SpanKind.INTERNAL;
const now = { 'retry-after': '0' };

const spans = new InMemorySpanExporter();
let metrics: InMemoryMetricExporter;
let meters: MeterProvider;

beforeEach(() => {
  spans.reset();
  metrics = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register();
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 1e9 });
  meters = new MeterProvider({ readers: [reader] });
  api.metrics.setGlobalMeterProvider(meters);
});

afterEach(async () => {
  // A shutdown waits, and `fresh.ts` gives the timers back later.
  vi.useRealTimers();
  await meters.shutdown();
  api.trace.disable();
  api.context.disable();
  api.metrics.disable();
});

/** Instruments until the test is over. */
function start(): void {
  onTestFinished(instrument(api));
}

const finished = (): ReadableSpan[] => spans.getFinishedSpans();

function only(): ReadableSpan {
  const [span, ...more] = finished();
  expect(more).toEqual([]);
  return span as ReadableSpan;
}

async function durations(): Promise<DataPoint<Histogram>[]> {
  await meters.forceFlush();
  const found = metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  expect(found.map(({ descriptor }) => [descriptor.name, descriptor.unit])).toEqual(
    found.map(() => ['http.client.request.duration', 's']),
  );
  return found.flatMap(({ dataPoints }) => dataPoints as DataPoint<Histogram>[]);
}

describe('the span of a call', () => {
  it('follows the semantic conventions', async () => {
    start();
    await makeClient({ baseUrl: 'https://service.test:8443', fetch: stubFetch(json(ARTICLE)) }).articles.get(42);
    const { name, kind, attributes, status, events, instrumentationScope } = only();
    expect([name, kind, status.code, events]).toEqual([
      'GET /articles/{article_id}',
      CLIENT,
      api.SpanStatusCode.UNSET,
      [],
    ]);
    expect(instrumentationScope.name).toBe('multilocal');
    expect(attributes).toEqual({
      'http.request.method': 'GET',
      'url.template': '/articles/{article_id}',
      'server.address': 'service.test',
      'server.port': 8443,
      'http.response.status_code': 200,
      'multilocal.operation': 'articles.get',
      'multilocal.outcome': 'not_applied',
    });
  });

  it('has the retries as events and their number', async () => {
    start();
    const fetch = stubFetch(refuse(503, 'x', now), fail('ECONNREFUSED'), json(PUBLICATION));
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const { articles } = makeClient({ fetch, maxRetries: 2 });
    await articles.confirm(42).catch(() => {});
    const { attributes, events, startTime, endTime } = only();
    expect(attributes).toMatchObject({ 'http.request.resend_count': 2 });
    expect(events.map((event) => [event.name, event.attributes])).toEqual([
      ['retry', { 'error.type': 'service_unavailable', 'multilocal.delay_ms': 0 }],
      ['retry', { 'error.type': 'connection', 'multilocal.delay_ms': expect.any(Number) }],
    ]);
    // The clock of spans and the clock of events round differently.
    const ms = ([seconds, nanos]: api.HrTime) => seconds * 1_000 + nanos / 1e6;
    for (const { time } of events) {
      expect(ms(time)).toBeGreaterThan(ms(startTime) - 5);
      expect(ms(time)).toBeLessThan(ms(endTime) + 5);
    }
  });

  it.each([
    ['a status', refuse(404), { 'http.response.status_code': 404, 'error.type': 'not_found' }],
    ['a broken connection', fail('ECONNRESET'), { 'error.type': 'connection' }],
    ['a body that is not JSON', raw('x'), { 'http.response.status_code': 200, 'error.type': 'invalid_response' }],
  ])('says that %s is an error, without its message', async (_, reply, expected) => {
    start();
    await rejection(makeClient({ fetch: stubFetch(reply), maxRetries: 0 }).articles.get(42));
    const { attributes, status, events } = only();
    expect(attributes).toMatchObject(expected);
    expect([status, events]).toEqual([{ code: api.SpanStatusCode.ERROR }, []]);
  });

  it('has no path of a route that the client does not know', async () => {
    start();
    await makeClient({ fetch: stubFetch(json({})) }).request({ method: 'GET', path: '/forecast/42' });
    expect(only().name).toBe('GET');
    expect(only().attributes).not.toHaveProperty('url.template');
  });

  it('is a child of the active span', async () => {
    start();
    const client = makeClient({ fetch: stubFetch(json(ARTICLE)) });
    const parent = api.trace.getTracer('app').startSpan('visit');
    await api.context.with(api.trace.setSpan(api.context.active(), parent), () => client.articles.get(42));
    expect(only().parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
  });

  it('is active during `fetch`, also after waits in the limiter and on retries', async () => {
    vi.useFakeTimers();
    start();
    const active: (string | undefined)[] = [];
    const client = makeClient({
      rateLimit: { perMinute: 1 },
      fetch: async () => {
        active.push(api.trace.getActiveSpan()?.spanContext().spanId);
        return active.length === 1 ? Response.json({}, { status: 503, headers: now }) : Response.json(ARTICLE);
      },
    });
    const calls = Promise.all([client.articles.get(1), client.articles.get(2)]);
    await vi.advanceTimersByTimeAsync(200_000);
    await calls;
    const [one, other] = finished();
    const [first, second] = [one, other].map((span) => span?.spanContext().spanId);
    expect(active).toEqual([first, first, second]);
    expect(other?.events).toMatchObject([{ name: 'wait', attributes: { 'multilocal.delay_ms': expect.any(Number) } }]);
    expect(api.trace.getActiveSpan()).toBeUndefined();
  });
});

describe('the trace of a sync', () => {
  /** A mock with articles on two pages, whose first response is lost. */
  async function sync() {
    const mock = createMockApi({ baseUrl: 'https://service.test' });
    mock.fail({ status: 503, headers: now, times: 1 });
    const fetch = async (input: string | URL | Request, init?: RequestInit) => mock.handle(new Request(input, init));
    const client = makeClient({ apiKey: mock.keys.sphere, baseUrl: 'https://service.test', fetch, rateLimit: false });
    const store = memoryStore();
    return { result: await client.articles.syncTo(store), mock, store };
  }

  function expectOneTrace(requests: number): void {
    const parent = finished().at(-1) as ReadableSpan;
    const children = finished().slice(0, -1);
    expect([parent.name, parent.kind, parent.parentSpanContext]).toEqual(['articles.syncTo', INTERNAL, undefined]);
    for (const child of children) {
      expect([child.name, child.kind]).toEqual(['GET /articles', CLIENT]);
      expect(child.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
      expect(child.spanContext().traceId).toBe(parent.spanContext().traceId);
    }
    const resent = children.map(({ attributes }) => Number(attributes['http.request.resend_count'] ?? 0));
    expect(resent[0]).toBe(1);
    expect(children[0]?.events).toMatchObject([{ name: 'retry' }]);
    expect(children.length + 1).toBe(requests);
  }

  it('spans the sync, its requests and their retries', async () => {
    start();
    const { result } = await sync();
    expect(result.requests).toBeGreaterThan(2);
    expectOneTrace(result.requests);
    const { attributes, status } = finished().at(-1) as ReadableSpan;
    expect(status.code).toBe(api.SpanStatusCode.UNSET);
    expect(attributes).toEqual({
      'multilocal.operation': 'articles.syncTo',
      'multilocal.sync.upserted': result.upserted,
      'multilocal.sync.unpublished': result.unpublished,
      'multilocal.sync.deleted': result.deleted,
      'multilocal.sync.requests': result.requests,
      'multilocal.sync.done': true,
    });
  });

  it('holds together without a context manager', async () => {
    api.context.disable();
    api.trace.disable();
    api.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
    start();
    expectOneTrace((await sync()).result.requests);
  });

  it('shows a failure', async () => {
    start();
    await rejection(makeClient({ fetch: stubFetch(refuse(401)) }).articles.syncTo(memoryStore()));
    const [request, parent] = finished();
    expect(request?.attributes).toMatchObject({ 'error.type': 'authentication' });
    expect(parent?.attributes).toMatchObject({ 'error.type': 'authentication', 'multilocal.sync.requests': 1 });
    expect(parent?.status).toEqual({ code: api.SpanStatusCode.ERROR });
  });
});

describe('the metric', () => {
  it('counts the seconds of each call that sent a request', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    start();
    const client = makeClient({
      fetch: stubFetch(refuse(503, 'x', { 'retry-after': '2' }), json(ARTICLE), refuse(404)),
    });
    const call = client.articles.get(42);
    await vi.advanceTimersByTimeAsync(2_000);
    await call;
    await rejection(client.articles.get(43));
    await rejection(client.articles.get('x' as never, { timeout: -1 }));
    vi.useRealTimers();
    const [done, failed, ...more] = await durations();
    const attributes = {
      'http.request.method': 'GET',
      'url.template': '/articles/{article_id}',
      'server.address': expect.any(String),
      'server.port': 443,
    };
    expect(more).toEqual([]);
    expect(done?.attributes).toEqual({ ...attributes, 'http.response.status_code': 200 });
    expect(failed?.attributes).toEqual({ ...attributes, 'http.response.status_code': 404, 'error.type': 'not_found' });
    expect(done?.value).toMatchObject({ count: 1, sum: 2 });
    expect(done?.value.buckets.boundaries).toEqual([
      0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]);
  });

  it('reaches a provider that starts after `instrument`', async () => {
    api.metrics.disable();
    start();
    const client = makeClient({ fetch: stubFetch(json(ARTICLE)) });
    await client.articles.get(42);
    api.metrics.setGlobalMeterProvider(meters);
    await client.articles.get(42);
    await client.articles.get(42);
    expect((await durations()).map(({ value }) => value.count)).toEqual([2]);
  });
});

describe('an SDK of OpenTelemetry that throws', () => {
  const rude = (): never => {
    throw new Error('of the SDK');
  };
  const span = { setAttributes() {}, setStatus() {}, addEvent() {}, end() {} };
  const spanThat = (faults: object) => ({
    trace: { ...namespace.trace, getTracer: () => ({ startSpan: () => ({ ...span, ...faults }) }) },
  });
  const namespace = {
    context: { active: () => api.ROOT_CONTEXT, with: <T>(_: unknown, work: () => T) => work() },
    trace: { getTracer: () => ({ startSpan: () => span }), getSpan() {}, setSpan: () => api.ROOT_CONTEXT },
    metrics: { getMeterProvider: () => ({ getMeter: () => ({ createHistogram: () => ({ record() {} }) }) }) },
  };
  const broken: Record<string, object> = {
    'context.active': { context: { ...namespace.context, active: rude } },
    'context.with': { context: { ...namespace.context, with: rude } },
    'context.with, after the work has begun': {
      context: { ...namespace.context, with: (_: unknown, work: () => unknown) => [work(), rude()] },
    },
    getTracer: { trace: { ...namespace.trace, getTracer: rude } },
    'startSpan, as a processor does': { trace: { ...namespace.trace, getTracer: () => ({ startSpan: rude }) } },
    setAttributes: spanThat({ setAttributes: rude }),
    setStatus: spanThat({ setStatus: rude }),
    addEvent: spanThat({ addEvent: rude }),
    'end, as a processor does': spanThat({ end: rude }),
    'end, later': spanThat({ end: async () => rude() }),
    getMeterProvider: { metrics: { getMeterProvider: rude } },
    record: {
      metrics: { getMeterProvider: () => ({ getMeter: () => ({ createHistogram: () => ({ record: rude }) }) }) },
    },
  };

  it.each(Object.keys(broken))('in %s neither changes a call nor ends the process', async (name) => {
    const thrown = vi.fn();
    const handlers = (['uncaughtException', 'unhandledRejection'] as const).map((event) => {
      const before = process.listeners(event as 'uncaughtException');
      process.removeAllListeners(event);
      process.on(event, thrown);
      return () => {
        process.removeAllListeners(event);
        for (const handler of before) process.on(event, handler);
      };
    });
    onTestFinished(() => handlers.forEach((restore) => void restore()));
    onTestFinished(instrument({ ...namespace, ...broken[name] } as never));
    const fetch = stubFetch(refuse(503, 'x', now), json(LIST), refuse(404));
    const client = makeClient({ fetch });
    expect(await client.articles.syncTo(memoryStore())).toMatchObject({ upserted: 1, done: true });
    expect(await rejection(client.articles.publish(42))).toMatchObject({ code: 'not_found' });
    expect(fetch.calls).toHaveLength(3);
    await new Promise((resolve) => setImmediate(resolve));
    expect(thrown.mock.calls).toEqual([]);
  });
});

describe('instrument', () => {
  it('counts once if it is called twice, also of another copy of the package', async () => {
    start();
    vi.resetModules();
    const copy = await import('../../src/otel/index.js');
    expect(copy.instrument).not.toBe(instrument);
    onTestFinished(copy.instrument(api));
    await makeClient({ fetch: stubFetch(json(ARTICLE)) }).articles.get(42);
    only();
    expect((await durations()).map(({ value }) => value.count)).toEqual([1]);
  });

  it('ends with the function that it returns', async () => {
    const stop = instrument(api);
    stop();
    stop();
    const client = makeClient({ fetch: stubFetch(json(LIST)) });
    await client.articles.syncTo(memoryStore());
    expect(finished()).toEqual([]);
    for (const kind of ['request', 'sync']) expect(tracingChannel(`multilocal:${kind}`).hasSubscribers).toBe(false);
  });

  it.each([undefined, null, {}, { trace: api.trace }, () => api])(
    'refuses what is not the namespace of OpenTelemetry: %s',
    (value) => {
      expect(() => instrument(value as never)).toThrow(ConfigurationError);
      expect(() => instrument(value as never)).toThrow('@opentelemetry/api');
    },
  );

  it('shows the names of errors that are not ours as _OTHER', async () => {
    start();
    const reason = Object.assign(new Error('x'), { name: 'ada@example.com' });
    for (const signal of [AbortSignal.abort(reason), AbortSignal.abort('left'), AbortSignal.abort()]) {
      await rejection(makeClient().articles.get(42, { signal }));
    }
    const signal = AbortSignal.timeout(1);
    await rejection(makeClient({ fetch: stubFetch(hang) }).articles.publish(42, {}, { signal }));
    expect(finished().map(({ attributes: at }) => [at['error.type'], at['multilocal.outcome']])).toEqual([
      ['_OTHER', 'not_applied'],
      ['_OTHER', 'not_applied'],
      ['AbortError', 'not_applied'],
      ['TimeoutError', 'unknown'],
    ]);
  });

  it('puts no key, contact, id, query or body into spans and metrics', async () => {
    start();
    const contact = { customer_name: 'Ada Martin', channel: 'email' as const, customer_email: 'ada@example.com' };
    const client = makeClient({ fetch: stubFetch(json(LIST), refuse(422, `ada@example.com ${KEY}`)) });
    await client.articles.list({ status: 'published', bulle_id: 'b-hidden' });
    await rejection(client.acquisition.requestReviews({ contacts: [contact], fiche_id: 'b-hidden' }));
    await rejection(client.request({ method: 'GET', path: `/x/${KEY}` }));
    await rejection(client.request({ method: KEY as never, path: '/x' }));
    const dump = [
      finished().map(({ name, attributes, events, status, links }) => ({ name, attributes, events, status, links })),
      await durations(),
    ];
    expectNoKey(dump, KEY);
    for (const secret of ['ada@example.com', 'Ada Martin', 'b-hidden', 'published', ARTICLE.title])
      expect(JSON.stringify(dump)).not.toContain(secret);
  });
});
