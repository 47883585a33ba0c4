import { Client } from '@multilocal/client/client';
import { ConfigurationError, RateLimitError } from '@multilocal/client/core/errors/index';
import { thrown } from '@multilocal/test/support/clients';
import type { Article } from 'multilocal';
import { createMockApi, type MockControl } from 'multilocal/mock/server';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type ArticleFilter, type MultilocalLiveLoaderOptions, multilocalLiveLoader } from '../../src/astro/index.js';
import { connectionTo, sanitize } from './support.js';

let api: MockControl;

beforeEach(() => {
  api = createMockApi();
});

const online = () => api.articles.all().filter(({ status }) => status === 'published');
const first = () => online()[0] ?? expect.unreachable();

function loaderOf(more: Partial<MultilocalLiveLoaderOptions> = {}) {
  return multilocalLiveLoader({ connection: connectionTo(api), sanitize, ...more } as MultilocalLiveLoaderOptions);
}

const entry = (filter: ArticleFilter, loader = loaderOf()) => loader.loadEntry({ filter });
const collection = (loader = loaderOf()) => loader.loadCollection({});

describe('an entry', () => {
  it('is found by id with one request, sanitised, with tag and date', async () => {
    const { id, title } = api.articles.touch(first().id, { content_html: '<p>Un</p><script>track()</script>' });
    expect(await entry({ id: String(id) })).toMatchObject({
      id: String(id),
      data: { id, title, content_html: '<p>Un</p>' },
      rendered: { html: '<p>Un</p>' },
      cacheHint: { tags: [`multilocal:article:${id}`], lastModified: new Date(api.articles.get(id).updated_at) },
    });
    expect(api.requests).toHaveLength(1);
  });

  it('is found by slug, in as many pages as needed', async () => {
    const { id, slug } = first();
    expect(await entry({ slug: slug ?? '' })).toMatchObject({ id: String(id), data: { slug } });
    expect(api.requests).toHaveLength(6);
    expect(await entry({ slug: 'no-such-article' })).toBeUndefined();
  });

  it('has the slug that the collection gave it, if several were sent with one, without more requests', async () => {
    const [one, two] = online() as [Article, Article];
    api.articles.touch(one.id, { slug: 'levain', published_at: '2026-03-01T00:00:00Z' });
    api.articles.touch(two.id, { slug: 'levain', published_at: '2026-02-01T00:00:00Z' });
    const loader = loaderOf();
    const own = [`levain-${one.id}`, 'levain'];
    for (const [index, { id }] of [one, two].entries()) {
      const wanted = { id: String(id), data: { id, slug: own[index] } };
      expect(await entry({ slug: String(own[index]) }, loader)).toMatchObject(wanted);
      expect(await entry({ id: String(id) }, loader)).toMatchObject(wanted);
      const { entries = [] } = (await collection(loader)) as { entries?: unknown[] };
      expect(entries.find((one) => Object(one).id === String(id))).toMatchObject(wanted);
    }
    expect(api.requests).toHaveLength(5 + 2 * (2 + 5));
    api.articles.touch(one.id, { slug: 'froment' });
    expect(await entry({ slug: `levain-${one.id}` }, loader)).toBeUndefined();
  });

  it('is nothing for a draft, a deleted article and an article of another location', async () => {
    const [offline, deleted] = online() as [Article, Article];
    api.articles.unpublish(offline.id);
    api.articles.remove(deleted.id);
    for (const { id } of [offline, deleted]) expect(await entry({ id: String(id) })).toBeUndefined();
    expect(await entry({ slug: offline.slug ?? '' })).toBeUndefined();
    const client = new Client(connectionTo(api)).forBulle(api.ids.bulle);
    for (const loader of [loaderOf({ bulle_id: api.ids.bulle }), loaderOf({ client, connection: undefined })]) {
      for (const isHere of [true, false]) {
        const { id, slug } = online().find(({ bulle_id }) => (bulle_id === api.ids.bulle) === isHere) as Article;
        const found = isHere ? expect.objectContaining({ id: String(id) }) : undefined;
        expect(await entry({ id: String(id) }, loader)).toEqual(found);
        expect(await entry({ slug: String(slug) }, loader)).toEqual(found);
      }
    }
  });

  it('costs no request for an id that cannot exist', async () => {
    for (const id of ['', '0', '-1', '1.5', '1e3', ' 1', '../1', 'abc', '9'.repeat(20)]) {
      expect(await entry({ id })).toBeUndefined();
    }
    // A route without its parameter gives such filters.
    for (const filter of [{ slug: '' }, { slug: undefined }, {}, undefined]) {
      expect(await entry(filter as ArticleFilter)).toBeUndefined();
    }
    expect(api.requests).toHaveLength(0);
  });
});

