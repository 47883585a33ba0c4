import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArticlesClient } from '../../src/articles.js';
import { articlesProxy } from '../../src/proxy/index.js';
import type { Article, ArticleList } from '../../src/resources/articles-reads-schema.js';
import { article, ids, json, LIST, PROXY, Service, useVirtualTime } from './helpers.js';

useVirtualTime();

/** A page that walks the changes through a proxy before the service; the proxy's budget is not what is tested here. */
function visitor(service: Service): ArticlesClient {
  const proxy = articlesProxy({ client: service.client(), budget: false });
  const fetch = (input: RequestInfo | URL, init?: RequestInit) => proxy(new Request(input, init));
  return new ArticlesClient({ baseUrl: PROXY, fetch, maxRetries: 0 });
}

async function changes(service: Service, since?: string): Promise<number[]> {
  const seen: number[] = [];
  for await (const { id } of visitor(service).changes(since === undefined ? {} : { since })) seen.push(id);
  return seen;
}

/** Articles that change one after the other, so many seconds apart. */
function every(seconds: number, count: number): Article[] {
  return Array.from({ length: count }, (_, index) => {
    const updated_at = new Date(Date.UTC(2026, 1, 1, 10, 0, 1) + index * seconds * 1_000);
    return article(index + 1, { updated_at: updated_at.toISOString() });
  });
}

/** `since` of the service, which `Service` does not know. */
function publishedSince(service: Service) {
  service.reply = (request) => {
    const since = new URL(request.url).searchParams.get('since');
    if (since === null) return undefined;
    const all = service.articles.filter(({ published_at }) => (published_at ?? '') >= since);
    return json(200, {
      articles: all.slice(0, service.pageSize),
      total: all.length,
      limit: service.pageSize,
      offset: 0,
    });
  };
}

const list = async (response: Response) => (await response.json()) as ArticleList;

describe('dates of one hour', () => {
  it.each([
    ['updated_since=2026-01-31T10:%s:59.999Z', 'GET /articles?status=published&updated_since=2026-01-31T10%3A00%3A00Z'],
    [
      'updated_since=2026-01-31T10:%s:01%2B05:30',
      'GET /articles?status=published&updated_since=2026-01-31T10%3A00%3A00%2B05%3A30',
    ],
    ['since=2025-01-31T10:%s:01Z', 'GET /articles?status=published&since=2025-01-31T10%3A00%3A00Z'],
  ])('share one request: ?%s', async (query, asked) => {
    const service = new Service();
    const visit = service.visit();
    for (let minute = 10; minute < 60; minute++) {
      expect((await visit(`${LIST}?${query.replace('%s', String(minute))}`)).status).toBe(200);
    }
    expect(service.asked).toEqual([asked]);
  });

  it('are sent unchanged if they are dates or full hours', async () => {
    const service = new Service();
    const visit = service.visit();
    await visit(`${LIST}?updated_since=2026-01-31&since=2025-12-31`);
    await visit(`${LIST}?updated_since=2026-01-31T10:00:00Z`);
    expect(service.asked).toEqual([
      'GET /articles?status=published&updated_since=2026-01-31&since=2025-12-31',
      'GET /articles?status=published&updated_since=2026-01-31T10%3A00%3A00Z',
    ]);
  });

  it('are sent unchanged and not compared if they have no time zone', async () => {
    const service = new Service();
    // Changed at 10:20 by the clock of the service, which is an hour ahead of UTC.
    service.articles = [article(1, { updated_at: '2026-02-01T09:20:00Z', published_at: '2026-02-01T09:20:00Z' })];
    service.reply = () => json(200, { articles: service.articles, total: 1, limit: 50, offset: 0 });
    const visit = service.visit();
    expect(await ids(await visit(`${LIST}?updated_since=2026-02-01T10:15:00`))).toEqual([1]);
    expect(await ids(await visit(`${LIST}?since=2026-02-01T10:15`))).toEqual([1]);
    // Only the date that was rounded is compared again.
    expect(await ids(await visit(`${LIST}?since=2026-02-01T10:15&updated_since=2026-02-01T09:15:00Z`))).toEqual([1]);
    expect(service.asked).toEqual([
      'GET /articles?status=published&updated_since=2026-02-01T10%3A15%3A00',
      'GET /articles?status=published&since=2026-02-01T10%3A15',
      'GET /articles?status=published&updated_since=2026-02-01T09%3A00%3A00Z&since=2026-02-01T10%3A15',
    ]);
  });

  it('are sent unchanged with an offset, which counts from the exact date', async () => {
    const service = new Service();
    await service.visit()(`${LIST}?updated_since=2026-01-31T10:10:10Z&offset=3`);
    expect(service.asked).toEqual(['GET /articles?offset=3&status=published&updated_since=2026-01-31T10%3A10%3A10Z']);
  });
});

