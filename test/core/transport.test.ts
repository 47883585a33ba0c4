import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ArticlesClient } from '../../src/articles.js';
import { SLOW_TIMEOUT } from '../../src/core/call.js';
import {
  BadRequestError,
  type Client,
  type ClientEvent,
  type ClientOptions,
  ConnectionError,
  InvalidResponseError,
  isMultilocalError,
  RedirectError,
  TimeoutError,
} from '../../src/index.js';
import { caught, makeArticles, makeClient, rejection } from '../support/clients.js';
import { ARTICLE, KEY, LIST, PUBLICATION, UPDATE } from '../support/fixtures.js';
import { sendJson, serve } from '../support/server.js';
import { deaf, hang, json, type Reply, raw, refuse, type Seen, stubFetch } from '../support/stub-fetch.js';

type Call = (api: Client['articles']) => PromiseLike<unknown>;

/** A reply whose headers are there and whose body does not end. */
const stalledBody = (status = 200): Reply => {
  const start = (controller: ReadableStreamDefaultController) => controller.enqueue(Buffer.from('{"id": 42,'));
  return () => new Response(new ReadableStream({ start }), { status });
};

describe('the transport', () => {
  describe('the address', () => {
    it.each([
      ['https://api.test', 'https://api.test/api/v2/articles/42'],
      ['https://api.test//', 'https://api.test/api/v2/articles/42'],
      ['https://api.test/api/v2/', 'https://api.test/api/v2/articles/42'],
      ['https://api.test/tenant/a/api/v2/', 'https://api.test/tenant/a/api/v2/articles/42'],
      ['https://API.test/Tenant', 'https://api.test/Tenant/api/v2/articles/42'],
      ['http://[::1]:4000', 'http://[::1]:4000/api/v2/articles/42'],
    ])('%s', async (baseUrl, expected) => {
      const fetch = stubFetch(json(ARTICLE));
      await makeArticles({ fetch, baseUrl }).get(42);
      expect(fetch.calls[0]?.url.href).toBe(expected);
    });

    it('has an encoded query: + as %2B, no undefined values, and no question mark without a query', async () => {
      const fetch = stubFetch(json(LIST));
      const api = makeArticles({ fetch });
      await api.list({ updated_since: '2026-11-02T08:00:00+00:00', bulle_id: 'a b&c=é#', status: undefined });
      await api.list();
      expect(fetch.calls.map(({ request }) => request.url.split('/api/v2')[1])).toEqual([
        '/articles?updated_since=2026-11-02T08%3A00%3A00%2B00%3A00&bulle_id=a+b%26c%3D%C3%A9%23',
        '/articles',
      ]);
    });
  });

  it('has these headers on the wire: one key, no Content-Type on GET, no cookies, and text beyond ASCII as it is', async () => {
    const { url, arrived } = await serve(({ method }, response) =>
      sendJson(response, method === 'GET' ? ARTICLE : UPDATE),
    );
    const api = makeArticles({ baseUrl: url });
    await api.get(42);
    await api.update(42, { title: 'Crème brûlée 🍮 — l’été' });
    // What undici adds by itself, and what we send.
    const allowed = 'host connection accept accept-language sec-fetch-mode user-agent accept-encoding'.split(' ');
    const own = arrived.map(({ headers }) => Object.entries(headers).filter(([name]) => !allowed.includes(name)));
    expect(own.map(Object.fromEntries)).toEqual([
      { 'x-api-key': KEY },
      { 'x-api-key': KEY, 'content-type': 'application/json', 'content-length': expect.any(String) },
    ]);
    expect(arrived.map(({ body }) => body)).toEqual(['', '{"title":"Crème brûlée 🍮 — l’été"}']);
  });

  // test/faults has redirects on real sockets, for every status and kind of operation.
  it.each([
    ['https://other.test/x?token=abc', 'https://other.test'],
    ['//127.0.0.1:1/x', 'https://127.0.0.1:1'],
    ['/elsewhere', 'https://api.test'],
    ['javascript:alert(1)', 'null'],
    ['http://[', undefined],
    [undefined, undefined],
  ])('a redirect to %j is not followed, and the error shows only the origin %j', async (location, origin) => {
    const fetch = stubFetch(raw(null, { status: 302, headers: location === undefined ? {} : { location } }));
    const error = await caught(makeArticles({ fetch, baseUrl: 'https://api.test' }).get(42), RedirectError);
    expect(error).toMatchObject({ code: 'redirect', status: 302, attempts: 1 });
    expect(error.location).toBe(origin);
    expect(error.message).not.toContain('token');
    expect(fetch.calls.map(({ init }) => init.redirect)).toEqual(['manual']);
  });

  it('a redirect that a browser hides is a RedirectError', async () => {
    const opaque: Reply = () =>
      Object.defineProperties(Response.error(), { type: { value: 'opaqueredirect' }, status: { value: 0 } });
    const error = await caught(makeArticles({ fetch: stubFetch(opaque) }).get(42), RedirectError);
    expect(error).toMatchObject({ status: 0, attempts: 1 });
  });

  describe('a timeout', () => {
    beforeEach(() => void vi.useFakeTimers());

    /** What the call rejects with after exactly this long, and not a moment earlier. */
    async function rejectionAfter(ms: number, call: PromiseLike<unknown>): Promise<unknown> {
      let isSettled = false;
      const error = rejection(call).finally(() => (isSettled = true));
      await vi.advanceTimersByTimeAsync(ms - 1);
      expect(isSettled).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(isSettled).toBe(true);
      return error;
    }

    it.each([
      ['before the headers', hang],
      ['before the headers, though fetch ignores the signal', deaf],
      ['within the body', stalledBody()],
    ])('%s', async (_, reply) => {
      const fetch = stubFetch(reply);
      const error = await rejectionAfter(500, makeArticles({ fetch, timeout: 500, maxRetries: 0 }).get(42));
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ code: 'timeout', attempts: 1, operation: 'articles.get' });
      expect(fetch.calls).toHaveLength(1);
    });

    it.each<[string, number, Call]>([
      ['get', 30_000, (api) => api.get(42)],
      ['publish', SLOW_TIMEOUT, (api) => api.publish(42)],
    ])('of %s is %i ms by default, that of the client, or first that of the call', async (_, ms, call) => {
      const options = { fetch: stubFetch(deaf), maxRetries: 0 };
      expect(await rejectionAfter(ms, call(makeArticles(options)))).toBeInstanceOf(TimeoutError);
      expect(await rejectionAfter(20, call(makeArticles({ ...options, timeout: 20 })))).toMatchObject({ attempts: 1 });
    });

    it.each([
      ['timeout', { timeout: 30, maxRetries: 0 }],
      ['totalTimeout', { totalTimeout: 30 }],
    ])('%s of the call takes precedence, also beside a signal that never aborts', async (name, options) => {
      const { signal } = new AbortController();
      const api = makeArticles({ fetch: stubFetch(hang), [name]: 60_000 });
      expect(await rejectionAfter(30, api.get(42, { ...options, signal }))).toBeInstanceOf(TimeoutError);
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    });

    it('longer than the longest timer does not fire at once', async () => {
      const slow: Reply = async () => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return new Response(JSON.stringify(ARTICLE));
      };
      for (const timeout of [2 ** 31, 1e15, Number.POSITIVE_INFINITY]) {
        const article = makeArticles({ fetch: stubFetch(slow), timeout, totalTimeout: timeout }).get(42);
        await vi.advanceTimersByTimeAsync(30);
        expect(await article).toEqual(ARTICLE);
      }
    });

    it('for the whole call covers all attempts together', async () => {
      const api = makeArticles({ fetch: stubFetch(hang), timeout: 600, totalTimeout: 1_000, maxRetries: 50 });
      const error = await rejectionAfter(1_000, api.get(42));
      expect((error as TimeoutError).attempts).toBeLessThanOrEqual(2);
    });
  });

  describe('an abort', () => {
    const reasons: unknown[] = [new Error('assez'), 'assez', 0, null, { why: 'assez' }, undefined];
    // test/faults has more phases, on real sockets.
    const phases: [name: string, reply: Reply, rateLimit?: ClientOptions['rateLimit']][] = [
      ['in flight', hang],
      ['in flight, with a fetch that is deaf to it', deaf],
      ['within the body', stalledBody()],
      ['within the body of a refusal', stalledBody(400)],
      ['in the backoff', refuse(503, 'x', { 'retry-after': '30' })],
      ['in the queue of the limiter', json(ARTICLE), { perMinute: 1 }],
    ];

    it.each(phases)('%s rejects at once with the reason, whatever it is', async (_, reply, rateLimit) => {
      vi.useFakeTimers();
      for (const reason of reasons) {
        const fetch = stubFetch(reply);
        const api = makeArticles({ fetch, ...(rateLimit && { rateLimit }) });
        if (rateLimit) await api.get(1);
        const controller = new AbortController();
        const failed = rejection(api.get(42, { signal: controller.signal }));
        await vi.advanceTimersByTimeAsync(25);
        expect(fetch.calls).toHaveLength(1);
        controller.abort(reason);
        // The clock stands still from here on.
        expect(await failed).toBe(controller.signal.reason);
        await vi.advanceTimersByTimeAsync(60_000);
        expect(fetch.calls).toHaveLength(1);
        expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
      }
    });

    it('before the call sends nothing, and after the response changes nothing', async () => {
      const fetch = stubFetch(json(ARTICLE));
      for (const reason of reasons) {
        const signal = AbortSignal.abort(reason);
        expect(await rejection(makeArticles({ fetch }).get(42, { signal }))).toBe(signal.reason);
      }
      expect(fetch.calls).toHaveLength(0);
      const controller = new AbortController();
      const result = await makeArticles({ fetch }).get(42, { signal: controller.signal });
      controller.abort();
      expect(result).toEqual(ARTICLE);
    });

    it('by an AbortSignal.timeout of the caller is not a TimeoutError of the package', async () => {
      const signal = AbortSignal.timeout(20);
      const reason = await rejection(makeArticles({ fetch: stubFetch(hang) }).get(42, { signal }));
      expect(reason).toBe(signal.reason);
      expect(isMultilocalError(reason)).toBe(false);
    });
  });

  it('one signal for many calls has no listener after them, and causes no warning', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const controller = new AbortController();
    const { signal } = controller;
    await makeArticles({ fetch: stubFetch(json(ARTICLE)) }).get(42, { signal });
    await rejection(makeArticles({ fetch: stubFetch(refuse(404)) }).get(42, { signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    // Half of these wait in the limiter.
    const api = makeArticles({ fetch: stubFetch(hang), rateLimit: { perMinute: 100 } });
    const calls = Array.from({ length: 200 }, () => rejection(api.get(42, { signal })));
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort('assez');
    expect(await Promise.all(calls)).toEqual(Array(200).fill('assez'));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(warnings.map(({ name }) => name)).not.toContain('MaxListenersExceededWarning');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('the time that runs out after the whole body of a costly write came does not matter', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const fetch = stubFetch(json(PUBLICATION));
    // An observer that blocks: the timer fires before the call has ended.
    const onEvent = ({ type }: ClientEvent) => void (type === 'response' && vi.advanceTimersByTime(60_000));
    expect(await makeArticles({ fetch, onEvent, timeout: 1_000 }).publish(42)).toEqual(PUBLICATION);
    expect(fetch.calls).toHaveLength(1);
  });

  // Which failure is repeated, and what it comes to: retry.test.ts. Cut, endless and odd bodies on real sockets: test/faults.
  describe('a body', () => {
    it('of HTML with 200 is an InvalidResponseError that names the call and holds the text', async () => {
      const body = '<!doctype html><title>Connexion</title>';
      const error = await caught(makeArticles({ fetch: stubFetch(raw(body)) }).get(42), InvalidResponseError);
      const expected = { code: 'invalid_response', status: 200, operation: 'articles.get', attempts: 1, body };
      expect(error).toMatchObject(expected);
    });

    it.each<[string, Record<string, string>]>([
      ['no content type', {}],
      ['text/plain', { 'content-type': 'text/plain' }],
      ['problem+json', { 'content-type': 'application/problem+json' }],
      ['a charset', { 'content-type': 'application/json; charset=utf-8' }],
    ])('with %s is still read as JSON', async (_, headers) => {
      const body = new TextEncoder().encode(JSON.stringify(ARTICLE));
      expect(await makeArticles({ fetch: stubFetch(raw(body, { headers })) }).get(42)).toEqual(ARTICLE);
    });

    it('of an error response is cancelled after a few megabytes', async () => {
      let pulled = 0;
      let cancelled = false;
      const stream = () =>
        new ReadableStream({
          pull(controller) {
            pulled += 65_536;
            controller.enqueue(new Uint8Array(65_536).fill(120));
            if (pulled > 64 * 1024 * 1024) controller.close();
          },
          cancel() {
            cancelled = true;
          },
        });
      const reply: Reply = () => new Response(stream(), { status: 400 });
      await caught(makeArticles({ fetch: stubFetch(reply) }).get(42), BadRequestError);
      expect(pulled).toBeLessThan(8 * 1024 * 1024);
      expect(cancelled).toBe(true);
    });
  });

  describe('a custom fetch', () => {
    it.each<[string, () => Response, message: string]>([
      ['throws synchronously', () => expect.unreachable('pas de réseau'), 'pas de réseau'],
      ['returns Response.error()', () => Response.error(), 'no response'],
    ])('that %s is a failed connection', async (_, respond, message) => {
      const fetch = respond as unknown as typeof globalThis.fetch;
      const error = await caught(makeArticles({ fetch, maxRetries: 0 }).get(42), ConnectionError);
      expect([error.message, (error.cause as Error).message]).toEqual(Array(2).fill(expect.stringContaining(message)));
    });

    it('is called without `this`, as browsers require', async () => {
      let receiver: unknown = 'none';
      const fetch = function (this: unknown) {
        receiver = this;
        return Promise.resolve(Response.json(ARTICLE));
      } as typeof globalThis.fetch;
      await makeArticles({ fetch }).get(42);
      expect([undefined, globalThis]).toContain(receiver);
    });

    it('is the global fetch of the moment of the call if no option sets it', async () => {
      const api = makeArticles();
      const fetch = stubFetch(json(ARTICLE));
      vi.stubGlobal('fetch', fetch);
      await api.get(42);
      expect(fetch.calls).toHaveLength(1);
    });
  });

  describe('fetchOptions', () => {
    it('do not configure the HTTP library', async () => {
      const fetch = stubFetch(refuse(503));
      const steer = {
        retry: 5,
        timeout: 1,
        throwHttpErrors: false,
        json: { a: 1 },
        searchParams: 'a=1',
        prefixUrl: 'https://evil.test',
        hooks: { beforeRequest: [() => new Response('{}')] },
      } as never;
      const error = await rejection(makeArticles({ fetch, maxRetries: 0, fetchOptions: steer }).get(42));
      expect(error).toMatchObject({ status: 503 });
      expect(fetch.calls).toHaveLength(1);
      expect(fetch.calls[0]?.url.search).toBe('');
    });
  });
});

describe('ArticlesClient without a key', () => {
  it('sends no key', async () => {
    const { url, arrived } = await serve((_, response) => sendJson(response, LIST));
    await new ArticlesClient({ baseUrl: `${url}/content` }).list();
    expect(arrived[0]?.target).toBe('/content/api/v2/articles');
    expect(arrived[0]?.headers['x-api-key']).toBeUndefined();
  });
});

describe('Client', () => {
  it('two clients that take turns keep their own keys and addresses', async () => {
    const sent: Seen[] = [];
    const answer: Reply = (seen) => {
      sent.push(seen);
      return Response.json(ARTICLE);
    };
    const make = (apiKey: string, host: string, headers = {}) =>
      makeClient({ apiKey, baseUrl: `https://${host}.test`, headers, fetch: stubFetch(answer) });
    const clients = [make('key-a', 'a', { 'x-of': 'a' }), make('key-b', 'b', { 'x-of': 'b' }), make('key-c', 'b')];
    for (let id = 1; id <= 3; id++) await Promise.all(clients.map((client) => client.articles.get(id)));
    const told = sent.map(({ url, headers }) => `${url.host} ${headers['x-api-key']} ${headers['x-of']}`);
    expect([...new Set(told)]).toEqual(['a.test key-a a', 'b.test key-b b', 'b.test key-c undefined']);
  });
});
