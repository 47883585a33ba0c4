import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Article,
  type Client,
  InvalidRequestError,
  type ListPromise,
  type RequestOptions,
  type Review,
  SyncStalledError,
} from '../../src/index.js';
import { aPost, aReview, aReviewPage, BODIES } from '../spec/bodies.js';
import { caught, makeClient } from '../support/clients.js';
import { ARTICLE, BULLE_IDENTITY } from '../support/fixtures.js';
import { json, type Reply, refuse, type StubFetch, stubFetch } from '../support/stub-fetch.js';

const client = (fetch: StubFetch) => makeClient({ fetch, identity: BULLE_IDENTITY, maxRetries: 0 });
const range = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index);
const number = (url: URL, name: string) => Number(url.searchParams.get(name));
const asked = (fetch: StubFetch) => fetch.calls.map(({ url }) => url.search);

async function all<T>(items: AsyncIterable<T>, seen: T[] = []): Promise<T[]> {
  for await (const item of items) seen.push(item);
  return seen;
}

describe('posts.list', () => {
  /** A service that has these posts, by offset and limit. */
  const serving =
    (posts: number[]): Reply =>
    ({ url }, index) => {
      const limit = number(url, 'limit') || 50;
      const page = posts.slice(number(url, 'offset'), number(url, 'offset') + limit);
      return json(page.map((id) => aPost({ id })))({} as never, index) as Response;
    };

  it.each([
    ['none', 0, ['?limit=3']],
    ['a short page', 2, ['?limit=3', '?limit=3&offset=2']],
    ['a full page and nothing after it', 3, ['?limit=3', '?limit=3&offset=3']],
    ['several', 8, ['?limit=3', '?limit=3&offset=3', '?limit=3&offset=6']],
    ['an exact multiple', 6, ['?limit=3', '?limit=3&offset=3', '?limit=3&offset=6']],
  ])('goes through %s', async (_, count, queries) => {
    const fetch = stubFetch(serving(range(count)));
    const posts = await all(client(fetch).posts.list({ limit: 3 }));
    expect(posts.map(({ id }) => id)).toEqual(range(count));
    expect(asked(fetch)).toEqual(queries);
  });

  it('requests 50 from the second page on if no limit is given', async () => {
    const fetch = stubFetch(serving(range(120)));
    expect(await all(client(fetch).posts.list({ status: 'error' }))).toHaveLength(120);
    expect(asked(fetch)).toEqual([
      '?status=error',
      '?status=error&limit=50&offset=50',
      '?status=error&limit=50&offset=100',
    ]);
    const short = stubFetch(serving(range(49)));
    await all(client(short).posts.list());
    expect(asked(short)).toEqual(['', '?limit=50&offset=49']);
  });

  it.each([
    ['a lower cap than documented', 100, 20, undefined],
    ['a lower cap than documented and a limit above it', 100, 20, 80],
    ['a lower default than documented', 20, 100, undefined],
    ['a lower default and a lower cap', 10, 20, undefined],
  ])('goes through all posts of a service with %s', async (_, byDefault, cap, limit) => {
    const posts = range(107);
    const fetch = stubFetch(({ url }, index) => {
      const size = Math.min(number(url, 'limit') || byDefault, cap);
      const page = posts.slice(number(url, 'offset'), number(url, 'offset') + size);
      return json(page.map((id) => aPost({ id })))({} as never, index) as Response;
    });
    const seen = await all(client(fetch).posts.list({ limit }));
    expect(seen.map(({ id }) => id)).toEqual(posts);
    expect(fetch.calls.length).toBeLessThanOrEqual(Math.ceil(107 / 20) + 1);
  });

  it('starts at offset', async () => {
    const fetch = stubFetch(serving(range(5)));
    expect((await all(client(fetch).posts.list({ limit: 2, offset: 2 }))).map(({ id }) => id)).toEqual([3, 4, 5]);
    expect(asked(fetch)).toEqual(['?limit=2&offset=2', '?limit=2&offset=4']);
  });

  it('sends one request for one page if awaited', async () => {
    const fetch = stubFetch(serving(range(9)));
    const { data, response } = await client(fetch).posts.list({ limit: 3 }).withResponse();
    expect([data.length, response.status, fetch.calls.length]).toEqual([3, 200, 1]);
  });

  it('yields no post twice if new posts appear first', async () => {
    const posts = range(9).reverse();
    const fetch = stubFetch((seen, index) => {
      if (index > 0 && index < 3) posts.unshift(100 + index);
      return serving(posts)(seen, index);
    });
    const ids = (await all(client(fetch).posts.list({ limit: 3 }))).map(({ id }) => id);
    expect(ids).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  const page = (...ids: number[]) => json(ids.map((id) => aPost({ id })));
  const SHORT = page();
  const [first, second] = [page(1, 2), page(3, 4)];

  it.each<[string, limit: number, pages: Reply[], ids: number[], offsets: number[]]>([
    ['ends after two more requests if the service ignores offset', 3, [page(1, 2, 3)], [1, 2, 3], [0, 3, 6]],
    ['goes on behind more posts than requested', 3, [page(1, 2, 3, 4), page(5)], [1, 2, 3, 4, 5], [0, 4]],
    ['yields no id of one page twice', 2, [page(1, 1), page(2), SHORT], [1, 2], [0, 2]],
    ['ends if the same pages are returned in turn', 2, [first, second, first, second], [1, 2, 3, 4], [0, 2, 4, 6]],
    ['goes on if as many posts as a page has are new', 2, [first, first, second, SHORT], [1, 2, 3, 4], [0, 2, 4, 6]],
    ['skips one page of known posts', 2, [second, page(4, 3), page(2, 1), SHORT], [3, 4, 2, 1], [0, 2, 4, 6]],
    ['ends at the second such page in a row', 2, [first, page(2, 1), first, second], [1, 2], [0, 2, 4]],
    ['ends at an empty page, whatever would follow', 2, [first, SHORT, second], [1, 2], [0, 2]],
  ])('%s', async (_, limit, pages, ids, offsets) => {
    const fetch = stubFetch(...pages);
    expect((await all(client(fetch).posts.list({ limit }))).map(({ id }) => id)).toEqual(ids);
    expect(fetch.calls.map(({ url }) => number(url, 'offset'))).toEqual(offsets);
  });

  it('by pages yields every page unchanged, and ends if the same pages are returned in turn', async () => {
    const ids = (pages: { id: number }[][]) => pages.map((posts) => posts.map(({ id }) => id));
    const fetch = stubFetch(page(1, 2), page(2, 3), page(5), SHORT);
    expect(ids(await all(client(fetch).posts.list({ limit: 2 }).pages()))).toEqual([[1, 2], [2, 3], [5]]);
    const endless = stubFetch(...Array.from({ length: 5 }, () => [page(1, 2), page(3, 4), page(5, 6)]).flat());
    const pages = ids(await all(client(endless).posts.list({ limit: 2 }).pages()));
    expect(pages.slice(0, 3).flat()).toEqual(range(6));
    expect(endless.calls).toHaveLength(5);
  });

  it('requests a page when it is needed, and once, also if next() is called in parallel', async () => {
    const fetch = stubFetch(serving(range(5)));
    const iterator = client(fetch).posts.list({ limit: 2 })[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(fetch.calls).toHaveLength(1);
    const rest = await Promise.all(Array.from({ length: 5 }, () => iterator.next()));
    expect(rest.map(({ value }) => value?.id)).toEqual([3, 4, 5, undefined, undefined]);
    expect(fetch.calls).toHaveLength(3);
  });

  it('requests its first page once, even if it is awaited and iterated twice', async () => {
    const fetch = stubFetch(serving(range(2)));
    const list = client(fetch).posts.list({ limit: 3 });
    expect(await list).toHaveLength(2);
    const after = [await all(list), await all(list)].map((posts) => posts.length);
    expect(after).toEqual([2, 2]);
    expect(asked(fetch).filter((query) => query === '?limit=3')).toHaveLength(1);
  });

  it('sends no more requests after break', async () => {
    const fetch = stubFetch(serving(range(9)));
    for await (const { id } of client(fetch).posts.list({ limit: 3 })) if (id === 4) break;
    expect(fetch.calls).toHaveLength(2);
  });

  it.each([
    ['is refused', refuse(403), 'permission_denied'],
    ['has a shape that only `validation` accepts', json({}), 'invalid_response'],
  ])('throws after the items of earlier pages if a later page %s', async (_, later, code) => {
    const { posts } = client(stubFetch(serving(range(9)), later)).withOptions({ validation: 'off' });
    const seen: { id: number }[] = [];
    expect(await caught(all(posts.list({ limit: 3 }), seen), Error)).toMatchObject({ code, operation: 'posts.list' });
    expect(seen).toHaveLength(3);
  });

  it('iterates the pages of a view’s location', async () => {
    const fetch = stubFetch(serving(range(4)));
    await all(client(fetch).forBulle('b-lyon').posts.list({ limit: 2 }));
    expect(new Set(fetch.calls.map(({ url }) => url.searchParams.get('bulle_id')))).toEqual(new Set(['b-lyon']));
  });
});

describe('reviews.list', () => {
  interface Service {
    reviews: Review[];
    fetch: StubFetch;
  }

  /** A service with these reviews, by page; `change` happens before it answers. */
  function service(count: number, change: (reviews: Review[], index: number) => void = () => {}): Service {
    const reviews = range(count).map((id) => aReview(`r${id}`));
    const fetch = stubFetch(({ url }, index) => {
      change(reviews, index);
      const limit = number(url, 'limit') || 25;
      const page = number(url, 'page') || 1;
      const status = url.searchParams.get('status');
      const fitting = reviews.filter(({ responded }) => status !== 'unresponded' || !responded);
      const body = aReviewPage(fitting.slice((page - 1) * limit, page * limit), {
        page,
        total_pages: Math.ceil(fitting.length / limit),
        filtered_count: fitting.length,
      });
      return json(body)({} as never, index) as Response;
    });
    return { reviews, fetch };
  }
  const ids = (reviews: Review[]) => reviews.map(({ review_id }) => review_id);
  const names = (...numbers: number[]) => numbers.map((id) => `r${id}`);

  it.each([
    ['none', 0, ['?limit=2']],
    ['one page', 2, ['?limit=2']],
    ['an exact multiple', 4, ['?limit=2', '?limit=2&page=2']],
    ['a short last page', 5, ['?limit=2', '?limit=2&page=2', '?limit=2&page=3']],
  ])('goes through %s and asks for no page beyond the last', async (_, count, queries) => {
    const { fetch } = service(count);
    expect(ids(await all(client(fetch).reviews.list({ limit: 2 })))).toEqual(names(...range(count)));
    expect(asked(fetch)).toEqual(queries);
  });

  it('starts at page', async () => {
    const { fetch } = service(5);
    expect(ids(await all(client(fetch).reviews.list({ limit: 2, page: 2 })))).toEqual(names(3, 4, 5));
    expect(asked(fetch)).toEqual(['?limit=2&page=2', '?limit=2&page=3']);
    const beyond = service(5);
    expect(await all(client(beyond.fetch).reviews.list({ limit: 2, page: 9 }))).toEqual([]);
    expect(beyond.fetch.calls).toHaveLength(1);
  });

  it.each<[string, number, number, (reviews: Review[]) => unknown, string[], number[]]>([
    ['yields each once if new ones appear', 5, 1, (to) => to.unshift(aReview('n')), names(1, 2, 3, 4, 5), [1, 2, 3]],
    ['continues if the list grows by a page', 4, 1, (to) => to.push(aReview('r5')), names(1, 2, 3, 4, 5), [1, 2, 3]],
    // It reads the pages to which reviews may have moved, and no page that is gone.
    ['ends if the list shrinks', 6, 1, (from) => from.splice(2), names(1, 2), [1, 2, 1]],
    ['skips none if an earlier one is removed', 7, 2, (from) => from.shift(), names(...range(7)), []],
  ])('%s', async (_, count, when, change, expected, pages) => {
    const { fetch } = service(count, (reviews, index) => void (index === when && change(reviews)));
    expect(ids(await all(client(fetch).reviews.list({ limit: 2 }))).sort()).toEqual(expected);
    if (pages.length > 0) expect(fetch.calls.map(({ url }) => number(url, 'page') || 1)).toEqual(pages);
  });

  it.each([1, 2, 3, 4, 5, 8, 9, 25])(
    'leaves none out when each is answered and so leaves the filter, by %i',
    async (limit) => {
      const { reviews, fetch } = service(10);
      const answer = (id: string) =>
        Object.assign(reviews.find(({ review_id }) => review_id === id) ?? {}, { responded: true });
      const answered: string[] = [];
      for await (const { review_id } of client(fetch).reviews.list({ status: 'unresponded', limit })) {
        answered.push(review_id);
        answer(review_id);
      }
      expect(answered.sort()).toEqual(names(...range(10)).sort());
      expect(fetch.calls.length).toBeLessThanOrEqual(2 * Math.ceil(10 / limit) + 1);
    },
  );

  it('skips no review if whole pages get replies', async () => {
    const { reviews, fetch } = service(30);
    const answered: string[] = [];
    for await (const page of client(fetch).reviews.list({ status: 'unresponded' }).pages()) {
      for (const { review_id } of page.reviews) {
        answered.push(review_id);
        Object.assign(reviews.find((review) => review.review_id === review_id) ?? {}, { responded: true });
      }
    }
    expect(new Set(answered).size).toBe(30);
    expect(asked(fetch)).toEqual(['?status=unresponded', '?status=unresponded&page=2', '?status=unresponded&page=1']);
  });

  it('skips no review if the service returns fewer per page than requested', async () => {
    const reviews = range(20).map((id) => aReview(`r${id}`));
    const fetch = stubFetch(({ url }, index) => {
      if (index === 3) reviews.splice(0, 6);
      const page = number(url, 'page') || 1;
      const figures = { page, total_pages: reviews.length / 2, filtered_count: reviews.length };
      return json(aReviewPage(reviews.slice((page - 1) * 2, page * 2), figures))({} as never, index) as Response;
    });
    expect(ids(await all(client(fetch).reviews.list({ limit: 25 }))).sort()).toEqual(names(...range(20)).sort());
  });

  it.each([
    ['count that goes up and down', (index: number) => ({ filtered_count: 10 - (index % 2), total_pages: 5 })],
    ['number of pages that always grows', (index: number) => ({ filtered_count: 10, total_pages: index + 9 })],
  ])('ends with a %s', async (_, figures) => {
    const fetch = stubFetch(({ url }, index) => {
      const page = Math.min(number(url, 'page') || 1, 5);
      const body = aReviewPage([aReview(`r${page * 2 - 1}`), aReview(`r${page * 2}`)], { page, ...figures(index) });
      return json(body)({} as never, index) as Response;
    });
    expect(ids(await all(client(fetch).reviews.list({ limit: 2 })))).toEqual(names(...range(10)));
    expect(fetch.calls.length).toBeLessThan(15);
  });

  it('ends if the service ignores page', async () => {
    const fetch = stubFetch(json(aReviewPage([aReview('r1')], { total_pages: 40, filtered_count: 40 })));
    expect(await all(client(fetch).reviews.list({ limit: 1 }))).toHaveLength(1);
    expect(fetch.calls).toHaveLength(3);
  });

  it('is the unchanged page if awaited, and pages() yields every page with new items', async () => {
    const { fetch } = service(5);
    const figures = { page: 1, total_pages: 3, filtered_count: 5 };
    expect(await client(fetch).reviews.list({ limit: 2 })).toMatchObject(figures);
    expect(fetch.calls).toHaveLength(1);
    const pages = await all(client(fetch).reviews.list({ limit: 2 }).pages());
    expect(pages.map(({ page }) => page)).toEqual([1, 2, 3]);
  });
});

describe('toArray', () => {
  const posts = (...ids: number[]) => json(ids.map((id) => aPost({ id })));
  const service = () => stubFetch(posts(1, 2), posts(3, 4), posts(5));

  it('collects all items', async () => {
    const fetch = service();
    const collected = await client(fetch).posts.list({ limit: 2 }).toArray();
    expect(collected.map(({ id }) => id)).toEqual(range(5));
    expect(fetch.calls).toHaveLength(3);
    expect(await client(service()).posts.list().toArray({ limit: undefined })).toHaveLength(5);
  });

  it.each([0, 1, 2, 3, 4, 5, 99])('collects at most %i, and requests no page that it does not need', async (limit) => {
    const fetch = service();
    const collected = await client(fetch).posts.list({ limit: 2 }).toArray({ limit });
    expect(collected.map(({ id }) => id)).toEqual(range(Math.min(limit, 5)));
    expect(fetch.calls).toHaveLength(Math.min(3, Math.max(1, Math.ceil(limit / 2))));
  });

  it.each([{ limit: -1 }, { limit: 1.5 }, { limit: '5' }, { limit: Number.NaN }, { max: 5 }, null, 5])(
    'refuses the options %j',
    async (options) => {
      const { posts } = client(service());
      const error = await caught(posts.list().toArray(options as never), InvalidRequestError);
      expect(error).toMatchObject({ operation: 'posts.list', outcome: 'not_applied' });
    },
  );

  it('rejects with what the list fails with', async () => {
    const { posts } = client(stubFetch(refuse(403)));
    expect(await caught(posts.list().toArray(), Error)).toMatchObject({ code: 'permission_denied' });
  });
});

const SCOPES = {
  'spheres.list': [{ id: 's-1', name: 'Maison Martin' }],
  'bulles.list': ['b-lyon', 'b-nantes'].map((id) => ({ id, name: id, sphere_id: 's-1' })),
  // Two accounts of one platform.
  'connections.list': [1, 2].map(() => ({ platform: 'facebook', connected: true, needs_reconnect: false })),
  // Two sites with one id.
  'sites.list': ['wordpress', 'wix'].map((platform) => ({ platform, id: 1, is_shared: false })),
};

describe.each<[string, (client: Client) => ListPromise<object[], object>]>([
  ['spheres.list', (client) => client.spheres.list()],
  ['bulles.list', (client) => client.bulles.list()],
  ['connections.list', (client) => client.connections.list()],
  ['seo.trackedKeywords.list', (client) => client.seo.trackedKeywords.list()],
  ['qrCodes.list', (client) => client.qrCodes.list()],
  ['sites.list', (client) => client.sites.list()],
  ['reports.list', (client) => client.reports.list({ limit: 1 })],
])('%s, which the service sends whole', (operation, list) => {
  const items = { ...BODIES, ...SCOPES }[operation] as object[];
  it('awaited is the array, iterated gives each item, and each costs one request', async () => {
    const fetch = stubFetch(json(items));
    const make = () => list(client(fetch));
    const { data, response } = await make().withResponse();
    expect([data, response.status, fetch.calls.length]).toEqual([items, 200, 1]);
    expect(await all(make())).toEqual(items);
    expect(await all(make().pages())).toEqual([items]);
    expect(await make().toArray()).toEqual(items);
    expect(await make().toArray({ limit: 1 })).toEqual(items.slice(0, 1));
    for await (const _item of make()) break;
    expect(fetch.calls).toHaveLength(6);
    const none = stubFetch(json([]));
    expect(await all(list(client(none)))).toEqual([]);
    expect(none.calls).toHaveLength(1);
    expect(await caught(all(list(client(stubFetch(refuse(403))))), Error)).toMatchObject({ code: 'permission_denied' });
  });
});

describe('articles.list', () => {
  const at = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, '0')}:00+00:00`;
  const article = (id: number, minute = id): Article => ({ ...ARTICLE, id, updated_at: at(minute) });
  const some = (count = 9) => range(count).map((id) => article(id));

  /** A service with these articles: sorted by change where it is asked with `updated_since`, else newest first. */
  function service(articles: Article[], size: number, change: (index: number) => void = () => {}): StubFetch {
    return stubFetch(({ url }, index) => {
      change(index);
      const { searchParams } = url;
      const since = searchParams.get('updated_since');
      const limit = number(url, 'limit') || size;
      const offset = number(url, 'offset');
      const matching = articles
        .filter(({ updated_at }) => since === null || Date.parse(updated_at) > Date.parse(since))
        .sort((a, b) => (since === null ? -1 : 1) * (Date.parse(a.updated_at) - Date.parse(b.updated_at)));
      const page = { articles: matching.slice(offset, offset + limit), total: matching.length, limit, offset };
      return json(page)({} as never, index) as Response;
    });
  }
  const ids = (articles: readonly Article[]) => articles.map(({ id }) => id);
  const BEGINNING = '1970-01-01T00:00:00Z';
  const sinceOf = (fetch: StubFetch) => fetch.calls.map(({ url }) => url.searchParams.get('updated_since'));

  it('awaited is the page as served, with one request', async () => {
    const fetch = service(some(), 4);
    const { articles, total } = await client(fetch).articles.list({ status: 'published' });
    expect([ids(articles), total]).toEqual([[9, 8, 7, 6], 9]);
    expect(asked(fetch)).toEqual(['?status=published']);
  });

  it('iterated goes through all that match, oldest change first', async () => {
    const fetch = service(some(), 4);
    const since = new Date('2026-01-01T00:00:00Z');
    const found = await all(client(fetch).articles.list({ status: 'all', since, bulle_id: 'b-1' }));
    expect(ids(found)).toEqual(range(9));
    for (const { url } of fetch.calls) {
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        status: 'all',
        since: since.toISOString(),
        bulle_id: 'b-1',
      });
    }
    expect(sinceOf(fetch)).toEqual([BEGINNING, at(3), at(6)]);
  });

  it('iterated after its own page was requested asks for the first page in the other order', async () => {
    const fetch = service(some(), 4);
    const list = client(fetch).articles.list();
    expect(ids((await list).articles)).toEqual([9, 8, 7, 6]);
    expect(ids(await all(list))).toEqual(range(9));
    expect(sinceOf(fetch)).toEqual([null, BEGINNING, at(3), at(6)]);
  });

  it('keeps the parameters that the caller changes right after the call', async () => {
    const fetch = service(some(3), 4);
    const params = { bulle_id: 'b-1' };
    const lists = ['b-1', 'b-2'].map((bulle_id) => client(fetch).articles.list(Object.assign(params, { bulle_id })));
    lists.push(client(fetch).articles.list(params));
    await Promise.all([lists[0], lists[1], lists[2]?.toArray()]);
    expect(fetch.calls.map(({ url }) => url.searchParams.get('bulle_id'))).toEqual(['b-1', 'b-2', 'b-2']);
  });

  it('with updated_since, the awaited page is the first of the iterated ones', async () => {
    const fetch = service(some(), 4);
    const list = client(fetch).articles.list({ updated_since: at(2) });
    expect(ids((await list).articles)).toEqual([3, 4, 5, 6]);
    expect(ids(await all(list))).toEqual(range(7, 3));
    expect(sinceOf(fetch)).toEqual([at(2), at(5), at(8)]);
    const dated = service(some(3), 4);
    const { articles } = client(dated);
    expect(ids(await articles.list({ updated_since: new Date(at(1)) }).toArray())).toEqual([2, 3]);
    expect(dated.calls).toHaveLength(1);
  });

  it.each([0, 1, 3])('a page that holds all %i costs no other request, and is sorted', async (count) => {
    const fetch = service(some(count), 4);
    expect(ids(await all(client(fetch).articles.list()))).toEqual(range(count));
    expect(fetch.calls).toHaveLength(1);
  });

  it('does not end where the total promises more', async () => {
    const articles = range(6).map((id) => article(id));
    const full = service(articles, 4);
    const fetch = stubFetch(async (seen, index) => {
      if (index > 0) return full(seen.request);
      return json({ articles: articles.slice(0, 2), total: 6, limit: 4, offset: 0 })(seen, index);
    });
    expect(ids(await all(client(fetch).articles.list()))).toEqual(range(6));
  });

  it('gives none twice, even if it changes meanwhile', async () => {
    const articles = range(9).map((id) => article(id));
    const fetch = service(articles, 4, (index) => {
      if (index === 2) Object.assign(articles.find(({ id }) => id === 2) ?? {}, { updated_at: at(30) });
    });
    expect(ids(await all(client(fetch).articles.list()))).toEqual(range(9));
  });

  it('goes through many articles of one timestamp', async () => {
    const many = range(9).map((id) => article(id, id < 8 ? 1 : id));
    const fetch = service(many, 4);
    expect(ids(await all(client(fetch).articles.list())).sort()).toEqual(range(9));
  });

  it('stops asking on break and at the limit', async () => {
    const fetch = service(some(20), 4);
    for await (const { id } of client(fetch).articles.list()) if (id === 4) break;
    expect(fetch.calls).toHaveLength(1);
    expect(ids(await client(fetch).articles.list().toArray({ limit: 4 }))).toEqual(range(4));
    expect(fetch.calls).toHaveLength(2);
  });

  it('by pages gives pages without what was given before', async () => {
    const fetch = service(some(), 4);
    const pages = await all(client(fetch).articles.list().pages());
    expect(pages.map(({ articles }) => ids(articles))).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7],
      [8, 9],
    ]);
    expect(pages[0]).toMatchObject({ total: 9, limit: 4, offset: 0 });
    const none = await all(client(service([], 4)).articles.list().pages());
    expect(none).toEqual([{ articles: [], total: 0, limit: 4, offset: 0 }]);
  });

  it('sends the options with every request', async () => {
    const fetch = service(some(), 50);
    await all(client(fetch).articles.list({}, { extra: { limit: 4 }, headers: { 'x-trace': 'a' } }));
    expect(fetch.calls.length).toBeGreaterThan(2);
    for (const { url, headers } of fetch.calls) expect([number(url, 'limit'), headers['x-trace']]).toEqual([4, 'a']);
  });

  it('ends with a SyncStalledError at a service that repeats its pages', async () => {
    const page = { articles: range(4).map((id) => article(id, 1)), total: 9, limit: 4, offset: 0 };
    const error = await caught(all(client(stubFetch(json(page))).articles.list()), SyncStalledError);
    expect(error).toMatchObject({ operation: 'articles.list' });
  });
});

it.each<[string, number, unknown, (client: Client, date: Date, options: RequestOptions) => PromiseLike<unknown>]>([
  [
    'reviews.list',
    2,
    aReviewPage([aReview('r')], { page: 1, total_pages: 2, filtered_count: 2 }),
    ({ reviews }, date_from, options) => reviews.list({ fiche_id: 'f', date_from }, options).toArray(),
  ],
  [
    'articles.list',
    1,
    { articles: [ARTICLE], total: 1, limit: 50, offset: 0 },
    ({ articles }, since, options) => articles.list({ since }, options).toArray(),
  ],
])(
  '%s asks for what was written, even if the caller changes a date or the options afterwards',
  async (_, pages, page, list) => {
    const fetch = stubFetch(json(page));
    const [date, options] = [new Date('2026-11-01T00:00:00Z'), { headers: { 'x-of': 'one' } }];
    const done = list(client(fetch), date, options);
    date.setUTCFullYear(2030);
    options.headers = { 'x-of': 'another' };
    await done;
    expect(fetch.calls).toHaveLength(pages);
    for (const { url, headers } of fetch.calls) {
      expect(url.search).toContain('2026-11-01');
      expect(headers['x-of']).toBe('one');
    }
  },
);

it('toArray with a wrong `limit` leaves no failure of the first page behind', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const fetch = stubFetch(refuse(401));
  await caught(client(fetch).posts.list().toArray({ limit: Number.NaN }), InvalidRequestError);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).not.toHaveBeenCalled();
});
