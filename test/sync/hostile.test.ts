import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type ArticleList,
  type ArticleStore,
  type ClientOptions,
  isMultilocalError,
  memoryStore,
  RateLimitError,
  type SyncProgress,
  SyncStalledError,
} from '../../src/index.js';
import { makeArticles } from '../support/clients.js';
import { ARTICLE } from '../support/fixtures.js';
import { articlesOf as clientOf, held, Service, type ServiceOptions } from './service.js';

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000+00:00`;

/** A service that holds published articles with these timestamps, their ids from 1 on. */
function serviceOf(timestamps: readonly string[], options: ServiceOptions): Service {
  const service = new Service(options);
  timestamps.forEach((updated_at, index) => {
    service.articles.set(index + 1, { id: index + 1, status: 'published', updated_at });
  });
  return service;
}

const moments = (count: number) => Array.from({ length: count }, (_, index) => at(index + 1));
const articlesOf = (service: Service, options: ClientOptions = {}) => clientOf(service, { maxRetries: 0, ...options });

/** A store that holds what the service has, and a cursor behind all of it. */
async function syncedStore(service: Service) {
  const store = memoryStore();
  await articlesOf(service).syncTo(store);
  service.requests = [];
  return store;
}

/** Changes the first page that comes. */
function once(change: (page: ArticleList) => object): NonNullable<ServiceOptions['mangle']> {
  let isDone = false;
  return (page) => {
    if (isDone) return page;
    isDone = true;
    return change(page);
  };
}

describe('an article that exists is never reported deleted', () => {
  it('if an article is deleted between the SELECT and the COUNT of the service', async () => {
    const service = serviceOf(moments(51), { pageSize: 50 });
    const store = await syncedStore(service);
    service.options.mangle = once((page) => {
      service.articles.delete(3);
      return { ...page, total: 50 };
    });
    const { deleted } = await articlesOf(service).syncTo(store, { reconcile: true });
    // The article that was deleted is on the page. The next listing finds out.
    expect(deleted).toBe(0);
    expect(store.articles.has(51)).toBe(true);
    expect((await articlesOf(service).syncTo(store, { reconcile: true })).deleted).toBe(1);
    expect(held(store)).toEqual(service.online);
  });

  it("under validation: 'warn' with articles without `updated_at`", async () => {
    const service = serviceOf(moments(9), { pageSize: 20 });
    service.options.mangle = (page) => ({
      ...page,
      articles: page.articles.map((article) => (article.id === 9 ? { ...article, updated_at: undefined } : article)),
    });
    const store = await syncedStore(serviceOf(moments(9), { pageSize: 20 }));
    const run = articlesOf(service, { validation: 'warn', logLevel: 'off' }).syncTo(store, { reconcile: true });
    await expect(run).rejects.toMatchObject({ code: 'invalid_response' });
    expect(store.articles.size).toBe(9);
  });

  it('if 60 are missing because pages are too short: the second listing does not count if `total` disagrees', async () => {
    const service = serviceOf(moments(59).concat(moments(59), moments(59)), { pageSize: 50 });
    const store = await syncedStore(service);
    const visible = (page: ArticleList) => page.articles.filter(({ id }) => id <= 117);
    service.options.mangle = (page) => ({ ...page, articles: visible(page) });
    const error = await articlesOf(service)
      .syncTo(store, { reconcile: true })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(SyncStalledError);
    expect(store.articles.size).toBe(177);
    service.options.mangle = (page) => page;
    await articlesOf(service).syncTo(store, { reconcile: true });
    expect(held(store)).toEqual(service.online);
  });

  it('if 60 are missing in one listing and not in the other', async () => {
    const service = serviceOf(moments(59).concat(moments(59), moments(59)), { pageSize: 50 });
    const store = await syncedStore(service);
    let hides = true;
    service.options.mangle = (page, url) => {
      const articles = hides ? page.articles.filter(({ id }) => id <= 117) : page.articles;
      // A node that lags: consistent in itself, and 60 articles behind.
      if (hides && page.articles.length < 50) hides = url.searchParams.get('updated_since') === null;
      return { ...page, articles, total: page.total - (page.articles.length - articles.length) };
    };
    const { deleted } = await articlesOf(service).syncTo(store, { reconcile: true });
    expect(deleted).toBe(0);
    expect(held(store)).toEqual(service.online);
  });

  it('if the request for it fails with another error than 404', async () => {
    const service = serviceOf(moments(5), { pageSize: 10 });
    const store = await syncedStore(service);
    service.options.mangle = (page) => ({ ...page, articles: page.articles.slice(1), total: 4 });
    const fetch: typeof globalThis.fetch = async (input, init) =>
      /articles\/\d+$/.test(String(input)) ? new Response('{}', { status: 503 }) : service.fetch(input, init);
    await expect(articlesOf(service, { fetch }).syncTo(store, { reconcile: true })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(store.articles.size).toBe(5);
  });
});

describe('an article that is missing from the list', () => {
  /** A client whose GET of article 3 gives this, while lists do not show the article. */
  const lacking = (answer: () => Response) => {
    const service = serviceOf(moments(5), { pageSize: 10 });
    service.options.mangle = (page) => ({ ...page, articles: page.articles.filter(({ id }) => id !== 3), total: 4 });
    const fetch: typeof globalThis.fetch = async (input, init) =>
      /articles\/3$/.test(String(input)) ? answer() : service.fetch(input, init);
    return async (options: object = {}) => {
      const events: string[] = [];
      const { articles } = { articles: articlesOf(service, { fetch }) };
      for await (const event of articles.sync({ cursor: at(5), known: [1, 2, 3, 4, 5], reconcile: true }, options)) {
        events.push(event.type);
      }
      return events;
    };
  };

  it.each([
    ['JSON', () => Response.json({ detail: 'Ressource introuvable.' }, { status: 404 })],
    ['nothing', () => new Response(null, { status: 404 })],
  ])('is deleted after a 404 with %s', async (_, answer) => {
    expect(await lacking(answer)()).toEqual(['delete', 'checkpoint']);
  });

  it.each([
    ['null', () => Response.json(null)],
    ['an empty body', () => new Response('')],
    ['false', () => Response.json(false)],
    ['a 404 of HTML', () => new Response('<html>nginx</html>', { status: 404 })],
    ['a 404 about the location', () => Response.json({ detail: 'Établissement introuvable : b1' }, { status: 404 })],
    ['another article', () => Response.json({ ...ARTICLE, id: 4, status: 'draft' })],
  ])('is not deleted after %s, whatever `validation` says', async (_, answer) => {
    const run = lacking(answer);
    for (const validation of ['throw', 'warn', 'off']) await expect(run({ validation })).rejects.toThrow();
  });

  it.each([403, 410])('is kept after a %i, and the run continues', async (status) => {
    expect(await lacking(() => Response.json({ detail: 'Accès refusé.' }, { status }))()).toEqual(['checkpoint']);
  });
});

describe('a location', () => {
  it('in another spelling than the service uses does not empty the store', async () => {
    const service = serviceOf(moments(3), { pageSize: 10 });
    service.options.mangle = (page) => ({
      ...page,
      articles: page.articles.map((article) => ({ ...article, bulle_id: 'b-1' })),
    });
    const store = memoryStore();
    await articlesOf(service).syncTo(store, { bulle_id: 'B-1' });
    expect(store.articles.size).toBe(3);
    await articlesOf(service).syncTo(store, { bulle_id: 'B-1', reconcile: true });
    expect(store.articles.size).toBe(3);
  });
});

describe('deletions', () => {
  it.each([
    // Two pages of 60.
    ['one by one', 50, 2 + 50],
    // Both listings, and a sample.
    ['by a second complete listing', 51, 2 + 2 + 50],
  ])('are confirmed %s if there are %i', async (_, count, sent) => {
    const service = serviceOf(moments(59).concat(moments(59)), { pageSize: 60 });
    const store = await syncedStore(service);
    for (let id = 1; id <= count; id++) service.articles.delete(id);
    const { deleted, requests } = await articlesOf(service).syncTo(store, { reconcile: true });
    expect([deleted, requests]).toEqual([count, sent]);
    expect(held(store)).toEqual(service.online);
  });

  it('of more than half end the run before the next request', async () => {
    const service = serviceOf(moments(40), { pageSize: 60 });
    const store = await syncedStore(service);
    service.articles.clear();
    const run = articlesOf(service).syncTo(store, { reconcile: true });
    await expect(run).rejects.toMatchObject({ code: 'mass_deletion', operation: 'articles.sync' });
    expect(service.requests).toHaveLength(1);
  });

  it('of an article that moved to another location: it is removed from this copy', async () => {
    const service = serviceOf(moments(3), { pageSize: 10 });
    const store = await syncedStore(service);
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await service.fetch(input, init);
      if (!/articles\/2$/.test(String(input))) return response;
      return Response.json({ ...((await response.json()) as object), bulle_id: 'paris' });
    };
    service.options.mangle = (page) => {
      const others = page.articles.filter(({ id }) => id !== 2);
      return { ...page, articles: others.map((article) => ({ ...article, bulle_id: 'lyon' })), total: 2 };
    };
    const result = await articlesOf(service, { fetch }).syncTo(store, { bulle_id: 'lyon', reconcile: true });
    expect(result).toMatchObject({ upserted: 0, unpublished: 1, deleted: 0 });
    expect([...store.articles.keys()]).toEqual([1, 3]);
  });
});

describe('deletions of more than 50', () => {
  const many = () => serviceOf([...moments(59), ...moments(59), ...moments(59), ...moments(59)], { pageSize: 60 });

  it.each<[string, (page: ArticleList) => object]>([
    [
      'a node that lags',
      (page) => {
        const articles = page.articles.filter(({ id }) => id <= 176);
        return { ...page, articles, total: page.total - (page.articles.length - articles.length) };
      },
    ],
    [
      'articles that the list never shows',
      ({ articles, ...page }) => ({ ...page, articles: articles.filter(({ id }) => id % 4 !== 1), total: 9999 }),
    ],
  ])('are not believed of %s, although both listings agree', async (_, mangle) => {
    const service = many();
    const store = await syncedStore(service);
    service.options.mangle = mangle;
    await expect(articlesOf(service).syncTo(store, { reconcile: true })).rejects.toBeInstanceOf(SyncStalledError);
    expect(store.articles.size).toBe(236);
  });

  it('keep articles that were stored while the second listing was interrupted', async () => {
    const service = many();
    const store = await syncedStore(service);
    for (let id = 1; id <= 60; id++) service.articles.delete(id);
    let requests = 0;
    const fetch: typeof globalThis.fetch = async (input, init) =>
      ++requests === 6
        ? new Response('{}', { status: 429, headers: { 'retry-after': '999' } })
        : service.fetch(input, init);
    await expect(articlesOf(service, { fetch }).syncTo(store, { reconcile: true })).rejects.toBeInstanceOf(
      RateLimitError,
    );
    const state = await store.loadListing?.();
    expect(state?.missing).toHaveLength(60);
    // Behind the position of the second listing, and not in the first one.
    for (let id = 1000; id < 1060; id++) {
      const article = { id, status: 'published', updated_at: at(1) };
      service.articles.set(id, article);
      await store.put({ ...ARTICLE, ...article });
    }
    const { deleted } = await articlesOf(service).syncTo(store, { reconcile: true, allowMassDeletion: true });
    expect(deleted).toBe(60);
    expect(held(store)).toEqual(service.online);
  });
});

describe('a page that is not what it seems', () => {
  it.each<[string, (page: ArticleList) => ArticleList]>([
    ['`total` is one too low', (page) => ({ ...page, total: page.total - 1 })],
    ['`total` counts the page', (page) => ({ ...page, total: page.articles.length })],
    ['`total` is 0', (page) => ({ ...page, total: 0 })],
    ['`total` is too high', (page) => ({ ...page, total: page.total + 100 })],
    ['`total` is negative', (page) => ({ ...page, total: -1 })],
  ])('%s: articles that tie with the last one of a full page are delivered', async (_, mangle) => {
    for (const count of [40, 50, 51]) {
      // The last two share a timestamp, and the end of a page cuts between them.
      const timestamps = [...moments(count - 1), at(count - 1)];
      for (const pageSize of [5, 10, 50]) {
        const service = serviceOf(timestamps, { pageSize, mangle });
        const store = memoryStore();
        await articlesOf(service).syncTo(store);
        await articlesOf(service).syncTo(store);
        expect(held(store)).toEqual(service.online);
      }
    }
  });

  it('is followed by few requests if nothing is new', async () => {
    const service = serviceOf(moments(9), { pageSize: 10 });
    const store = await syncedStore(service);
    await articlesOf(service).syncTo(store);
    expect(service.requests).toHaveLength(1);
  });

  it.each([1, 5])('has one article, after pages of %i: everything is delivered', async (first) => {
    const service = serviceOf([at(1), at(2), at(2), at(2), at(3), at(4), at(5), at(5), at(6)], { pageSize: first });
    service.options.mangle = (page) => {
      service.options.pageSize = 1;
      return page;
    };
    const store = memoryStore();
    await articlesOf(service).syncTo(store);
    expect(held(store)).toEqual(service.online);
  });

  it.each([1, 2])('is repeated although it echoes `offset` (%i articles)', async (count) => {
    const service = serviceOf([at(1)], { pageSize: count });
    service.options.mangle = (page, url) => {
      if (service.requests.length > 50) throw new Error('the walk does not end');
      const articles = Array.from({ length: count }, () => ({ ...ARTICLE, id: 1, updated_at: at(1) }));
      return { ...page, articles, total: count, offset: Number(url.searchParams.get('offset') ?? 0) };
    };
    await expect(articlesOf(service).syncTo(memoryStore())).rejects.toBeInstanceOf(SyncStalledError);
  });

  it('has an article twice: it is delivered once', async () => {
    const service = serviceOf([at(1), at(2)], { pageSize: 10 });
    service.options.mangle = (page) => ({ ...page, articles: [page.articles[0], ...page.articles] });
    const ids: number[] = [];
    for await (const { id } of articlesOf(service).changes()) ids.push(id);
    expect(ids).toEqual([1, 2]);
  });

  it('has one article while articles move: everything is delivered in the end, or the run stalls', async () => {
    for (const moved of [1, 2, 3, 4]) {
      for (const when of [2, 3, 4, 5, 6, 7]) {
        const service = serviceOf([at(1), at(1), at(1), at(2), at(2)], { pageSize: 1 });
        let requests = 0;
        service.beforeAnswer = () => {
          if (++requests === when) service.articles.set(moved, { id: moved, status: 'published', updated_at: at(9) });
        };
        const store = memoryStore();
        await articlesOf(service).syncTo(store);
        await articlesOf(service).syncTo(store);
        expect(held(store), `${moved} moves before request ${when}`).toEqual(service.online);
      }
    }
  });
});

describe('changes below the cursor', () => {
  // A late commit: older than the cursor, later than what is stored.
  const late = { id: 4, status: 'published', updated_at: '2026-01-01T00:00:04.500000+00:00' };

  it.each([
    ['with versions gets only articles that differ', true, 1],
    ['without versions gets everything again', false, 20],
  ])('are stored by a reconcile: a store %s', async (_, hasVersions, upserted) => {
    const service = serviceOf(moments(20), { pageSize: 50 });
    const memory = await syncedStore(service);
    const { versions, ...rest } = memory;
    const store: ArticleStore = hasVersions ? memory : rest;
    service.articles.set(4, late);
    expect((await articlesOf(service).syncTo(store)).upserted).toBe(0);
    expect((await articlesOf(service).syncTo(store, { reconcile: true })).upserted).toBe(upserted);
    expect(held(memory)).toEqual(service.online);
  });

  it('are yielded by sync() if `known` has versions', async () => {
    const service = serviceOf(moments(5), { pageSize: 50 });
    const known = [...service.articles.values()].map(({ id, updated_at }) => [id, updated_at] as const);
    service.articles.set(4, late);
    const types: string[] = [];
    for await (const event of articlesOf(service).sync({ cursor: at(5), known, reconcile: true })) {
      types.push(event.type === 'upsert' ? `upsert ${event.article.id}` : event.type);
    }
    expect(types).toEqual(['upsert 4', 'checkpoint']);
  });
});

describe('a cursor', () => {
  it.each(['', 'hier'])('is never an `updated_at` that cannot be read (%j)', async (updated_at) => {
    const service = serviceOf([at(1), at(2), updated_at], { pageSize: 10 });
    // The service sorts what it cannot read first, or last.
    service.options.mangle = (page) => {
      const all = [...service.articles.values()].map((stored) => ({ ...ARTICLE, ...stored }));
      return { ...page, articles: all, total: all.length };
    };
    const store = memoryStore();
    const { cursor } = await articlesOf(service).syncTo(store);
    expect(cursor).toBe(at(2));
    expect(store.articles.size).toBe(3);
  });

  it('that is empty counts as absent', async () => {
    const service = serviceOf(moments(2), { pageSize: 10 });
    const store: ArticleStore = { ...memoryStore(), loadCursor: () => '' };
    expect((await articlesOf(service).syncTo(store)).cursor).toBe(at(2));
    expect(service.requests[0]?.searchParams.get('updated_since')).toBe('1970-01-01T00:00:00Z');
  });

  it('that contains the key is masked everywhere', async () => {
    const service = serviceOf([], { pageSize: 2, offsets: false });
    const articles = [1, 2].map((id) => ({ ...ARTICLE, id, updated_at: at(1) }));
    service.options.mangle = (page) => ({ ...page, articles });
    const error = await articlesOf(service)
      .syncTo({ ...memoryStore(), loadCursor: () => 'test-key' })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(SyncStalledError);
    expect(`${error.message} ${JSON.stringify(error)}`).not.toContain('test-key');
  });
});

describe('a listing that needs more requests than are left today', () => {
  const budget = { rateLimit: { perMinute: Infinity, perDay: 12, maxWait: 0 } };

  /** A client with a budget of its own: a new day. */
  let day = 0;
  const nextDay = (service: Service) => articlesOf(service, { ...budget, apiKey: `key-${++day}` });

  it('continues where it stopped, until deletions are found and the cursor is saved', async () => {
    const service = serviceOf([at(0), ...moments(58)], { pageSize: 3 });
    const store = await syncedStore(service);
    service.articles.delete(7);
    service.articles.delete(50);
    const runs: string[] = [];
    for (let run = 0; run < 10 && runs.at(-1) !== 'done'; run++) {
      const ended = nextDay(service).syncTo(store, { reconcile: true });
      runs.push(await ended.then(() => 'done').catch((error) => error.code));
    }
    // 57 articles are 29 pages, since each begins with the last article of the one before, and 2 are missing.
    expect(runs).toEqual(['rate_limit', 'rate_limit', 'done']);
    expect(held(store)).toEqual(service.online);
    expect(store.loadListing?.()).toBeNull();
  });

  it('starts again after more than a day, so that it finds what was deleted since', async () => {
    const service = serviceOf(moments(50), { pageSize: 3 });
    const store = await syncedStore(service);
    await expect(nextDay(service).syncTo(store, { reconcile: true })).rejects.toBeInstanceOf(RateLimitError);
    service.articles.delete(2);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await articlesOf(service).syncTo(store, { reconcile: true })).toMatchObject({ deleted: 1, done: true });
    expect(held(store)).toEqual(service.online);
  });

  it('reports its cost and the requests left before it starts', async () => {
    const service = serviceOf(moments(50), { pageSize: 3 });
    const store = await syncedStore(service);
    const told: SyncProgress['listing'][] = [];
    await nextDay(service)
      .syncTo(store, { reconcile: true, onProgress: ({ listing }) => told.push(listing) })
      .catch(() => {});
    expect(told[0]).toEqual({ requests: 24, leftToday: 11 });
  });

  it.each(['bulle_id', 'cursor'])('is not resumed for another %s', async (what) => {
    const service = serviceOf(moments(50), { pageSize: 3 });
    const store = await syncedStore(service);
    await expect(nextDay(service).syncTo(store, { reconcile: true })).rejects.toBeInstanceOf(RateLimitError);
    service.requests = [];
    if (what === 'bulle_id') await articlesOf(service).syncTo(store, { reconcile: true, bulle_id: 'lyon' });
    else await articlesOf(service).syncTo({ ...store, loadCursor: () => null });
    expect(service.requests[0]?.searchParams.get('updated_since')).toBe('1970-01-01T00:00:00Z');
  });

  it('is resumed after an abort, and after a refusal by the caller’s limiter', async () => {
    const service = serviceOf(moments(50), { pageSize: 3 });
    for (const kind of ['abort', 'limiter']) {
      const store = await syncedStore(service);
      const controller = new AbortController();
      let requests = 0;
      const acquire = async () => {
        if (++requests === 8 && kind === 'limiter') throw new Error('no room');
        if (requests === 8) controller.abort(new Error('deadline'));
      };
      const articles = articlesOf(service, { rateLimit: { acquire } });
      await expect(articles.syncTo(store, { reconcile: true, signal: controller.signal })).rejects.toThrow(
        /no room|deadline/,
      );
      expect((await store.loadListing?.())?.ids.length).toBeGreaterThan(5);
    }
  });

  it('whose state cannot be saved ends with the error of the budget', async () => {
    const service = serviceOf(moments(50), { pageSize: 3 });
    const store = { ...(await syncedStore(service)), saveListing: () => Promise.reject(new Error('disk full')) };
    await expect(nextDay(service).syncTo(store, { reconcile: true })).rejects.toBeInstanceOf(RateLimitError);
  });

  it('of an unknown size is not refused', async () => {
    const service = serviceOf(moments(5), { pageSize: 10 });
    service.options.mangle = ({ total: _, ...page }) => page;
    const events: string[] = [];
    for await (const { type } of nextDay(service).sync({ known: [1] }, { validation: 'warn' })) events.push(type);
    expect(events.at(-1)).toBe('checkpoint');
  });

  it('is refused after its first page if no run could continue it', async () => {
    const service = serviceOf(moments(50), { pageSize: 3 });
    const { loadListing: _, saveListing: __, ...store } = await syncedStore(service);
    const error = await nextDay(service)
      .syncTo(store, { reconcile: true })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error.message).toContain('about 24 more requests, but only 11 are left today');
    expect(error).toMatchObject({ origin: 'preflight', operation: 'articles.sync', outcome: 'not_applied' });
    expect(service.requests).toHaveLength(1);
  });

  it('is not refused if the budget covers it or nothing is counted', async () => {
    const service = serviceOf(moments(9), { pageSize: 3 });
    const { loadListing: _, saveListing: __, ...store } = await syncedStore(service);
    await nextDay(service).syncTo(store, { reconcile: true });
    await articlesOf(service).syncTo(store, { reconcile: true });
  });
});

describe('reconciling', () => {
  const ARTICLES = 200;
  const PAGE = 20;

  const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3) * 1000).toISOString();
  const published = (id: number, updated_at: string) => ({ id, status: 'published', updated_at });

  /** Every page is changed in the same way. */
  const always = (change: (page: ArticleList, index: number) => object) => (service: Service) => {
    let pages = 0;
    service.options.mangle = (page) => change(page, ++pages);
  };
  const withTotal = (total: (page: ArticleList) => unknown) => always((page) => ({ ...page, total: total(page) }));

  /** Something happens before the third response. */
  const meanwhile = (happens: (service: Service) => void) => (service: Service) => {
    let responses = 0;
    service.beforeAnswer = () => {
      if (++responses === 3) happens(service);
    };
  };
  const empty = (page: ArticleList) => ({ ...page, articles: [] });
  const upTo = (most: number) => (page: ArticleList) => {
    return { ...page, articles: page.articles.filter(({ id }) => id <= most) };
  };
  const lagging = (page: ArticleList) => {
    const { articles } = upTo(ARTICLES - 40)(page);
    return { ...page, articles, total: page.total - (page.articles.length - articles.length) };
  };
  const restored = published(150, at(-3));
  const changed = published(7, at(6).replace('.000', '.500'));

  /** What a list does wrong while a copy of it is reconciled, and what the run comes to. */
  it.each<[name: string, expected: 'ok' | 'sync_stalled', start: (service: Service) => void]>([
    ['one page comes empty', 'ok', always((page, index) => (index === 3 ? empty(page) : page))],
    ['pages are empty from the third on', 'sync_stalled', always((page, index) => (index > 2 ? empty(page) : page))],
    ['`total` is 0', 'ok', withTotal(() => 0)],
    ['`total` counts the page', 'ok', withTotal(({ articles }) => articles.length)],
    ['`total` is 100 too high', 'ok', withTotal(({ total }) => total + 100)],
    ...[null, undefined, 'x'].map((total): [string, 'ok', (service: Service) => void] => [
      `\`total\` is ${total}, with \`validation: 'warn'\``,
      'ok',
      withTotal(() => total),
    ]),
    ['pages hold one article', 'ok', ({ options }) => void Object.assign(options, { pageSize: 1 })],
    ['an article is deleted meanwhile', 'ok', meanwhile((service) => service.articles.delete(5))],
    ['an article is restored to an earlier date', 'ok', meanwhile(({ articles }) => articles.set(150, restored))],
    ['an article changed below the cursor', 'ok', ({ articles }) => articles.set(7, changed)],
    ['the newest 40 articles are not there yet', 'ok', always(lagging)],
    ['the newest 80 articles are not there yet, and `total` counts them', 'sync_stalled', always(upTo(ARTICLES - 80))],
    ['pages are not sorted', 'sync_stalled', always((page) => ({ ...page, articles: page.articles.toReversed() }))],
  ])('while %s: %s, and no article that exists is removed', async (_, expected, start) => {
    const service = new Service({ pageSize: PAGE });
    for (let id = 1; id <= ARTICLES; id++) service.articles.set(id, published(id, at(id - 1)));
    const articles = makeArticles({ fetch: service.fetch, rateLimit: false, validation: 'warn' });
    const store = memoryStore();
    await articles.syncTo(store);
    start(service);
    const outcome = await articles.syncTo(store, { reconcile: true }).then(
      () => 'ok',
      (error: unknown) => (isMultilocalError(error) ? error.code : String(error)),
    );
    expect(outcome).toBe(expected);
    expect([...service.articles.keys()].filter((id) => !store.articles.has(id))).toEqual([]);
    service.options.mangle = (page) => page;
    service.options.pageSize = PAGE;
    service.beforeAnswer = () => {};
    await articles.syncTo(store, { reconcile: true });
    expect(held(store)).toEqual(service.online);
  });
});
