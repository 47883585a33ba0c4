// The methods of `ArticlesClient` that only `articlesProxy` answers, and the methods that it does not have.
import { NEWEST } from '@multilocal/sites/proxy/request';
import { createMockApi } from 'multilocal/mock/server';
import { articlesProxy } from 'multilocal/proxy';
import { describe, expect, it } from 'vitest';
import * as entry from '../../src/articles.js';
import {
  type Article,
  type ArticleLatestParams,
  ArticlesClient,
  ConfigurationError,
  InvalidRequestError,
  InvalidResponseError,
  NotFoundError,
} from '../../src/articles.js';
import { Client } from '../../src/client.js';
import { PROXY_MARK } from '../../src/page/mark.js';
import { scopeErrors, statuses } from '../spec/errors.js';
import { caught, freshUrl, makePage, rejection } from '../support/clients.js';
import { ARTICLE, KEY, LIST } from '../support/fixtures.js';
import { json, type Reply, raw, refuse, stubFetch } from '../support/stub-fetch.js';

const marked =
  (reply: Reply): Reply =>
  async (seen, index) => {
    const { body, status, headers } = await reply(seen, index);
    return new Response(body, { status, headers: [...headers, [PROXY_MARK, '1']] });
  };

/** An `articlesProxy` of a mock, and what is online there, newest first. */
function setUp() {
  const api = createMockApi();
  const { keys, baseUrl, handle } = api;
  const client = new Client({ apiKey: keys.sphere, baseUrl, fetch: handle, rateLimit: false });
  const proxy = articlesProxy({ client, path: '/content' });
  const fetch = stubFetch(({ request }) => proxy(request));
  const articles = new ArticlesClient({ baseUrl: `${freshUrl()}/content`, fetch });
  const online = api.articles
    .all()
    .filter(({ status }) => status === 'published')
    .sort((a, b) => String(b.published_at).localeCompare(String(a.published_at)));
  const sent = () => fetch.calls.map(({ url }) => decodeURIComponent(url.pathname + url.search));
  return { api, articles, fetch, online, sent };
}

const page = (...script: Reply[]) => {
  const fetch = stubFetch(...script);
  return { fetch, articles: makePage({ fetch, maxRetries: 0 }) };
};

