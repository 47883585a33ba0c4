import { describe, expect, it } from 'vitest';
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
import { BEGINNING } from '../../src/sync/walk.js';
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

describe('an article that is missing from the list', () => {
  /** A client whose GET of article 3 gives this, while lists do not show the article. */
  const lacking = (answer: () => Response) => {
    const service = serviceOf(moments(5), { pageSize: 10 });
    service.options.mangle = (page) => ({ ...page, articles: page.articles.filter(({ id }) => id !== 3), total: 4 });
    const fetch: typeof globalThis.fetch = async (input, init) =>
      /articles\/3$/.test(String(input)) ? answer() : service.fetch(input, init);
    return async (options: object = {}) => {
      const events: string[] = [];
      const known = { cursor: at(5), known: [1, 2, 3, 4, 5], reconcile: true };
      for await (const { type } of articlesOf(service, { fetch }).sync(known, options)) events.push(type);
      return events;
    };
  };

  const refused = (status: number) => () => Response.json({ detail: 'Accès refusé.' }, { status });
  it.each([
    ['deleted after a 404 of JSON', () => Response.json({ detail: 'Introuvable.' }, { status: 404 }), ['delete']],
    ['deleted after an empty 404', () => new Response(null, { status: 404 }), ['delete']],
    ['kept after a 403', refused(403), []],
    ['kept after a 410', refused(410), []],
  ])('is %s, and the run continues', async (_, answer, events) => {
    expect(await lacking(answer)()).toEqual([...events, 'checkpoint']);
  });

  it.each([
    ['null', () => Response.json(null)],
    ['an empty body', () => new Response('')],
    ['false', () => Response.json(false)],
    ['a 503', () => new Response('{}', { status: 503 })],
    ['a 404 of HTML', () => new Response('<html>nginx</html>', { status: 404 })],
    ['a 404 about the location', () => Response.json({ detail: 'Établissement introuvable : b1' }, { status: 404 })],
    ['another article', () => Response.json({ ...ARTICLE, id: 4, status: 'draft' })],
  ])('is not deleted after %s, whatever `validation` says', async (_, answer) => {
    const run = lacking(answer);
    for (const validation of ['throw', 'warn', 'off']) await expect(run({ validation })).rejects.toThrow();
  });
});

it('articles that move between pages of one are all delivered, or the run stalls', { tags: 'long' }, async () => {
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
});

it('a cursor that contains the key is masked everywhere', async () => {
  const service = serviceOf([], { pageSize: 2, offsets: false });
  const articles = [1, 2].map((id) => ({ ...ARTICLE, id, updated_at: at(1) }));
  service.options.mangle = (page) => ({ ...page, articles });
  const error = await articlesOf(service)
    .syncTo({ ...memoryStore(), loadCursor: () => 'test-key' })
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(SyncStalledError);
  expect(`${error.message} ${JSON.stringify(error)}`).not.toContain('test-key');
});

describe('a listing that needs more requests than are left today', () => {
  const budget = { rateLimit: { perMinute: Infinity, perDay: 12, maxWait: 0 } };

  /** A client with a budget of its own: a new day. */
  let day = 0;
  const nextDay = (service: Service) => articlesOf(service, { ...budget, apiKey: `key-${++day}` });

  it('says what it costs, and continues where it stopped until deletions are found and the cursor is saved', async () => {
    const service = serviceOf([at(0), ...moments(58)], { pageSize: 3 });
    const store = await syncedStore(service);
    service.articles.delete(7);
    service.articles.delete(50);
    const runs: string[] = [];
    const costs: SyncProgress['listing'][] = [];
    const onProgress = ({ listing }: SyncProgress) => costs.push(listing);
    for (let run = 0; run < 10 && runs.at(-1) !== 'done'; run++) {
      const ended = nextDay(service).syncTo(store, { reconcile: true, onProgress });
      runs.push(await ended.then(() => 'done').catch((error) => error.code));
    }
    // 57 articles are 29 pages, since each begins with the last article of the one before, and 2 are missing.
    expect(runs).toEqual(['rate_limit', 'rate_limit', 'done']);
    expect(costs[0]).toEqual({ requests: 27, leftToday: 11 });
    expect(held(store)).toEqual(service.online);
    expect(store.loadListing?.()).toBeNull();
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
    expect(error.message).toContain('about 24 more requests, but 11 are left today');
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
  /** In so many listings, a node answers that is behind: consistent in itself, and without the newest articles. */
  const lagging = (most: number, listings: number) => (service: Service) => {
    const newest = [...service.articles.values()].filter(({ id }) => id > most);
    let begun = 0;
    service.beforeAnswer = () => {
      const url = service.requests.at(-1);
      if (url?.searchParams.get('updated_since') === BEGINNING) begun++;
      const isBehind = url?.pathname.endsWith('/articles') && begun <= listings;
      for (const article of newest) {
        if (isBehind) service.articles.delete(article.id);
        else service.articles.set(article.id, article);
      }
    };
  };
  const undated = ({ articles, ...page }: ArticleList) => {
    return { ...page, articles: articles.map(({ updated_at: _, ...article }) => article) };
  };
  const restored = published(150, at(-3));
  const changed = published(7, at(6).replace('.000', '.500'));

  /** What a list does wrong while a copy of it is reconciled, and what the run comes to. */
  it.each<[name: string, expected: 'ok' | 'sync_stalled' | 'invalid_response', start: (service: Service) => void]>([
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
    ['the newest 40 articles are not there yet', 'ok', lagging(ARTICLES - 40, Infinity)],
    ['the newest 80 articles are not there yet, and `total` counts them', 'sync_stalled', always(upTo(ARTICLES - 80))],
    ['the newest 80 articles are not there in the first listing', 'ok', lagging(ARTICLES - 80, 1)],
    ['the newest 80 articles are not there in any listing', 'sync_stalled', lagging(ARTICLES - 80, Infinity)],
    ['articles have no `updated_at`', 'invalid_response', always(undated)],
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
