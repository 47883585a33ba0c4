import { EventEmitter, getEventListeners, once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, ClientOptions } from '../../src/client.js';
import { makeArticles, rejection } from '../support/clients.js';
import { ARTICLE } from '../support/fixtures.js';
import { answerProperly, type Exchange, FaultServer, http, sleep, waitFor } from './fault-server.js';

/** Longer than any wait after which a call that was not ended would send its next request. */
const AFTERWARDS = 1300;

interface Phase {
  name: string;
  /** The server's part, by request from 0. By default it stays silent. */
  received?: (exchange: Exchange, index: number) => void;
  options?: ClientOptions;
  /** Before the call that is aborted. */
  prepare?: (api: Client['articles']) => PromiseLike<unknown>;
  call?: (api: Client['articles'], signal: AbortSignal, here: () => void) => PromiseLike<unknown>;
  /** When to abort: the event of the client or `here()` of the call; else when so many requests are there. */
  at?: 'retry' | 'wait' | 'here' | number;
  /** Ms from there to the abort. */
  later?: number;
  /** Requests that arrive in all. */
  arrive?: number;
}

const never = () => {};
const LONG_TEXT = 'é'.repeat(10_000_000);
const says =
  (text: string) =>
  ({ socket }: Exchange) =>
    void socket.write(text);
const answers =
  (status: number, body: object = {}, headers: Record<string, string> = {}) =>
  ({ socket }: Exchange) =>
    void socket.end(http(status, JSON.stringify(body), headers));
const LATER = { 'retry-after': '1' };
const PAGE = [ARTICLE, { ...ARTICLE, id: 43, updated_at: '2026-11-03T08:00:00.123456+00:00' }];
const endless = ({ socket }: Exchange) => {
  socket.write('HTTP/1.1 200 OK\r\n\r\n[');
  const timer = setInterval(() => socket.write('1,'.repeat(1000)), 5);
  socket.on('close', () => clearInterval(timer));
};
const publish: Phase['call'] = (api, signal) => api.publish(42, {}, { signal });

const phases: Phase[] = [
  { name: 'while it waits for an answer' },
  { name: 'while it waits for the answer to a costly write', call: publish },
  { name: 'within the headers', received: says('HTTP/1.1 200 OK\r\ncontent-type: applic'), later: 30 },
  { name: 'within the body', received: says('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"id": 42,'), later: 30 },
  { name: 'within that of a refusal', received: says('HTTP/1.1 400 No\r\ncontent-length: 500\r\n\r\n{"d'), later: 30 },
  { name: 'within a body that does not end', received: endless, later: 50 },
  { name: 'in the backoff', received: answers(503), at: 'retry' },
  { name: 'in the backoff after a reset', received: ({ socket }) => void socket.resetAndDestroy(), at: 'retry' },
  { name: 'in the wait that a Retry-After of a 503 asks for', received: answers(503, {}, LATER), at: 'retry' },
  { name: 'in the hold of a 429', received: answers(429, {}, LATER), at: 'retry' },
  { name: 'in the hold of a 429 of a costly write', received: answers(429, {}, LATER), call: publish, at: 'retry' },
  {
    name: 'in the limiter’s queue',
    received: answerProperly,
    options: { rateLimit: { perMinute: 1 } },
    prepare: (api) => api.get(42),
    at: 'wait',
  },
  {
    name: 'between polls',
    received: answers(200, { ...ARTICLE, content_html: '' }),
    call: (api, signal, here) => api.waitUntilWritten(42, { signal, pollInterval: 400, onPoll: here }),
    at: 'here',
  },
  { name: 'in a poll', call: (api, signal) => api.waitUntilWritten(42, { signal, pollInterval: 400 }) },
  {
    name: 'between two pages of a walk through all changes',
    received: (exchange, index) => {
      if (index === 0) answers(200, { articles: PAGE, total: 9, limit: 2, offset: 0 })(exchange);
    },
    call: async (api, signal) => {
      for await (const _ of api.changes({}, { signal }));
    },
    at: 2,
    arrive: 2,
  },
];

/** Servers stay until the end: some request might come late. */
const servers: FaultServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** How many were under way when this file began: PGlite, for example, never stops its timer. */
let before = 0;
beforeAll(async () => {
  await sleep(100);
  before = underWay();
});