describe('a response', () => {
  it('has only articles later than the exact date', async () => {
    const service = new Service();
    service.articles = every(60, 10);
    const visit = service.visit();
    const all = await list(await visit(`${LIST}?updated_since=2026-02-01T10:00:00Z`));
    expect([all.articles.length, all.total]).toEqual([10, 10]);
    const later = await list(await visit(`${LIST}?updated_since=${service.articles[6]?.updated_at}`));
    expect([later.articles.map(({ id }) => id), later.total, later.offset]).toEqual([[8, 9, 10], 3, 0]);
    const none = await list(await visit(`${LIST}?updated_since=2026-02-01T10:59:59Z`));
    expect([none.articles, none.total]).toEqual([[], 0]);
    expect(service.asked).toHaveLength(1);
  });

  it('compares microseconds', async () => {
    const service = new Service();
    service.articles = [1, 2, 3].map((id) => article(id, { updated_at: `2026-02-01T10:10:10.00000${id}+00:00` }));
    const visit = service.visit();
    const since = encodeURIComponent('2026-02-01T10:10:10.000002+00:00');
    expect(await ids(await visit(`${LIST}?updated_since=${since}`))).toEqual([3]);
  });

  it('has only articles published at or after the exact date', async () => {
    const service = new Service();
    service.articles = [1, 2, 3].map((id) => article(id, { published_at: `2026-01-01T10:${id}0:00Z` }));
    publishedSince(service);
    const visit = service.visit();
    expect(await ids(await visit(`${LIST}?since=2026-01-01T10:15:00Z`))).toEqual([2, 3]);
    expect(await ids(await visit(`${LIST}?since=2026-01-01T10:20:00Z`))).toEqual([2, 3]);
    expect(await ids(await visit(`${LIST}?since=2026-01-01T10:20:01Z`))).toEqual([3]);
    expect(service.asked).toHaveLength(1);
  });

  it('uses the exact date if an hour has more publications than a page', async () => {
    const service = new Service();
    service.pageSize = 2;
    service.articles = [1, 2, 3].map((id) => article(id, { published_at: `2026-01-01T10:${id}0:00Z` }));
    publishedSince(service);
    expect(await ids(await service.visit()(`${LIST}?since=2026-01-01T10:05:00Z`))).toEqual([1, 2]);
    expect(service.asked).toHaveLength(2);
  });

  it('is the beginning of the changes that follow the exact date', async () => {
    const service = new Service();
    service.pageSize = 10;
    service.articles = every(60, 60);
    const visit = service.visit();
    for (const [index, asked] of [
      [3, 1],
      [4, 2],
      [9, 3],
      [30, 4],
    ] as const) {
      const since = service.articles[index]?.updated_at as string;
      const page = await list(await visit(`${LIST}?updated_since=${since}`));
      const rest = service.articles.slice(index + 1);
      expect(page.articles, since).toEqual(rest.slice(0, page.articles.length));
      expect(page.articles.length, since).toBeGreaterThan(5);
      expect([page.total, page.limit], since).toEqual([rest.length, page.articles.length]);
      // The page of the hour is asked once; where half of it or less is later, the exact date is asked too.
      expect(service.asked, since).toHaveLength(asked);
    }
  });
});

describe('the changes, iterated through the proxy', () => {
  it.each([
    ['several pages of one hour', 10, 120, 10],
    ['several pages of one minute', 10, 95, 0.5],
    ['an hour on each page', 10, 50, 600],
    ['pages of two', 2, 21, 60],
    ['days between them', 5, 22, 86_400],
  ])('are complete, each once: %s', async (_, pageSize, count, seconds) => {
    const service = new Service();
    service.pageSize = pageSize;
    service.articles = every(seconds, count);
    expect(await changes(service)).toEqual(service.articles.map(({ id }) => id));
    const from = service.articles[Math.floor(count / 3)];
    expect(await changes(service, from?.updated_at)).toEqual(
      service.articles.filter(({ id }) => id > (from?.id ?? 0)).map(({ id }) => id),
    );
  });

  it('are complete if the service ignores `offset`', async () => {
    const service = new Service();
    service.pageSize = 10;
    service.articles = every(20, 100);
    service.reply = (request) => {
      const url = new URL(request.url);
      if (!url.searchParams.has('offset')) return undefined;
      url.searchParams.delete('offset');
      return service.fetch(new Request(url, { headers: request.headers }));
    };
    expect(await changes(service)).toEqual(service.articles.map(({ id }) => id));
  });

  it('are complete, whatever the times and the pages', async () => {
    const moment = fc.record({ second: fc.nat(9_000), fraction: fc.nat(2) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(moment, { maxLength: 60 }),
        fc.integer({ min: 3, max: 12 }),
        fc.nat(9_000),
        async (moments, pageSize, start) => {
          const service = new Service();
          service.pageSize = pageSize;
          const at = (second: number, fraction: number) =>
            `${new Date(Date.UTC(2026, 1, 1, 9) + second * 1_000).toISOString().slice(0, 19)}.00000${fraction}+00:00`;
          service.articles = moments.map(({ second, fraction }, index) =>
            article(index + 1, { updated_at: at(second, fraction) }),
          );
          const since = at(start, 1);
          const expected = service.articles.filter(({ updated_at }) => updated_at > since).map(({ id }) => id);
          expect((await changes(service, since)).sort((a, b) => a - b)).toEqual(expected);
        },
      ),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 60) },
    );
  });

  it('cost at most one more request for each page', async () => {
    const service = new Service();
    service.pageSize = 10;
    service.articles = every(600, 100);
    await changes(service);
    const through = service.asked.length;
    service.asked = [];
    for await (const _ of service.client().articles.changes()) {
      // Only the requests count.
    }
    expect(through).toBeLessThanOrEqual(2 * service.asked.length);
  });
});
