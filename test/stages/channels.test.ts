import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Client,
  InternalServerError,
  memoryStore,
  NotFoundError,
  type RequestTrace,
  type SyncTrace,
} from '../../src/index.js';
import { makeClient, rejection } from '../support/clients.js';
import { ARTICLE, CONFIRMATION, KEY, LIST, PUBLICATION, SPHERE_IDENTITY } from '../support/fixtures.js';
import { fail, hang, json, type Reply, refuse, stubFetch } from '../support/stub-fetch.js';

const channels = {
  request: tracingChannel<RequestTrace, RequestTrace>('multilocal:request'),
  sync: tracingChannel<SyncTrace, SyncTrace>('multilocal:sync'),
};
const now = { 'retry-after': '0' };
type Call = (client: Client) => PromiseLike<unknown>;

interface Note<Trace> {
  event: string;
  trace: Trace;
  /** The context object as it was at the time. */
  copy: Trace;
}

/** Notes everything that a channel publishes until the test is over. */
function listen(): Note<RequestTrace>[];
function listen(kind: 'sync'): Note<SyncTrace>[];
function listen(kind: 'request' | 'sync' = 'request') {
  const notes: Note<object>[] = [];
  const note = (event: string) => (trace: object) => void notes.push({ event, trace, copy: { ...trace } });
  const names = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];
  const handlers = Object.fromEntries(names.map((name) => [name, note(name)])) as never;
  channels[kind].subscribe(handlers);
  onTestFinished(() => void channels[kind].unsubscribe(handlers));
  return notes;
}

const ended = <Trace>(notes: Note<Trace>[]) =>
  notes.filter(({ event }) => event === 'asyncEnd').map(({ copy }) => copy);

function rude(): never {
  throw new Error('of the subscriber');
}

