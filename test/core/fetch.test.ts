// What `fetch` may do: that of Node sends some requests twice, and that of a library or a test has other responses.
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Client,
  type ClientOptions,
  ConfigurationError,
  type FetchOptions,
  type RequestOptions,
} from '../../src/index.js';
import { BODIES } from '../spec/bodies.js';
import { answering, caught, makeArticles, makeClient, makePage, rejection } from '../support/clients.js';
import { ARTICLE, CREATION, PUBLICATION } from '../support/fixtures.js';
import { sendJson, serve } from '../support/server.js';
import { json, type StubFetch, stubFetch } from '../support/stub-fetch.js';

const creation = { title: 'Le pain', target_keyword: 'pain é', bulle_id: 'b-1' };

/** Replaces the global `fetch` for a test. Returns the options that it gets. */
function replaceFetch(respond: (init: RequestInit & { next?: unknown }, url: string) => unknown) {
  const seen: (RequestInit & { next?: unknown; keepalive?: boolean })[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    seen.push(init);
    return Response.json(respond(init, url));
  });
  return seen;
}

describe('a 421, after which the fetch of Node sends a request again', () => {
  const misdirected = () => serve((_, response) => sendJson(response, { detail: 'ailleurs' }, 421));

  it.each<[string, (articles: ReturnType<typeof makeArticles>) => Promise<unknown>]>([
    ['with a body', (articles) => articles.create(creation)],
    ['without parameters', (articles) => articles.publish(42)],
    ['of a client that was given this fetch', (articles) => articles.publish(42)],
  ])('reaches the service once for a costly write %s', async (name, write) => {
    const { url, arrived } = await misdirected();
    const { fetch } = globalThis;
    const options = { baseUrl: url, fetchOptions: { keepalive: true }, ...(name.startsWith('of') && { fetch }) };
    expect(await rejection(write(makeArticles(options)))).toMatchObject({ status: 421, attempts: 1 });
    expect(arrived).toHaveLength(1);
  });

  it.each<[string, (client: Client) => PromiseLike<unknown>]>([
    ['a read', (client) => client.articles.get(42)],
    ['a PUT', (client) => client.posts.update(7, { content: 'a' })],
    ['a DELETE', (client) => client.posts.delete(7)],
  ])('reaches the service once for %s, as the limiter counts it', async (_, call) => {
    const { url, arrived } = await misdirected();
    const client = makeClient({ baseUrl: url });
    expect(await rejection(call(client))).toMatchObject({ status: 421, attempts: 1, outcome: 'not_applied' });
    expect((await client.budget()).minute.used).toBe(1);
    expect(arrived).toHaveLength(1);
  });

  it('and a write that succeeds has the same request as before: its length, type and body', async () => {
    const { url, arrived } = await serve((_, response) => sendJson(response, CREATION));
    const articles = makeArticles({ baseUrl: url });
    await articles.create(creation);
    await articles.publish(42).catch(() => {});
    const [request, empty] = arrived;
    expect(JSON.parse(request?.body ?? '')).toEqual(creation);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': `${Buffer.byteLength(request?.body ?? '')}`,
    });
    for (const one of arrived) expect(one.headers).not.toHaveProperty('transfer-encoding');
    expect(empty?.headers['content-length']).toBe(`${empty?.body.length}`);
  });

  it('gives a replaced global fetch a string as the body', async () => {
    const seen = replaceFetch(() => CREATION);
    await makeArticles().create(creation);
    expect(seen.map(({ body }) => body)).toEqual([JSON.stringify(creation)]);
    expect(seen[0]).not.toHaveProperty('duplex');
  });

  it.each(['of the process', 'of the option'])(
    'gives a mock of undici, the dispatcher %s, a string too',
    async (where) => {
      const bodies: unknown[] = [];
      const dispatch = (options: { body: unknown }) => {
        bodies.push(options.body);
        throw new Error('seen');
      };
      const dispatcher = { isMockActive: true, dispatch };
      const place = Symbol.for('undici.globalDispatcher.1');
      const globals = globalThis as unknown as Record<symbol, unknown>;
      const before = globals[place];
      onTestFinished(() => void Object.assign(globals, { [place]: before }));
      if (where === 'of the process') globals[place] = dispatcher;
      const options = where === 'of the process' ? {} : { fetchOptions: { dispatcher } };
      await rejection(makeArticles(options).create(creation));
      expect(`${bodies[0]}`).toBe(JSON.stringify(creation));
    },
  );
});

