import { describe, expect, it } from 'vitest';
import { type ArticleList, isMultilocalError, memoryStore } from '../../src/index.js';
import { makeArticles } from '../support/clients.js';
import { Service } from './service.js';

/** What a list of articles does wrong while a copy of it is reconciled. */
interface ListFault {
  name: string;
  /** What the run comes to, by the rules of the package. */
  expected: 'ok' | 'sync_stalled';
  /** Breaks the service. */
  start(service: Service): void;
}

const ARTICLES = 200;
const PAGE = 20;

const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3) * 1000).toISOString();
const published = (id: number, updated_at: string) => ({ id, status: 'published', updated_at });

/** Every page is changed in the same way. */
const always = (change: (page: ArticleList) => object) => (service: Service) => {
  service.options.mangle = change;
};

/** Something happens before the third response. */
const meanwhile = (happens: (service: Service) => void) => (service: Service) => {
  let responses = 0;
  service.beforeAnswer = () => {
    if (++responses === 3) happens(service);
  };
};

const FAULTS: readonly ListFault[] = [
  {
    name: 'one page comes empty',
    expected: 'ok',
    start(service) {
      let pages = 0;
      service.options.mangle = (page) => (++pages === 3 ? { ...page, articles: [] } : page);
    },
  },
  {
    name: 'pages are empty from the third on',
    expected: 'sync_stalled',
    start(service) {
      let pages = 0;
      service.options.mangle = (page) => (++pages > 2 ? { ...page, articles: [] } : page);
    },
  },
  { name: '`total` is 0', expected: 'ok', start: always((page) => ({ ...page, total: 0 })) },
  {
    name: '`total` counts the page',
    expected: 'ok',
    start: always((page) => ({ ...page, total: page.articles.length })),
  },
  { name: '`total` is 100 too high', expected: 'ok', start: always((page) => ({ ...page, total: page.total + 100 })) },
  {
    name: "`total` is null, with `validation: 'warn'`",
    expected: 'ok',
    start: always((page) => ({ ...page, total: null })),
  },
  {
    name: 'pages hold one article',
    expected: 'ok',
    start(service) {
      service.options.pageSize = 1;
    },
  },
  {
    name: 'an article is deleted while pages are read',
    expected: 'ok',
    start: meanwhile((service) => service.articles.delete(5)),
  },
  {
    name: 'an article is restored to an earlier `updated_at` while pages are read',
    expected: 'ok',
    start: meanwhile((service) => service.articles.set(150, published(150, at(-3)))),
  },
  {
    name: 'an article changed below the cursor',
    expected: 'ok',
    start: (service) => service.articles.set(7, published(7, at(6).replace('.000', '.500'))),
  },
  {
    name: 'the newest 40 articles are not there yet',
    expected: 'ok',
    start: always((page) => {
      const articles = page.articles.filter(({ id }) => id <= ARTICLES - 40);
      return { ...page, articles, total: page.total - (page.articles.length - articles.length) };
    }),
  },
  {
    name: 'the newest 80 articles are not there yet, and `total` counts them',
    expected: 'sync_stalled',
    start: always((page) => ({ ...page, articles: page.articles.filter(({ id }) => id <= ARTICLES - 80) })),
  },
  {
    name: 'pages are not sorted',
    expected: 'sync_stalled',
    start: always((page) => ({ ...page, articles: page.articles.toReversed() })),
  },
];

describe('a copy that is reconciled while the list of the service is wrong', () => {
  it.each(FAULTS)('$name: $expected, and no article that exists is removed', async ({ expected, start }) => {
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
    const held = [...store.articles.values()].map(({ id, updated_at }) => `${id}@${updated_at}`);
    expect(held.toSorted()).toEqual(service.online.toSorted());
  });
});
