import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ArticleList, Client, isMultilocalError, memoryStore } from '../../src/index.js';
import { Service } from '../sync/service.js';

/** What a list of articles does wrong while a copy of it is reconciled. */
interface ListFault {
  name: string;
  /** What the run comes to, by the rules of the package. */
  expected: 'ok' | 'sync_stalled';
  /** Breaks the service. */
  start(service: Service): void;
}

/** What was observed of one fault. */
export interface ListRow extends Pick<ListFault, 'name' | 'expected'> {
  /** `ok`, or the code of the error. */
  outcome: string;
  /** Articles that exist and were removed from the copy. */
  removed: number;
  /** Articles in which the copy differs from the service after the run, and after the next one with a list in order. */
  differs: number;
  differsLater: number;
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

/** Reconciles a copy with each broken list over a real socket, and then with the same list in order. */
export async function observeLists(): Promise<ListRow[]> {
  const rows: ListRow[] = [];
  for (const { name, expected, start } of FAULTS) {
    const service = new Service({ pageSize: PAGE });
    for (let id = 1; id <= ARTICLES; id++) service.articles.set(id, published(id, at(id - 1)));
    const { url, close } = await serve(service);
    const options = { apiKey: 'test-key', baseUrl: url, rateLimit: false, validation: 'warn' } as const;
    const { articles } = new Client(options);
    const store = memoryStore();
    const differences = () => {
      const held = new Set([...store.articles.values()].map(({ id, updated_at }) => `${id}@${updated_at}`));
      const missing = service.online.filter((version) => !held.has(version)).length;
      return missing + [...store.articles.keys()].filter((id) => !service.articles.has(id)).length;
    };
    try {
      await articles.syncTo(store);
      start(service);
      const outcome = await articles.syncTo(store, { reconcile: true }).then(
        () => 'ok',
        (error: unknown) => (isMultilocalError(error) ? error.code : String(error)),
      );
      const removed = [...service.articles.keys()].filter((id) => !store.articles.has(id)).length;
      const differs = differences();
      service.options.mangle = (page) => page;
      service.options.pageSize = PAGE;
      service.beforeAnswer = () => {};
      await articles.syncTo(store, { reconcile: true });
      rows.push({ name, expected, outcome, removed, differs, differsLater: differences() });
    } finally {
      await close();
    }
  }
  return rows;
}

async function serve(service: Service): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const answer = await service.fetch(new URL(request.url ?? '', 'http://127.0.0.1'));
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