it('a costly write gets a connection of its own in Bun, which would send it again on a connection that broke', async () => {
  const { bun: _, undici: __, ...versions } = process.versions as Record<string, string>;
  vi.stubGlobal('process', { ...process, versions: { ...versions, bun: '1.3.11' } });
  vi.resetModules();
  onTestFinished(() => void vi.resetModules());
  const seen = replaceFetch(() => PUBLICATION);
  const { Client } = await import('../../src/index.js');
  const client = new Client({ apiKey: 'key', baseUrl: 'https://api.test', fetchOptions: { keepalive: true } });
  await client.articles.publish(42);
  await client.articles.confirm(42).catch(() => {});
  expect(seen.map(({ keepalive }) => keepalive)).toEqual([false, true]);
});

describe('a cache of fetch', () => {
  const post = { id: 7 };
  const text = (content: string) => ({ content, platforms: ['facebook' as const], bulle_id: 'b-1' });

  it.each<[string, ClientOptions]>([
    ['`next` of the client', { fetchOptions: { next: { revalidate: 60 } } as object }],
    ['`cache` of the client', { fetchOptions: { cache: 'force-cache' } }],
    ['the default of a framework', {}],
    ['the default of a framework, whose function was bound', {}],
  ])('answers no write: %s', async (name, options) => {
    const cache = new Map<string, unknown>();
    let sent = 0;
    const seen = replaceFetch(({ method, body, next, cache: mode }) => {
      const key = `${method} ${body}`;
      const isCached = mode !== 'no-store' || next !== undefined;
      if (isCached && cache.has(key)) return cache.get(key);
      sent++;
      cache.set(key, post);
      return post;
    });
    if (name.endsWith('bound')) Object.assign(options, { fetch: globalThis.fetch.bind(globalThis) });
    const client = makeClient({ rateLimit: false, validation: 'off', ...options });
    const { fetch: _, ...others } = options;
    for (const given of [client, client.withOptions(others as RequestOptions)]) {
      await given.posts.create(text('a'));
      await given.posts.create({ ...text('a'), dry_run: true } as never).catch(() => {});
      await given.posts.update(7, { content: 'b' });
      await given.posts.delete(7);
      await given.request({ method: 'PATCH', path: '/posts/7', body: {} });
    }
    expect(sent).toBe(10);
    await client.posts.get(7);
    expect(seen.at(-1)).toMatchObject(options.fetchOptions ?? {});
    expect(seen.at(-1)?.cache).toBe(options.fetchOptions?.cache);
  });

  it('answers no read that tells whether a write happened', async () => {
    const seen = replaceFetch((_, url) =>
      url.includes('/posts') ? [] : BODIES[url.includes('/reports') ? 'reports.list' : 'articles.get'],
    );
    const client = makeClient({ fetchOptions: { next: { revalidate: 60 }, cache: 'force-cache' } as object });
    await client.posts.findRecent({ content: 'a', since: new Date() });
    await client.articles.waitUntilWritten(42);
    await client.reports.wait({ report_name: 'Octobre', since: '2000-01-01' });
    expect(seen.map(({ cache, next }) => [cache, next])).toEqual(Array(3).fill(['no-store', undefined]));
  });

  it.each<[FetchOptions & { next?: object }, string | undefined]>([
    [{ next: { tags: ['a'] } }, 'next'],
    [{ cache: 'force-cache' }, 'cache'],
    [{ cache: 'default' }, 'cache'],
    [{ cache: 'no-store' }, undefined],
    [{ cache: 'reload' }, undefined],
  ])('in the options of one write, %j: %s is refused', async (fetchOptions, name) => {
    const { client, fetch } = answering(post);
    const calls = [
      client.posts.create(text('a'), { fetchOptions }),
      client.posts.delete(7, { fetchOptions }),
      client.request({ method: 'PATCH', path: '/posts/7' }, { fetchOptions }),
      makePage({ fetch, validation: 'off' }).confirm(42, {}, { fetchOptions }),
    ];
    const endings = await Promise.all(
      calls.map((call) =>
        call.then(
          () => undefined,
          (error) => error.issues?.[0].path,
        ),
      ),
    );
    expect(endings).toEqual(calls.map(() => name && ['fetchOptions', name]));
    expect(fetch.calls.map(({ init }) => init.cache)).toEqual(name ? [] : calls.map(() => fetchOptions.cache));
    expect(await client.posts.get(7, { fetchOptions })).toEqual(post);
  });

  it('is not mentioned to a fetch that does not know the option, as in older Workers', async () => {
    const RealRequest = Request;
    vi.stubGlobal(
      'Request',
      class extends RealRequest {
        constructor(url: string, init?: RequestInit) {
          if (init && 'cache' in init) throw new TypeError('The `cache` field is not implemented');
          super(url, init);
        }
      },
    );
    const seen = replaceFetch(() => post);
    await makeClient({ validation: 'off' }).posts.create(text('a'));
    expect(seen[0]).not.toHaveProperty('cache');
  });
});