describe('an abort', () => {
  const ended: { name: string; server: FaultServer; arrive: number; at: number }[] = [];

  // Each on its own: what is left in the process is counted.
  it.each(phases)('$name', async (phase) => {
    const { received = never, options, prepare, at = 1, arrive = 1 } = phase;
    const { later = typeof at === 'string' ? 20 : 5 } = phase;
    const { call = (api, signal) => api.get(42, { signal }) } = phase;
    let requests = 0;
    const server = await start((exchange) => {
      requests++;
      received(exchange, requests - 1);
      if (requests === at) here();
    });
    let here = () => {};
    const isHere = new Promise<void>((resolve) => (here = resolve));
    const api = makeArticles({
      baseUrl: server.url,
      ...options,
      onEvent: ({ type }) => {
        if (type === at) here();
      },
    });
    await prepare?.(api);
    const controller = new AbortController();
    const { signal } = controller;
    const failed = rejection(call(api, signal, here));
    await isHere;
    await sleep(later);
    const reason = new Error('assez');

    controller.abort(reason);
    expect(await failed).toBe(reason);

    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await waitFor(() => server.open.size === 0 && underWay() <= before);
    expect(server.open.size).toBe(0);
    expect(underWay()).toBeLessThanOrEqual(before);
    expect(server.received).toHaveLength(arrive);
    ended.push({ name: phase.name, server, arrive, at: performance.now() });
  });

  it('before the call', async () => {
    const server = await start(answerProperly);
    const reason = new Error('assez');
    const signal = AbortSignal.abort(reason);
    const api = makeArticles({ baseUrl: server.url });
    const calls = [
      api.get(42, { signal }),
      api.update(42, { title: 'Le pain' }, { signal }),
      api.confirm(42, {}, { signal }),
      api.publish(42, {}, { signal }),
      api.waitUntilWritten(42, { signal }),
    ];
    for (const call of calls) expect(await rejection(call)).toBe(reason);
    expect(await waitFor(() => underWay() <= before)).toBe(true);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await sleep(50);
    expect(server.connections).toBe(0);
  });

  it('while a large body is on its way out', async () => {
    const sockets: Socket[] = [];
    // Takes the connection and reads nothing.
    const connected = (socket: Socket) => void sockets.push(socket.pause());
    const { url: baseUrl } = await start(never, connected);
    const controller = new AbortController();
    const { signal } = controller;
    const failed = rejection(makeArticles({ baseUrl }).update(42, { content_html: LONG_TEXT }, { signal }));
    await waitFor(() => sockets.length > 0);
    await sleep(50);
    controller.abort('assez');
    expect(await failed).toBe('assez');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(await waitFor(() => underWay() <= before)).toBe(true);
    // The end of a connection shows to those who read.
    sockets[0]?.resume();
    expect(await waitFor(() => sockets[0]?.destroyed === true)).toBe(true);
    expect(sockets[0]?.bytesRead).toBeLessThan(LONG_TEXT.length);
  });

  /** A service that answers the first request with a 429. */
  async function heldOnce() {
    let requests = 0;
    const server = await start((exchange) => {
      if (++requests > 1) answerProperly(exchange);
      else answers(429, {}, LATER)(exchange);
    });
    const events = new EventEmitter();
    const onEvent = ({ type }: { type: string }) => void events.emit(type);
    return { server, events, api: makeArticles({ baseUrl: server.url, onEvent }) };
  }

  it('of a call behind a 429 of another: the other goes on', async () => {
    const { server, events, api } = await heldOnce();
    const first = api.get(42);
    await once(events, 'retry');
    const controller = new AbortController();
    const waits = once(events, 'wait');
    const behind = rejection(api.publish(42, {}, { signal: controller.signal }));
    // Before any timer, such as the end of the hold, which a busy machine may reach first.
    await waits;
    controller.abort('assez');
    expect(await behind).toBe('assez');
    expect(await first).toEqual(ARTICLE);
    await sleep(200);
    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it('of the call that was held by a 429: those behind it still wait as long as was asked', async () => {
    const { server, events, api } = await heldOnce();
    const controller = new AbortController();
    const held = rejection(api.get(42, { signal: controller.signal }));
    await once(events, 'retry');
    const behind = api.get(42);
    controller.abort('assez');
    expect(await held).toBe('assez');
    expect(await behind).toEqual(ARTICLE);
    const [at429 = 0, next = 0] = server.received.map(({ at }) => at);
    // A lower bound: a busy machine only makes the wait longer. Timers may fire a few ms early.
    expect(next - at429).toBeGreaterThanOrEqual(990);
    expect(server.received).toHaveLength(2);
  });

  it('sends nothing more, in no phase', async () => {
    expect(ended).toHaveLength(phases.length);
    const last = Math.max(...ended.map(({ at }) => at));
    await sleep(Math.max(0, last + AFTERWARDS - performance.now()));
    for (const { name, server, arrive } of ended) expect(server.received.length, name).toBe(arrive);
  });
});

function start(received: (exchange: Exchange) => void, connected?: (socket: Socket) => void) {
  const server = new FaultServer(() => ({ connected, received }));
  servers.push(server);
  return server.listen();
}

/** How many timers and connections keep the process alive. Vitest has some of its own for a moment. */
function underWay(): number {
  const types = ['Timeout', 'Immediate', 'TCPConnectWrap'];
  return process.getActiveResourcesInfo().filter((type) => types.includes(type)).length;
}
