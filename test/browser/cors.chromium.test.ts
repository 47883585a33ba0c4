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

function connect(place: keyof typeof urls, apiKey: string | undefined = keys.sphere): ArticlesClient {
  return new ArticlesClient({ apiKey, baseUrl: urls[place], maxRetries: 0 });
}

/** What a server saw since it was asked last. */
async function seen(place: keyof typeof urls): Promise<Seen[]> {
  return (await fetch(`${control}/${place}`)).json();
}

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

describe('the mock server, from a page of another origin', () => {
  it('lists and gets with the key', async () => {
    const { total, articles } = await connect('mock').list({ status: 'published' });
    expect(total).toBeGreaterThan(articles.length);
    expect(await connect('mock').get(article)).toMatchObject({ id: article, status: 'published' });
  });

  it('goes through all changes', async () => {
    const { total } = await connect('mock').list({ status: 'published' });
    const seen = new Set<number>();
    for await (const { id } of connect('mock').changes()) seen.add(id);
    expect(seen.size).toBe(total);
  });

  it('confirms with a JSON body', async () => {
    const confirmed = await connect('mock').confirm(article, { rendered_url: 'https://www.example.com/blog/1' });
    expect(confirmed).toMatchObject({ article_id: article, confirmation_source: 'pingback' });
  });

  it('errors arrive typed, since they can be read', async () => {
    const outOfScope = connect('mock', keys.bulle).list({ bulle_id: ids.otherBulle });
    expect(await caught(outOfScope, BulleOutOfScopeError)).toMatchObject({ status: 403, attempts: 1 });
    expect(await caught(connect('mock').get(999_999), NotFoundError)).toMatchObject({
      status: 404,
      detail: expect.stringContaining('introuvable'),
    });
  });
});

// What a browser tells of these is "Failed to fetch", so the client has to say what it may be.
describe('answers that the browser hides: a ConnectionError names CORS and what to check', () => {
  it('a route that answers no other origin', async () => {
    const client = new Client({
      apiKey: keys.sphere,
      baseUrl: urls.mock,
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
    });
    const error = await caught(client.me(), ConnectionError);
    expect(error.message).toMatch(/CORS/);
    expect(error.message).toMatch(/check/i);
  });

  it('an error that comes without CORS headers', async () => {
    const error = await caught(connect('gateway').list(), ConnectionError);
    expect((await seen('gateway')).map(({ method }) => method)).toEqual(['OPTIONS', 'GET']);
    expect(error.message).toMatch(/CORS/);
    expect(error.message).toMatch(/check/i);
  });
});

describe('a redirect to another origin', () => {
  it.each([
    ['a read', (articles: ArticlesClient) => articles.list()],
    ['a confirmation', (articles: ArticlesClient) => articles.confirm(article)],
  ])('is not followed by %s: status 0, and the target gets nothing', async (_, call) => {
    const error = await caught(call(connect('redirect')), RedirectError);
    expect(error).toMatchObject({ status: 0, location: undefined });
    expect((await seen('redirect')).map(({ method }) => method)).toEqual([
      'OPTIONS',
      expect.stringMatching(/GET|POST/),
    ]);
    expect(await seen('elsewhere')).toEqual([]);
  });
});

describe('a service whose preflight allows X-API-Key and Content-Type alone', () => {
  beforeEach(() => seen('strict'));

  it('lists', async () => {
    await connect('strict').list({ status: 'published' });
    const [preflight, request, ...more] = (await seen('strict')) as [Seen, Seen];
    expect(asked(preflight)).toEqual(['OPTIONS /api/v2/articles?status=published', 'GET', 'x-api-key']);
    expect(own(request)).toEqual({ accept: 'application/json', 'x-api-key': keys.sphere });
    expect(more).toEqual([]);
  });

  it('gets', async () => {
    await connect('strict').get(article);
    const [preflight, request, ...more] = (await seen('strict')) as [Seen, Seen];
    expect(asked(preflight)).toEqual([`OPTIONS /api/v2/articles/${article}`, 'GET', 'x-api-key']);
    expect(own(request)).toEqual({ accept: 'application/json', 'x-api-key': keys.sphere });
    expect(more).toEqual([]);
  });

  it('confirms', async () => {
    await connect('strict').confirm(article);
    const [preflight, request, ...more] = (await seen('strict')) as [Seen, Seen];
    expect(asked(preflight)).toEqual([`OPTIONS /api/v2/articles/${article}/confirm`, 'POST', 'content-type,x-api-key']);
    expect(own(request)).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'x-api-key': keys.sphere,
    });
    expect(more).toEqual([]);
  });

  it('refuses a header more, as it should for these tests to show anything', async () => {
    const articles = new ArticlesClient({
      apiKey: keys.sphere,
      baseUrl: urls.strict,
      maxRetries: 0,
      headers: { 'X-Client': 'one' },
    });
    await caught(articles.list(), ConnectionError);
    expect((await seen('strict')).map(({ method }) => method)).toEqual(['OPTIONS']);
  });
});