describe('multilocal:request', () => {
  it('traces a call from start to asyncEnd with one object', async () => {
    const notes = listen();
    const client = makeClient({ baseUrl: 'https://service.test:8443', fetch: stubFetch(json(ARTICLE)) });
    await client.articles.get(42);
    expect(notes.map(({ event }) => event)).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
    expect(new Set(notes.map(({ trace }) => trace)).size).toBe(1);
    const route = { operation: 'articles.get', method: 'GET', template: '/articles/{article_id}' };
    const place = { address: 'service.test', port: 8443 };
    const start = { ...route, ...place, attempts: 0, outcome: 'not_applied', status: undefined, events: [] };
    expect(notes[0]?.copy).toEqual(start);
    expect(ended(notes)).toEqual([{ ...start, attempts: 1, status: 200 }]);
  });

  it.each([
    ['https://service.test', 443],
    ['http://127.0.0.1', 80],
  ])('knows the port of %s', async (baseUrl, port) => {
    const notes = listen();
    await makeClient({ baseUrl, fetch: stubFetch(json(ARTICLE)) }).articles.get(42);
    expect(notes[0]?.copy.port).toBe(port);
  });

  it('traces each call once, with its retries', async () => {
    const notes = listen();
    const fetch = stubFetch(refuse(503, 'x', now), fail('ECONNREFUSED'), json(ARTICLE));
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const before = Date.now();
    await makeClient({ fetch, maxRetries: 2 }).articles.get(42);
    const delay = expect.any(Number);
    const retries = ['service_unavailable', 'connection'].map((code) => ({ type: 'retry', delay, code }));
    expect(ended(notes)).toMatchObject([{ attempts: 3, status: 200, events: retries }]);
    const times = ended(notes)[0]?.events.map(({ time }) => time) as number[];
    expect([before, ...times]).toEqual([before, ...times].sort((one, other) => one - other));
  });

  it('gives the error that the caller gets before asyncEnd', async () => {
    const notes = listen();
    const error = await rejection(makeClient({ fetch: stubFetch(refuse(404)) }).articles.get(42));
    expect(notes.map(({ event }) => event)).toEqual(['start', 'end', 'error', 'asyncStart', 'asyncEnd']);
    expect(notes[2]?.copy).toMatchObject({ status: 404, attempts: 1 });
    expect(notes[2]?.copy.error).toBe(error);
  });

  it.each<[string, Reply[], Call, outcome: string]>([
    ['succeeds', [json(PUBLICATION)], (c) => c.articles.publish(42), 'applied'],
    ['is lost', [fail('ECONNRESET')], (c) => c.articles.publish(42), 'unknown'],
    ['previews', [json({ dry_run: true })], (c) => c.articles.publish(42, { dry_run: true }), 'not_applied'],
    ['deletes, with a lost response', [fail('ECONNRESET'), refuse(404)], (c) => c.posts.delete(42), 'applied'],
  ])('says the outcome of a write that %s', async (_, script, call, outcome) => {
    const notes = listen();
    await call(makeClient({ fetch: stubFetch(...script) })).then(undefined, () => {});
    expect(ended(notes)).toMatchObject([{ attempts: script.length, outcome }]);
  });

  it('traces a call that the client refuses, with 0 attempts', async () => {
    const notes = listen();
    const fetch = stubFetch(json(ARTICLE));
    const client = makeClient({ fetch, identity: { ...SPHERE_IDENTITY, permissions: [] } });
    const refused = [
      client.articles.get('x' as never, { timeout: -1 }),
      client.articles.publish(42),
      (client.dryRun.posts as Client['posts']).delete(42),
      client.articles.get(42, { signal: AbortSignal.abort(new Error('gone')) }),
    ];
    const errors = await Promise.all(refused.map(rejection));
    expect(ended(notes).map(({ error }) => error)).toEqual(errors);
    expect(ended(notes).map(({ attempts, status, outcome }) => [attempts, status, outcome])).toEqual(
      refused.map(() => [0, undefined, 'not_applied']),
    );
    expect(fetch.calls).toEqual([]);
  });

  it('traces a call that the caller aborts, with the reason of the signal', async () => {
    const notes = listen();
    const controller = new AbortController();
    const call = makeClient({ fetch: stubFetch(hang), onEvent: () => controller.abort('left') }).articles.publish(
      42,
      {},
      { signal: controller.signal },
    );
    expect(await rejection(call)).toBe('left');
    expect(ended(notes)).toMatchObject([{ attempts: 1, status: undefined, outcome: 'unknown', error: 'left' }]);
  });

  it('shows no path of a route that the client does not know', async () => {
    const notes = listen();
    await makeClient({ fetch: stubFetch(json({})) }).request({ method: 'GET', path: '/forecast/lyon' });
    expect(ended(notes)).toMatchObject([{ operation: 'request', method: 'GET', template: undefined }]);
    expect(JSON.stringify(notes)).not.toMatch(/forecast|lyon/);
  });

  it('shows waits in the limiter, and stores that are bound to it reach `fetch` after the wait', async () => {
    vi.useFakeTimers();
    const store = new AsyncLocalStorage<RequestTrace>();
    channels.request.start.bindStore(store, (trace) => trace);
    onTestFinished(() => void channels.request.start.unbindStore(store));
    const seen: (RequestTrace | undefined)[] = [];
    const fetch = async () => {
      seen.push(store.getStore());
      return seen.length === 1 ? Response.json({}, { status: 503, headers: now }) : Response.json(ARTICLE);
    };
    const client = makeClient({ rateLimit: { perMinute: 1 }, fetch });
    const calls = Promise.all([client.articles.get(1), client.articles.get(2)]);
    await vi.advanceTimersByTimeAsync(200_000);
    await calls;
    // The retry waits before the other call. Both attempts of a call see the same object.
    const [first, retry, second] = seen;
    expect(seen).toHaveLength(3);
    expect(retry).toBe(first);
    expect(second).not.toBe(first);
    expect(first?.events).toMatchObject([{ type: 'retry', code: 'service_unavailable' }, { type: 'wait' }]);
    expect(second?.events).toMatchObject([{ type: 'wait', delay: expect.any(Number) }]);
  });

  it('a subscriber that throws does not change the call', async () => {
    const thrown: unknown[] = [];
    const handlers = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => thrown.push(error));
    const subscriber = { start: rude, end: rude, asyncStart: rude, asyncEnd: rude, error: rude };
    channels.request.subscribe(subscriber);
    try {
      const { id } = await makeClient({ fetch: stubFetch(json(ARTICLE)) }).articles.get(42);
      expect(id).toBe(42);
      await expect.poll(() => thrown).toHaveLength(4);
    } finally {
      channels.request.unsubscribe(subscriber);
      process.removeAllListeners('uncaughtException');
      for (const handler of handlers) process.on('uncaughtException', handler);
    }
  });

  it.each([
    ['freezes', (trace: RequestTrace) => void Object.freeze(trace)],
    ['freezes the events of', (trace: RequestTrace) => void Object.freeze(trace.events)],
    ['removes the events of', (trace: RequestTrace) => void Reflect.deleteProperty(trace, 'events')],
    ['sets an `around` that throws on', (trace: RequestTrace) => void Object.assign(trace, { around: rude })],
  ])('a subscriber that %s the trace does not change the call', async (_, start) => {
    channels.request.subscribe({ start } as never);
    onTestFinished(() => void channels.request.unsubscribe({ start } as never));
    const fetch = stubFetch(refuse(503, 'x', now), json(CONFIRMATION), refuse(404));
    const client = makeClient({ fetch, logLevel: 'off' });
    expect(await client.articles.confirm(42)).toEqual(CONFIRMATION);
    expect(await rejection(client.articles.publish(42))).toBeInstanceOf(NotFoundError);
    expect(fetch.calls).toHaveLength(3);
  });

  it('publishes nothing and creates no context object without subscribers', async () => {
    const publish = vi.spyOn(channels.request.asyncEnd, 'publish');
    const trace = vi.spyOn(Object.getPrototypeOf(channels.request), 'tracePromise');
    await makeClient({ fetch: stubFetch(json(ARTICLE)) }).articles.get(42);
    expect([publish.mock.calls, trace.mock.calls]).toEqual([[], []]);
  });
});

