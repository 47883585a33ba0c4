import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import {
  ArticlesClient,
  BulleOutOfScopeError,
  ConnectionError,
  NotFoundError,
  RedirectError,
} from '../../src/articles.js';
import { Client } from '../../src/index.js';
import { caught } from '../support/clients.js';
import type { Seen } from './services.js';

const { urls, keys, ids, article, control } = inject('services');

type Place = keyof typeof urls;

function connect(place: Place, apiKey: string | undefined = keys.sphere): ArticlesClient {
  return new ArticlesClient({ apiKey, baseUrl: urls[place], maxRetries: 0 });
}

/** What a server saw since it was asked last. */
async function seen(place: Place): Promise<Seen[]> {
  return (await fetch(`${control}/${place}`)).json();
}

const methods = async (place: Place) => (await seen(place)).map(({ method }) => method);

/** Headers that Chromium adds to every request; what is left is the client's doing. */
const BROWSER =
  /^(host|connection|user-agent|origin|referer|accept-encoding|accept-language|cache-control|pragma|content-length|sec-.*)$/;

function own({ headers }: Seen): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !BROWSER.test(name)));
}

/** What a preflight asks leave for. */
function asked({ method, url, headers }: Seen) {
  return [`${method} ${url}`, headers['access-control-request-method'], headers['access-control-request-headers']];
}

beforeAll(() => {
  for (const url of Object.values(urls)) expect(new URL(url).origin).not.toBe(location.origin);
  expect(navigator.serviceWorker.controller).toBeNull();
});

it('the mock server answers a page of another origin: all changes, and errors that can be read', async () => {
  const articles = connect('mock');
  const { total } = await articles.list({ status: 'published' });
  const found = new Set<number>();
  for await (const { id } of articles.changes()) found.add(id);
  expect(found.size).toBe(total);
  const outOfScope = connect('mock', keys.bulle).list({ bulle_id: ids.otherBulle });
  expect(await caught(outOfScope, BulleOutOfScopeError)).toMatchObject({ status: 403, attempts: 1 });
  const detail = expect.stringContaining('introuvable');
  expect(await caught(articles.get(999_999), NotFoundError)).toMatchObject({ status: 404, detail });
});

// What a browser tells of these is "Failed to fetch", so the client has to say what it may be.
describe('answers that the browser hides: a ConnectionError names CORS and what to check', () => {
  const apiKey = keys.sphere;
  it.each<[string, () => PromiseLike<unknown>]>([
    [
      'a route that answers no other origin',
      () => new Client({ apiKey, baseUrl: urls.mock, dangerouslyAllowBrowser: true, maxRetries: 0 }).me(),
    ],
    ['an error that comes without CORS headers', () => connect('gateway').list()],
  ])('%s', async (_, call) => {
    const error = await caught(call(), ConnectionError);
    expect(error.message).toMatch(/CORS/);
    expect(error.message).toMatch(/check/i);
  });
});

it.each<[string, method: string, (articles: ArticlesClient) => PromiseLike<unknown>]>([
  ['a read', 'GET', (articles) => articles.list()],
  ['a confirmation', 'POST', (articles) => articles.confirm(article)],
])('%s follows no redirect to another origin: status 0, and the target gets nothing', async (_, method, call) => {
  const error = await caught(call(connect('redirect')), RedirectError);
  expect(error).toMatchObject({ status: 0, location: undefined });
  expect(await methods('redirect')).toEqual(['OPTIONS', method]);
  expect(await seen('elsewhere')).toEqual([]);
});

describe('a service whose preflight allows X-API-Key and Content-Type alone', () => {
  const json = { accept: 'application/json', 'x-api-key': keys.sphere };
  const written = { ...json, 'content-type': 'application/json' };
  beforeEach(() => seen('strict'));

  it.each<[string, (articles: ArticlesClient) => PromiseLike<unknown>, path: string, asks: string[], object]>([
    ['lists', (api) => api.list({ status: 'published' }), '?status=published', ['GET', 'x-api-key'], json],
    ['gets', (api) => api.get(article), `/${article}`, ['GET', 'x-api-key'], json],
    ['confirms', (api) => api.confirm(article), `/${article}/confirm`, ['POST', 'content-type,x-api-key'], written],
  ])('%s', async (_, call, path, asks, headers) => {
    await call(connect('strict'));
    const [preflight, request, ...more] = (await seen('strict')) as [Seen, Seen];
    expect(asked(preflight)).toEqual([`OPTIONS /api/v2/articles${path}`, ...asks]);
    expect([own(request), more]).toEqual([headers, []]);
  });

  it('refuses a header more, as it should for these tests to show anything', async () => {
    const articles = new ArticlesClient({
      apiKey: keys.sphere,
      baseUrl: urls.strict,
      maxRetries: 0,
      headers: { 'X-Client': 'one' },
    });
    await caught(articles.list(), ConnectionError);
    expect(await methods('strict')).toEqual(['OPTIONS']);
  });
});

describe('without a key, through articlesProxy', () => {
  const articles = new ArticlesClient({ baseUrl: urls.proxy, maxRetries: 0 });
  beforeEach(() => seen('proxy'));

  it('reads without a preflight, and without a key', async () => {
    const { total } = await articles.list({ status: 'published' });
    expect(total).toBeGreaterThan(0);
    expect((await articles.get(article)).id).toBe(article);
    const [newest] = (await articles.latest({ limit: 1, fields: ['id', 'slug'] })).articles;
    expect((await articles.bySlug(newest?.slug ?? '')).id).toBe(newest?.id);
    await articles.related(article);
    const requests = await seen('proxy');
    expect(requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toEqual([
      'GET /content/api/v2/articles',
      `GET /content/api/v2/articles/${article}`,
      'GET /content/api/v2/articles',
      'GET /content/api/v2/articles',
      `GET /content/api/v2/articles/${article}/related`,
    ]);
    expect(requests.map(own)).toEqual(Array(5).fill({ accept: 'application/json' }));
  });

  it('confirms, and the preflight asks for Content-Type alone', async () => {
    const confirmed = await articles.confirm(article, { rendered_url: 'https://www.example.com/blog/1' });
    expect(confirmed.article_id).toBe(article);
    const [preflight, request] = (await seen('proxy')) as [Seen, Seen];
    expect(asked(preflight)).toEqual([`OPTIONS /content/api/v2/articles/${article}/confirm`, 'POST', 'content-type']);
    expect(own(request)).toEqual({ accept: 'application/json', 'content-type': 'application/json' });
  });
});