describe('latest', () => {
  it('is one page if awaited, newest publication first', async () => {
    const { articles, online, sent } = setUp();
    const { articles: newest, total, offset } = await articles.latest({ limit: 3 });
    expect(newest).toEqual(online.slice(0, 3));
    expect({ total, offset }).toEqual({ total: online.length, offset: 0 });
    expect(sent()).toEqual(['/content/api/v2/articles?order=newest&status=published&limit=3']);
  });

  it('iterates all articles by offset until the total is reached', async () => {
    const { articles, online, sent } = setUp();
    const seen: string[] = [];
    for await (const { slug } of articles.latest({ limit: 7, fields: ['id', 'slug'] })) seen.push(String(slug));
    expect(seen).toEqual(online.map(({ slug }) => slug));
    expect(sent()).toHaveLength(Math.ceil(online.length / 7));
    expect(sent()[1]).toBe(
      '/content/api/v2/articles?order=newest&status=published&limit=7&fields=id&fields=slug&offset=7',
    );
  });

  it('stops at a limit and on break, and asks for no page that it does not need', async () => {
    const { articles, fetch } = setUp();
    expect(await articles.latest({ limit: 5 }).toArray({ limit: 5 })).toHaveLength(5);
    expect(fetch.calls).toHaveLength(1);
  });

  it('filters by category and location', async () => {
    const { articles, online } = setUp();
    const { category, bulle_id } = online.find((article) => article.category && article.bulle_id) as Article;
    const all = await articles.latest({ category: String(category), bulle_id: String(bulle_id) }).toArray();
    expect(all.length).toBeGreaterThan(0);
    expect(all).toEqual(online.filter((one) => one.category === category && one.bulle_id === bulle_id));
  });

  it.each<[string, ArticleLatestParams, (online: Article[]) => object[]]>([
    ['no parameters', {}, (online) => online],
    ['an offset', { offset: 5, limit: 100 }, (online) => online.slice(5)],
    ['fields', { fields: ['id', 'slug'], limit: 20 }, (online) => online.map(({ id, slug }) => ({ id, slug }))],
    ['no ids', { limit: 9, fields: ['category'] }, (online) => online.map(({ category }) => ({ category }))],
  ])('takes %s', async (_, params, expected) => {
    const { articles, online } = setUp();
    const { limit = NEWEST } = params;
    expect((await articles.latest(params)).articles).toEqual(expected(online).slice(0, limit));
    expect(await articles.latest(params).toArray()).toEqual(expected(online));
  });

  it('is an empty list if nothing matches', async () => {
    const { articles, fetch } = setUp();
    expect(await articles.latest({ category: 'Nulle part' })).toMatchObject({ articles: [], total: 0 });
    expect(await articles.latest({ category: 'Nulle part' }).toArray()).toEqual([]);
    expect(fetch.calls).toHaveLength(2);
  });

  it('yields no article twice if one is published meanwhile, and ends if a page repeats', async () => {
    const pageOf = (...ids: number[]) =>
      marked(json({ ...LIST, articles: ids.map((id) => ({ ...ARTICLE, id })), total: 9 }));
    const moved = page(pageOf(5, 4), pageOf(4, 3), marked(json({ ...LIST, articles: [], total: 9 })));
    expect((await moved.articles.latest({ limit: 2 }).toArray()).map(({ id }) => id)).toEqual([5, 4, 3]);
    const repeating = page(pageOf(5, 4));
    expect(await repeating.articles.latest({ limit: 2 }).toArray()).toHaveLength(2);
    expect(repeating.fetch.calls).toHaveLength(2);
  });

  it.each([1, 2, 3])('ends at the total if as many are published meanwhile as a page of %i holds', async (limit) => {
    const online = Array.from({ length: 7 }, (_, index) => 7 - index);
    const fetch = stubFetch((seen, index) => {
      const offset = Number(seen.url.searchParams.get('offset') ?? 0);
      if (offset === limit) online.unshift(...Array.from({ length: limit }, (_, index) => 10 - index));
      const articles = online.slice(offset, offset + limit).map((id) => ({ ...ARTICLE, id }));
      return marked(json({ articles, total: online.length, limit, offset }))(seen, index);
    });
    const found = await makePage({ fetch }).latest({ limit }).toArray();
    expect(found.map(({ id }) => id)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  it.each<[string, object, string]>([
    ['fields', { articles: [{ title: 'a' }] }, '`articles[0].id` is required'],
    ['fields of another type', { articles: [{ id: '1', title: 'a' }] }, '`articles[0].id` must be an integer'],
    ['the total', { articles: [], total: undefined }, '`total` is required'],
  ])('finds that a response lacks %s', async (_, body, message) => {
    const { articles } = page(marked(json({ ...LIST, ...body })));
    const error = await caught(articles.latest({ fields: ['id', 'title'] }), InvalidResponseError);
    expect(error.message).toContain(message);
  });

  it('finds an article of another category, also if the fields do not contain it', async () => {
    for (const category of ['Vins', null]) {
      const { articles } = page(marked(json({ ...LIST, articles: [{ id: 1, category }] })));
      const error = await caught(articles.latest({ category: 'Pains', fields: ['id'] }), InvalidResponseError);
      expect(error.issues).toMatchObject([{ path: ['articles', 0, 'category'] }]);
    }
    const { articles } = page(marked(json({ ...LIST, articles: [{ id: 1 }] })));
    expect((await articles.latest({ category: 'Pains', fields: ['id'] })).articles).toEqual([{ id: 1 }]);
  });
});

describe('categories', () => {
  it('reads the categories of a location', async () => {
    const body = [{ category: 'Pains', count: 2 }];
    const { articles, fetch } = page(marked(json(body)));
    expect(await articles.categories({ bulle_id: 'b-lyon' })).toEqual(body);
    expect(String(fetch.calls[0]?.url)).toMatch(/\/api\/v2\/categories\?bulle_id=b-lyon$/);
    await caught(articles.categories({ category: 'Pains' } as never), InvalidRequestError);
  });
});

describe('bySlug', () => {
  it('reads the article with the slug', async () => {
    const { articles, online, sent } = setUp();
    const [, wanted] = online as [Article, Article];
    expect(await articles.bySlug(String(wanted.slug))).toEqual(wanted);
    expect(sent()).toEqual([`/content/api/v2/articles?slug=${wanted.slug}&limit=1`]);
    const { data, response } = await articles.bySlug(String(wanted.slug)).withResponse();
    expect([data.id, response.status]).toEqual([wanted.id, 200]);
  });

  it('takes a location', async () => {
    const { articles, online } = setUp();
    const { slug, bulle_id } = online.find((article) => article.bulle_id) as Article;
    expect(await articles.bySlug(String(slug), { bulle_id: String(bulle_id) })).toMatchObject({ slug });
    await caught(articles.bySlug(String(slug), { bulle_id: 'b-elsewhere' }), NotFoundError);
  });

  it('has no key of the response in the error', async () => {
    const body = { articles: [], total: 0, limit: 1, offset: 0, asked_by: KEY };
    const fetch = stubFetch(marked(json(body, { headers: { 'x-asked-by': KEY } })));
    const articles = new ArticlesClient({ apiKey: KEY, baseUrl: freshUrl(), fetch });
    const error = await caught(articles.bySlug('le-pain'), NotFoundError);
    expect(JSON.stringify([error, [...error.headers]])).not.toContain(KEY);
  });

  it('is a NotFoundError if there is none, after one request', async () => {
    const { articles, fetch } = setUp();
    const error = await caught(articles.bySlug('nulle-part'), NotFoundError);
    expect(error).toMatchObject({
      code: 'not_found',
      status: 404,
      operation: 'articles.bySlug',
      path: '/articles',
      attempts: 1,
      origin: 'service',
      outcome: 'not_applied',
      message: 'articles.bySlug: no published article has this slug (404, GET /articles).',
    });
    expect(error.headers.get(PROXY_MARK)).toBe('1');
    expect(fetch.calls).toHaveLength(1);
  });

  it('counts the attempts', async () => {
    const empty = marked(json({ ...LIST, articles: [], total: 0 }));
    const articles = makePage({ fetch: stubFetch(marked(refuse(503, 'x', { 'retry-after': '0' })), empty) });
    expect(await caught(articles.bySlug('x'), NotFoundError)).toMatchObject({ attempts: 2 });
  });

  it('refuses an article with another slug', async () => {
    const { articles } = page(marked(json(LIST)));
    const error = await caught(articles.bySlug('autre'), InvalidResponseError);
    expect(error.issues).toMatchObject([{ path: ['articles', 0, 'slug'] }]);
    expect(await articles.bySlug(String(ARTICLE.slug))).toEqual(ARTICLE);
  });
});

describe('related', () => {
  it('is an array of articles', async () => {
    const { articles, online, sent } = setUp();
    const { id, category } = online[0] as Article;
    const others = online.filter((one) => one.id !== id && one.category === category);
    const found = await articles.related(id, { limit: others.length });
    expect(found.map((one) => one.id).sort()).toEqual(others.map((one) => one.id).sort());
    const [first] = await articles.related(id, { limit: 1, fields: ['title', 'slug'] });
    expect(Object.keys(first ?? {}).sort()).toEqual(['slug', 'title']);
    expect(sent()[1]).toBe(`/content/api/v2/articles/${id}/related?limit=1&fields=title&fields=slug`);
  });

  it('is a NotFoundError for an unknown article', async () => {
    const { articles } = setUp();
    const error = await caught(articles.related(987_654), NotFoundError);
    expect(error).toMatchObject({ code: 'not_found', status: 404, detail: 'No such article.', attempts: 1 });
  });

  it('finds that a response lacks a field', async () => {
    const { articles } = page(marked(json([{ title: 'a' }])));
    const error = await caught(articles.related(1, { fields: ['id', 'title'] }), InvalidResponseError);
    expect(error.issues).toMatchObject([{ path: [0, 'id'] }]);
  });
});

const CALLS: [name: string, call: (articles: ArticlesClient) => PromiseLike<unknown>][] = [
  ['latest', (articles) => articles.latest({ limit: 2 })],
  ['an iteration of latest', (articles) => articles.latest({ fields: ['id'] }).toArray()],
  ['bySlug', (articles) => articles.bySlug('le-pain-au-levain')],
  ['related', (articles) => articles.related(42)],
  ['categories', (articles) => articles.categories()],
];

describe.each(CALLS)('%s, if articlesProxy does not answer', (_, call) => {
  it('names articlesProxy if the service itself answers', async () => {
    const api = createMockApi();
    const fetch = stubFetch(({ request }) => api.handle(request));
    const articles = new ArticlesClient({ apiKey: api.keys.sphere, baseUrl: api.baseUrl, fetch });
    const error = await caught(call(articles), ConfigurationError);
    expect(error.code).toBe('configuration');
    expect(error.message).toContain('this address is not served by `articlesProxy`');
    expect(error).toMatchObject({ attempts: 1, outcome: 'not_applied', method: 'GET' });
    expect(fetch.calls).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ['a list', json(LIST)],
    ['an empty list', json({ ...LIST, articles: [], total: 0 })],
    ['an array', json([])],
    ['another body', json({})],
    ['a page', raw('<!doctype html>')],
    ['an empty body', raw(null, { status: 204 })],
    ['a 400', refuse(400)],
    ['a 400 about the location', refuse(400, 'Précisez `bulle_id`')],
    ['a 404', refuse(404)],
    ['a 404 about the location', refuse(404, 'Établissement introuvable : b-1')],
  ])('%s without the mark is a ConfigurationError, validated or not', async (_name, reply) => {
    for (const validation of ['throw', 'off'] as const) {
      const articles = makePage({ fetch: stubFetch(reply), maxRetries: 0, validation });
      expect((await caught(call(articles), ConfigurationError)).message).toContain('`articlesProxy`');
    }
  });

  it('every other failure stays what it is', async () => {
    const failures: [Reply, string][] = [
      [refuse(401), 'authentication'],
      [refuse(403), 'permission_denied'],
      [refuse(429), 'rate_limit'],
      [refuse(503), 'service_unavailable'],
      [marked(refuse(503)), 'service_unavailable'],
      [marked(refuse(400)), 'bad_request'],
      [marked(refuse(404)), 'not_found'],
      [marked(json({})), 'invalid_response'],
      [raw(null, { status: 302, headers: { location: 'https://elsewhere.test/' } }), 'redirect'],
      [() => Promise.reject(new TypeError('fetch failed')), 'connection'],
    ];
    for (const [reply, code] of failures) expect(await rejection(call(page(reply).articles))).toMatchObject({ code });
  });
});

/** The `fetch` of `load` in SvelteKit: reading a header throws on the server, and headers are missing in the page. */
const kit =
  (fetch: typeof globalThis.fetch, hydrated: boolean): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (hydrated) return new Response(await response.text(), { status: response.status });
    const { get } = response.headers;
    response.headers.get = (name) => {
      if (get.call(response.headers, name) === null) return null;
      throw new Error(`Failed to get response header "${name}"`);
    };
    return response;
  };

describe.each(CALLS.slice(0, 2).concat(CALLS.slice(3)))('%s in SvelteKit', (_, call) => {
  it.each([false, true])('is known by its body if its headers may not be read (hydrated: %s)', async (hydrated) => {
    const { fetch, online } = setUp();
    const baseUrl = `${freshUrl()}/content`;
    const articles = new ArticlesClient({ baseUrl, fetch: kit(fetch, hydrated), maxRetries: 0 });
    const [first] = online as [Article];
    expect(await (call === CALLS[3]?.[1] ? articles.related(first.id) : call(articles))).toBeDefined();
    expect(await articles.bySlug(String(first.slug))).toEqual(first);
    await caught(articles.bySlug('nulle-part'), NotFoundError);
    await caught(articles.related(987_654), NotFoundError);
  });
});

describe('an abort while the body arrives', () => {
  it('rejects with the reason', async () => {
    const leaving = new AbortController();
    const reason = new Error('left');
    const { articles } = page(() => {
      setTimeout(() => leaving.abort(reason), 10);
      return new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{')) }));
    });
    expect(await rejection(articles.latest({}, { signal: leaving.signal }))).toBe(reason);
  });
});

describe('parameters are refused before anything is sent', () => {
  it.each<[string, (articles: ArticlesClient) => PromiseLike<unknown>, path: (string | number)[]]>([
    ['limit 0', (articles) => articles.latest({ limit: 0 }), ['limit']],
    ['limit 101', (articles) => articles.latest({ limit: 101 }), ['limit']],
    ['a negative offset', (articles) => articles.latest({ offset: -1 }), ['offset']],
    ['an empty category', (articles) => articles.latest({ category: '' }), ['category']],
    ['no field', (articles) => articles.latest({ fields: [] }), ['fields']],
    ['fields that are no array', (articles) => articles.latest({ fields: 'id' as never }), ['fields']],
    ['an unknown field', (articles) => articles.latest({ fields: ['id', 'titel' as 'title'] }), ['fields', 1]],
    ['the name of a prototype', (articles) => articles.latest({ fields: ['constructor' as 'id'] }), ['fields', 0]],
    ['another order', (articles) => articles.latest({ order: 'oldest' } as object), ['order']],
    ['drafts', (articles) => articles.latest({ status: 'all' } as object), ['status']],
    ['an unknown parameter', (articles) => articles.latest({ since: '2026' } as object), ['since']],
    ['no slug', (articles) => articles.bySlug(undefined as never), ['slug']],
    ['an empty slug', (articles) => articles.bySlug(''), ['slug']],
    ['no id', (articles) => articles.related(undefined as never), ['article_id']],
    ['limit 0 of related', (articles) => articles.related(1, { limit: 0 }), ['limit']],
    ['no field of related', (articles) => articles.related(1, { fields: [] }), ['fields']],
    ['parameters that are no object', (articles) => articles.latest('id' as never), []],
    ['options that are no object', (articles) => articles.related(1, {}, 'x' as never), ['options']],
  ])('%s', async (_, call, path) => {
    const { articles, fetch } = page(json(LIST));
    const error = await caught(call(articles), InvalidRequestError);
    expect(error.issues).toMatchObject([{ path }]);
    expect(fetch.calls).toEqual([]);
  });

  it('suggests the field that was meant', async () => {
    const { articles } = page(json(LIST));
    const error = await caught(articles.latest({ fields: ['titel' as 'title'] }), InvalidRequestError);
    expect(error.message).toContain('Did you mean "title"?');
  });
});

it('the entry exports no stores, and no errors of syncs, waits and previews', () => {
  expect(Object.keys(entry).filter((name) => /store|Sync|Wait|Mass|DryRun/i.test(name))).toEqual(['SyncStalledError']);
});

describe('the classes of errors', () => {
  it.each<readonly [number, string]>([
    ...statuses.map(([status]) => [status, 'non'] as const),
    ...scopeErrors.map(([status, detail]) => [status, detail] as const),
    [429, 'Quota mensuel atteint.'],
  ])('%i %s: the entry exports the class', async (status, detail) => {
    const page = makePage({ fetch: stubFetch(refuse(status, detail)), maxRetries: 0 });
    const error = (await rejection(page.get(1))) as Error;
    expect(Object.values(entry)).toContain(error.constructor);
    expect(error.name).toBe(Object.entries(entry).find(([, value]) => value === error.constructor)?.[0]);
  });
});
