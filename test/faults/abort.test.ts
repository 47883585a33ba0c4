import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Client, ClientOptions } from '../../src/client.js';
import { makeArticles, rejection } from '../support/clients.js';
import { ARTICLE } from '../support/fixtures.js';
import { answerProperly, type Exchange, FaultServer, http, sleep, waitFor } from './fault-server.js';

/** Longer than any wait after which a call that was not ended would send its next request. */
const AFTERWARDS = 1300;

interface Phase {
  name: string;
  /** The server's part, by request from 0. */
  received: (exchange: Exchange, index: number) => void;
  options?: ClientOptions;
  /** Before the call that is aborted. */
  prepare?: (api: Client['articles']) => PromiseLike<unknown>;
  call?: (api: Client['articles'], signal: AbortSignal, here: () => void) => PromiseLike<unknown>;
  /** When to abort: the event of the client or `here()` of the call; else when so many requests are there. */
  at: 'retry' | 'wait' | 'here' | number;
  /** Ms from there to the abort. */
  later?: number;
  /** Requests that arrive in all. */
  arrive: number;
}

const never = () => {};
const LONG_TEXT = 'é'.repeat(10_000_000);

const phases: Phase[] = [
  { name: 'while it waits for an answer', received: never, at: 1, arrive: 1 },
  {
    name: 'while it waits for the answer to a costly write',
    received: never,
    call: (api, signal) => api.publish(42, {}, { signal }),
    at: 1,
    arrive: 1,
  },
  {
    name: 'within the headers',
    received: ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\ncontent-type: applic'),
    at: 1,
    later: 30,
    arrive: 1,
  },
  {
    name: 'within the body',
    received: ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"id": 42,'),
    at: 1,
    later: 30,
    arrive: 1,
  },
  {
    name: 'within the body of a refusal',
    received: ({ socket }) => void socket.write('HTTP/1.1 400 Bad Request\r\ncontent-length: 500\r\n\r\n{"detail"'),
    at: 1,
    later: 30,
    arrive: 1,
  },
  {
    name: 'within a body that does not end',
    received: ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n[');
      const timer = setInterval(() => socket.write('1,'.repeat(1000)), 5);
      socket.on('close', () => clearInterval(timer));
    },
    at: 1,
    later: 50,
    arrive: 1,
  },
  {
    name: 'in the backoff',
    received: ({ socket }) => void socket.end(http(503, '{}')),
    at: 'retry',
    later: 20,
    arrive: 1,
  },
  {
    name: 'in the backoff after a broken connection',
    received: ({ socket }) => void socket.resetAndDestroy(),
    at: 'retry',
    later: 20,
    arrive: 1,
  },
  {
    name: 'in the wait that a Retry-After of a 503 asks for',
    received: ({ socket }) => void socket.end(http(503, '{}', { 'retry-after': '1' })),
    at: 'retry',
    later: 20,
    arrive: 1,
  },
  {
    name: 'in the hold of a 429',
    received: ({ socket }) => void socket.end(http(429, '{}', { 'retry-after': '1' })),
    at: 'retry',
    later: 20,
    arrive: 1,
  },
  {
    name: 'in the hold of a 429 of a costly write',
    received: ({ socket }) => void socket.end(http(429, '{}', { 'retry-after': '1' })),
    call: (api, signal) => api.publish(42, {}, { signal }),
    at: 'retry',
    later: 20,
    arrive: 1,
  },
  {
    name: 'in the limiter’s queue',
    received: answerProperly,
    options: { rateLimit: { perMinute: 1 } },
    prepare: (api) => api.get(42),
    at: 'wait',
    later: 20,
    arrive: 1,
  },
  {
    name: 'between polls',
    received: (exchange) => exchange.socket.end(http(200, JSON.stringify({ ...ARTICLE, content_html: '' }))),
    call: (api, signal, here) => api.waitUntilWritten(42, { signal, pollInterval: 400, onPoll: here }),
    at: 'here',
    later: 20,
    arrive: 1,
  },
  {
    name: 'in a poll',
    received: never,
    call: (api, signal) => api.waitUntilWritten(42, { signal, pollInterval: 400 }),
    at: 1,
    arrive: 1,
  },
  {
    name: 'between two pages of a walk through all changes',
    received: ({ socket }, index) => {
      if (index > 0) return;
      const articles = [ARTICLE, { ...ARTICLE, id: 43, updated_at: '2026-11-03T08:00:00.123456+00:00' }];
      socket.end(http(200, JSON.stringify({ articles, total: 9, limit: 2, offset: 0 })));
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

describe('an abort', () => {
  const ended: { name: string; server: FaultServer; arrive: number; at: number }[] = [];

  // Each on its own: what is left in the process is counted.
  it.each(phases)('$name', async (phase) => {
    const { received, options, prepare, at, later = 5, arrive } = phase;
    const { call = (api, signal) => api.get(42, { signal }) } = phase;
    let requests = 0;
    const server = await start((exchange) => {
      requests++;
      received(exchange, requests - 1);
      if (requests === at) here();
    });
    let here = () => {};
    const isHere = new Promise<void>((resolve) => {
      here = resolve;
    });
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
    await waitFor(() => server.open.size === 0 && underWay().length === 0);
    expect(server.open.size).toBe(0);
    expect(underWay()).toEqual([]);
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
    await waitFor(() => underWay().length === 0);
    expect(underWay()).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await sleep(50);
    expect(server.connections).toBe(0);
  });

  it('while a large body is on its way out', async () => {
    const sockets: Socket[] = [];
    // Takes the connection and reads nothing.
    const connected = (socket: Socket) => void sockets.push(socket.pause());
    const server = new FaultServer(() => ({ connected, received: never }));
    servers.push(server);
    const { url: baseUrl } = await server.listen();
    const controller = new AbortController();
    const { signal } = controller;
    const failed = rejection(makeArticles({ baseUrl }).update(42, { content_html: LONG_TEXT }, { signal }));
    await waitFor(() => sockets.length > 0);
    await sleep(50);
    controller.abort('assez');
    expect(await failed).toBe('assez');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await waitFor(() => underWay().length === 0);
    expect(underWay()).toEqual([]);
    // The end of a connection shows to those who read.
    sockets[0]?.resume();
    expect(await waitFor(() => sockets[0]?.destroyed === true)).toBe(true);
    expect(sockets[0]?.bytesRead).toBeLessThan(LONG_TEXT.length);
  });

  it('of a call behind a 429 of another: the other goes on', async () => {
    let requests = 0;
    const server = await start((exchange) => {
      requests++;
      if (requests > 1) answerProperly(exchange);
      else exchange.socket.end(http(429, '{}', { 'retry-after': '1' }));
    });
    const events: string[] = [];
    const api = makeArticles({ baseUrl: server.url, onEvent: ({ type }) => void events.push(type) });
    const first = api.get(42);
    await vi.waitFor(() => expect(events).toContain('retry'));
    const controller = new AbortController();
    const behind = rejection(api.publish(42, {}, { signal: controller.signal }));
    await vi.waitFor(() => expect(events).toContain('wait'));
    controller.abort('assez');
    expect(await behind).toBe('assez');
    expect(await first).toEqual(ARTICLE);
    await sleep(200);
    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it('of the call that was held by a 429: those behind it still wait as long as was asked', async () => {
    let requests = 0;
    const server = await start((exchange) => {
      requests++;
      if (requests > 1) answerProperly(exchange);
      else exchange.socket.end(http(429, '{}', { 'retry-after': '1' }));
    });
    const events: string[] = [];
    const api = makeArticles({ baseUrl: server.url, onEvent: ({ type }) => void events.push(type) });
    const controller = new AbortController();
    const held = rejection(api.get(42, { signal: controller.signal }));
    await vi.waitFor(() => expect(events).toContain('retry'));
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

function start(received: (exchange: Exchange) => void): Promise<FaultServer> {
  const server = new FaultServer(() => ({ received }));
  servers.push(server);
  return server.listen();
}

/** Timers and connections under way that keep the process alive; vitest has some of its own for a moment. */
function underWay(): string[] {
  return process.getActiveResourcesInfo().filter((type) => ['Timeout', 'Immediate', 'TCPConnectWrap'].includes(type));
}