describe('a header that a framework forbids to read', () => {
  const locked = (status: number, body: unknown) => async () => {
    const response = Response.json(body, {
      status,
      headers: { 'retry-after': '1', date: 'x', 'x-multilocal-proxy': '1' },
    });
    response.headers.get = (name) => {
      throw new Error(`"${name}" must be included by the \`filterSerializedResponseHeaders\` option`);
    };
    return response;
  };

  it.each<[number, string, (client: Client) => PromiseLike<unknown>]>([
    [503, 'service_unavailable', (client) => client.posts.get(7)],
    [503, 'service_unavailable', (client) => client.articles.publish(42)],
    [302, 'redirect', (client) => client.posts.get(7)],
  ])('counts as absent: %i is %s', async (status, code, call) => {
    const client = makeClient({ fetch: locked(status, {}), maxRetries: 0 });
    expect(await rejection(call(client))).toMatchObject({ code });
  });

  it('does not stop a call, and is no mark of the proxy', async () => {
    expect(await makeClient({ fetch: locked(200, ARTICLE) }).articles.get(42)).toEqual(ARTICLE);
    const page = makePage({ fetch: locked(200, { articles: [], total: 0, limit: 20, offset: 0 }) });
    const { message } = await caught(page.latest(), ConfigurationError);
    expect(message).toContain('articlesProxy');
  });
});

/** A response as node-fetch and cross-fetch have it: its body is a stream of Node. */
function ofNodeFetch(body: string, status = 200) {
  const headers = new Map([['content-type', 'application/json']]);
  return { ok: status < 300, status, headers, body: Readable.from([body]), text: async () => body };
}

type Fetch = ClientOptions['fetch'];
/** A `fetch` of a library or a test. Its responses are no `Response`s. */
function fetchOf(create: () => unknown) {
  let calls = 0;
  const fetch = async () => {
    calls++;
    return create();
  };
  return { fetch: fetch as unknown as Fetch, calls: () => calls };
}

describe('a fetch of another library', () => {
  it.each<[string, (body: string, status?: number) => unknown]>([
    ['with bodies of Node (node-fetch, cross-fetch)', ofNodeFetch],
    [
      'with the fewest fields: ok, status, headers.get and text',
      (body, status = 200) => ({ ok: status < 300, status, headers: { get: () => null }, text: async () => body }),
    ],
  ])('%s reads, writes and fails like the global one', async (_, respond) => {
    const read = fetchOf(() => respond(JSON.stringify(ARTICLE)));
    expect(await makeArticles({ fetch: read.fetch }).get(42)).toEqual(ARTICLE);
    const write = fetchOf(() => respond(JSON.stringify(PUBLICATION), 201));
    expect(await makeArticles({ fetch: write.fetch }).publish(42)).toEqual(PUBLICATION);
    const refusal = fetchOf(() => respond('{"detail":"introuvable"}', 404));
    expect(await rejection(makeArticles({ fetch: refusal.fetch }).get(42))).toMatchObject({
      code: 'not_found',
      detail: 'introuvable',
    });
    const broken = fetchOf(() => respond('{"detail":"panne"}', 500));
    expect(await rejection(makeArticles({ fetch: broken.fetch }).publish(42))).toMatchObject({
      status: 500,
      outcome: 'unknown',
    });
    expect([read, write, refusal, broken].map(({ calls }) => calls())).toEqual([1, 1, 1, 1]);
  });

  it('reads no more of a body than the limit', async () => {
    const { fetch } = fetchOf(() => ofNodeFetch(`"${'x'.repeat(17_000_000)}"`));
    const error = await rejection(makeArticles({ fetch, validation: 'off' }).get(42));
    expect(error).toMatchObject({ code: 'invalid_response', issues: [{ message: 'is too large' }] });
  });
});