describe('without a key, through articlesProxy', () => {
  const articles = new ArticlesClient({ baseUrl: urls.proxy, maxRetries: 0 });
  beforeEach(() => seen('proxy'));

  it('reads without a preflight, and without a key', async () => {
    const { total } = await articles.list({ status: 'published' });
    expect(total).toBeGreaterThan(0);
    expect((await articles.get(article)).id).toBe(article);
    const requests = await seen('proxy');
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /content/api/v2/articles?status=published',
      `GET /content/api/v2/articles/${article}`,
    ]);
    expect(requests.map(own)).toEqual([{ accept: 'application/json' }, { accept: 'application/json' }]);
  });

  it('reads the newest, an article by its slug, and related ones, all without a preflight', async () => {
    const fields = ['id', 'slug', 'category', 'published_at'] as const;
    const { articles: newest, total } = await articles.latest({ limit: 3, fields });
    const dates = newest.map(({ published_at }) => String(published_at));
    expect(dates).toEqual(dates.toSorted().reverse());
    expect(newest.map((one) => Object.keys(one).toSorted())).toEqual(Array(3).fill(fields.toSorted()));
    expect(total).toBeGreaterThan(3);
    const [first] = newest;
    const { id, content_html, category } = await articles.bySlug(first?.slug ?? '');
    expect([id, typeof content_html]).toEqual([first?.id, 'string']);
    const related = await articles.related(id, { limit: 2, fields: ['id', 'category'] });
    expect(related.map((one) => one.category)).toEqual([category, category]);
    expect(related.map((one) => one.id)).not.toContain(id);
    const ofCategory = await articles.latest({ category: category ?? '', fields: ['id'], limit: 100 }).toArray();
    expect(ofCategory.length).toBeGreaterThan(2);
    await caught(articles.bySlug('no-such-slug'), NotFoundError);
    expect((await seen('proxy')).map(({ method }) => method)).not.toContain('OPTIONS');
  });

  it('confirms, and the preflight asks for Content-Type alone', async () => {
    const confirmed = await articles.confirm(article, { rendered_url: 'https://www.example.com/blog/1' });
    expect(confirmed.article_id).toBe(article);
    const [preflight, request] = (await seen('proxy')) as [Seen, Seen];
    expect(asked(preflight)).toEqual([`OPTIONS /content/api/v2/articles/${article}/confirm`, 'POST', 'content-type']);
    expect(own(request)).toEqual({ accept: 'application/json', 'content-type': 'application/json' });
  });
});

describe('a relative baseUrl', () => {
  const sentTo = async (baseUrl: string) => {
    const calls: string[] = [];
    const fetch = async (input: RequestInfo | URL) => {
      calls.push(new Request(input).url);
      return Response.json({ id: 42 });
    };
    await new ArticlesClient({ baseUrl, fetch, validation: 'off' }).get(42);
    return calls;
  };

  it('is an address of the page', async () => {
    expect(await sentTo('/content')).toEqual([`${location.origin}/content/api/v2/articles/42`]);
    expect(await sentTo('./content/')).toEqual([new URL('./content/api/v2/articles/42', location.href).href]);
  });

  it('follows the <base> of the page, as links do', async () => {
    const base = document.createElement('base');
    base.href = '/shop/';
    document.head.append(base);
    try {
      expect(await sentTo('./content')).toEqual([`${location.origin}/shop/content/api/v2/articles/42`]);
    } finally {
      base.remove();
    }
  });

  it('is none without a slash, which is an address that lacks its scheme', () => {
    expect(() => new ArticlesClient({ baseUrl: 'api.example.com' })).toThrow('begins with https://');
  });
});