describe('multilocal:sync', () => {
  it('traces a sync with its counts', async () => {
    const notes = listen('sync');
    const result = await makeClient({ fetch: stubFetch(json(LIST)) }).articles.syncTo(memoryStore());
    const start = { operation: 'articles.syncTo', upserted: 0, unpublished: 0, deleted: 0, requests: 0, done: false };
    expect(notes.map(({ event }) => event)).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
    expect(notes[0]?.copy).toEqual(start);
    const { cursor: _, ...counts } = result;
    expect(counts).toMatchObject({ upserted: 1, requests: 1, done: true });
    expect(ended(notes)).toEqual([{ operation: 'articles.syncTo', ...counts }]);
  });

  it.each([
    ['counts what was done before a failure', memoryStore(), 1],
    ['traces a sync that the client refuses', {} as never, 0],
  ])('%s', async (_, store, requests) => {
    const notes = listen('sync');
    const error = await rejection(makeClient({ fetch: stubFetch(refuse(500)), maxRetries: 0 }).articles.syncTo(store));
    expect(ended(notes)).toMatchObject([{ upserted: 0, requests, done: false }]);
    expect(ended(notes)[0]?.error).toBe(error);
  });

  it('is not changed by a subscriber that freezes the trace', async () => {
    const start = (trace: SyncTrace) => void Object.freeze(trace);
    channels.sync.subscribe({ start } as never);
    onTestFinished(() => void channels.sync.unsubscribe({ start } as never));
    const client = makeClient({ fetch: stubFetch(json(LIST), refuse(500)), maxRetries: 0 });
    expect(await client.articles.syncTo(memoryStore())).toMatchObject({ upserted: 1, done: true });
    expect(await rejection(client.articles.syncTo(memoryStore()))).toBeInstanceOf(InternalServerError);
  });
});

describe('without node:diagnostics_channel', () => {
  it.each([
    ['a process without `getBuiltinModule`', undefined],
    ['a runtime that does not have the module', () => undefined],
    ['a module without tracing channels', () => ({})],
  ])('calls work in %s', async (_, getBuiltinModule) => {
    vi.resetModules();
    vi.stubGlobal('process', { ...process, getBuiltinModule });
    onTestFinished(() => void vi.unstubAllGlobals().resetModules());
    const notes = listen();
    const { Client } = await import('../../src/index.js');
    const client = new Client({ apiKey: KEY, baseUrl: 'https://service.test', fetch: stubFetch(json(ARTICLE)) });
    expect(await client.articles.get(42)).toEqual(ARTICLE);
    expect(notes).toEqual([]);
    const { instrument } = await import('../../src/otel/index.js');
    const api = await import('@opentelemetry/api');
    expect(() => instrument(api)).toThrow('nodejs_compat');
  });
});