describe('unknown addresses', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));

  it('share one walk over the slugs for a minute, also at the same time', async () => {
    const loader = loaderOf();
    const slugs = Array.from({ length: 20 }, (_, index) => `wp-login-${index}`);
    await Promise.all(slugs.map((slug) => entry({ slug }, loader)));
    for (const slug of slugs) expect(await entry({ slug }, loader)).toBeUndefined();
    expect(api.requests).toHaveLength(5);
    const { slug } = api.articles.add({ title: 'Tout neuf' });
    vi.advanceTimersByTime(59_000);
    expect(await entry({ slug: slug ?? '' }, loader)).toBeUndefined();
    vi.advanceTimersByTime(1000);
    expect(await entry({ slug: slug ?? '' }, loader)).toMatchObject({ data: { slug } });
  });

  it('cost one request a minute for each id', async () => {
    const loader = loaderOf();
    const { id } = first();
    api.articles.unpublish(id);
    for (const filter of [{ id: '999999' }, { id: String(id) }]) {
      for (let round = 0; round < 3; round++) expect(await entry(filter, loader)).toBeUndefined();
    }
    expect(api.requests).toHaveLength(2);
    api.articles.touch(id, { status: 'published' });
    vi.advanceTimersByTime(60_000);
    expect(await entry({ id: String(id) }, loader)).toMatchObject({ id: String(id) });
    expect(api.requests).toHaveLength(3);
  });

  it('are forgotten if there are too many', { tags: 'long' }, async () => {
    const fetch = vi.fn(async () => Response.json({ detail: 'Article introuvable.' }, { status: 404 }));
    const loader = loaderOf({ connection: connectionTo(api, { fetch }) });
    for (let id = 900_000; id <= 901_000; id++) await entry({ id: String(id) }, loader);
    const before = fetch.mock.calls.length;
    await entry({ id: '900001' }, loader);
    expect(fetch).toHaveBeenCalledTimes(before);
    await entry({ id: '900000' }, loader);
    expect(fetch).toHaveBeenCalledTimes(before + 1);
  });

  it('leave 20 requests of a minute to others, and wait at most 10 s', async () => {
    const loader = loaderOf({ connection: connectionTo(api, { rateLimit: undefined }) });
    const ids = Array.from({ length: 45 }, (_, index) => String(900_000 + index));
    const results = await Promise.all(ids.map((id) => entry({ id }, loader)));
    expect(results.filter((result) => result !== undefined)).toEqual(
      Array(5).fill({ error: expect.any(RateLimitError) }),
    );
    expect(api.requests).toHaveLength(40);
  });
});

describe('the collection', () => {
  it('has every published article, or those of `bulle_id`, a tag of its own and the date of the last change', async () => {
    api.articles.unpublish(first().id);
    const ofOne = await collection(loaderOf({ bulle_id: api.ids.bulle }));
    const own = online().filter(({ bulle_id }) => bulle_id === api.ids.bulle);
    expect(ofOne).toMatchObject({ entries: { length: own.length } });
    const before = api.requests.length;
    const result = await collection();
    if ('error' in result) throw result.error;
    const sorted = result.entries.map(({ id }) => Number(id)).sort((a, b) => a - b);
    expect(sorted).toEqual(online().map(({ id }) => id));
    const last = Math.max(...online().map(({ updated_at }) => Date.parse(updated_at)));
    expect(result.cacheHint).toEqual({ tags: ['multilocal:articles'], lastModified: new Date(last) });
    expect(api.requests.length - before).toBe(5);
    for (const { id, cacheHint } of result.entries) expect(cacheHint?.tags).toEqual([`multilocal:article:${id}`]);
  });
});

describe('a failure', () => {
  it.each([{ network: true }, { status: 503 }, { status: 401 }, { status: 404, body: '<h1>Not found</h1>' }])(
    'is the `error` of the result: %j',
    async (fault) => {
      const loader = loaderOf();
      const restore = api.fail({ ...fault, times: Number.POSITIVE_INFINITY });
      const { id, slug } = first();
      for (const filter of [{ id: String(id) }, { slug: slug ?? '' }]) {
        expect(await entry(filter, loader)).toEqual({ error: expect.any(Error) });
      }
      expect(await collection(loader)).toEqual({ error: expect.any(Error) });
      restore();
      expect(await entry({ id: String(id) }, loader)).toMatchObject({ id: String(id) });
    },
  );

  it('of the options or of the sanitiser is an `error` too', async () => {
    const filter = { id: String(first().id) };
    const unconnected = loaderOf({ connection: { apiKey: '', baseUrl: '' } });
    expect(await entry(filter, unconnected)).toEqual({ error: expect.any(ConfigurationError) });
    const broken = loaderOf({ sanitize: () => Promise.reject(new Error('broken')) });
    expect(await entry(filter, broken)).toEqual({ error: new Error('broken') });
  });
});

it('refuses unknown options, and to work without a sanitiser', () => {
  const misspelt = { bulleId: 'b-lyon' } as Partial<MultilocalLiveLoaderOptions>;
  expect(thrown(() => loaderOf(misspelt), ConfigurationError).message).toContain('Did you mean `bulle_id`?');
  // @ts-expect-error: either `sanitize` or `unsafeHtml` is required.
  thrown(() => multilocalLiveLoader({ connection: connectionTo(api) }), ConfigurationError);
});