describe('a fetch that returns no Response', () => {
  const text = async () => '{}';
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'headers'],
    ['only a json method', { ok: true, status: 200, json: async () => ARTICLE }, 'headers'],
    ['headers as a plain object', { ok: true, status: 200, headers: {}, text }, 'headers'],
    ['no body', { ok: true, status: 200, headers: new Headers(), json: async () => ARTICLE }, 'text'],
    ['no body, and an error status', { ok: false, status: 500, headers: new Headers() }, 'text'],
  ])('%s: the error says what is missing, without a retry', async (_, response, missing) => {
    const { fetch, calls } = fetchOf(() => response);
    const error = await caught(makeArticles({ fetch }).get(42), ConfigurationError);
    expect(error.message).toContain(`\`fetch\` returned no Response (no \`${missing}\`)`);
    expect(error).toMatchObject({ attempts: 1, operation: 'articles.get' });
    expect(calls()).toBe(1);
  });

  it.each<[string, (response: Response) => unknown]>([
    ['read', (response) => response.text()],
    ['locked', (response) => response.body?.getReader()],
  ])('is named if it has %s the body itself, after one attempt', async (_, read) => {
    const { fetch, calls } = fetchOf(async () => {
      const response = Response.json(PUBLICATION);
      await read(response);
      return response;
    });
    const error = await caught(makeArticles({ fetch }).get(42), ConfigurationError);
    expect(error.message).toContain('`fetch` has read the body. It may read that of `response.clone()`');
    expect(await rejection(makeArticles({ fetch }).publish(42))).toMatchObject({ outcome: 'applied', attempts: 1 });
    expect(calls()).toBe(2);
  });

  it('leaves the outcome of a write open', async () => {
    const { fetch } = fetchOf(() => ({}));
    expect(await rejection(makeArticles({ fetch }).publish(42))).toMatchObject({ outcome: 'unknown' });
  });
});

describe('User-Agent', () => {
  const sent = async (client: { get(id: number): Promise<unknown> }, fetch: StubFetch) => {
    await client.get(42);
    return fetch.calls[0]?.headers['user-agent'];
  };

  it.each<[string, Record<string, string | null>, string | undefined]>([
    ['names the package and its version', {}, 'multilocal/source'],
    ['is that of `headers`, in any case', { 'user-agent': 'bakery/1' }, 'bakery/1'],
    ['is left out for `null`', { 'User-Agent': null }, undefined],
  ])('%s', async (_, headers, expected) => {
    const fetch = stubFetch(json(ARTICLE));
    expect(await sent(makeArticles({ fetch, headers }), fetch)).toBe(expected);
  });

  it('is not sent by ArticlesClient, nor in a page', async () => {
    const ofPage = stubFetch(json(ARTICLE));
    expect(await sent(makePage({ fetch: ofPage }), ofPage)).toBeUndefined();
    vi.stubGlobal('window', { document: {} });
    vi.resetModules();
    onTestFinished(() => void vi.unstubAllGlobals().resetModules());
    const { Client } = await import('../../src/index.js');
    const fetch = stubFetch(json(ARTICLE));
    const options = { apiKey: 'key', baseUrl: 'https://api.test', fetch, dangerouslyAllowBrowser: true };
    expect(await sent(new Client(options).articles, fetch)).toBeUndefined();
  });
});
