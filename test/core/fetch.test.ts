// What `fetch` may do: that of Node sends some requests twice, and that of a library or a test has other responses.
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ClientOptions, ConfigurationError } from '../../src/index.js';
import { caught, makeArticles, makePage, rejection } from '../support/clients.js';
import { ARTICLE, CREATION, PUBLICATION } from '../support/fixtures.js';
import { sendJson, serve } from '../support/server.js';
import { json, type StubFetch, stubFetch } from '../support/stub-fetch.js';

const creation = { title: 'Le pain', target_keyword: 'pain é', bulle_id: 'b-1' };

describe('a 421, after which the fetch of Node sends a request again', () => {
  const misdirected = () => serve((_, response) => sendJson(response, { detail: 'ailleurs' }, 421));

  it.each<[string, (articles: ReturnType<typeof makeArticles>) => Promise<unknown>]>([
    ['with a body', (articles) => articles.create(creation)],
    ['without parameters', (articles) => articles.publish(42)],
  ])('reaches the service once for a costly write %s', async (_, write) => {
    const { url, arrived } = await misdirected();
    const options = { baseUrl: url, fetchOptions: { keepalive: true } };
    expect(await rejection(write(makeArticles(options)))).toMatchObject({ status: 421, attempts: 1 });
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

  it('gives a replaced global fetch a body that it can read as a text', async () => {
    const bodies: string[] = [];
    vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
      bodies.push(JSON.parse(body).title, `${body}`);
      return Response.json(CREATION);
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    await makeArticles().create(creation);
    expect(bodies).toEqual([creation.title, JSON.stringify(creation)]);
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
