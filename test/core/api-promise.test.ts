import { describe, expect, it, onTestFinished } from 'vitest';
import { type Api, ApiPromise } from '../../src/core/api.js';
import { endpoint, type Params } from '../../src/core/endpoint.js';
import { anything } from '../../src/core/schema.js';
import { ConnectionError, NotFoundError, RateLimitError } from '../../src/index.js';
import { type Paging, sendList } from '../../src/resources/pages.js';
import { caught, makeArticles, makeClient, rejection } from '../support/clients.js';
import { ARTICLE, LIST, SPHERE_IDENTITY } from '../support/fixtures.js';
import { fail, json, refuse, stubFetch } from '../support/stub-fetch.js';

/** What the process would have died of while the work was done. */
async function unhandledIn(work: () => Promise<void> | void): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
    for (const listener of others) process.on('unhandledRejection', listener);
  });
  await work();
  await new Promise((resolve) => setTimeout(resolve, 30));
  return unhandled;
}

describe('the promise of a call', () => {
  it('resolves to the body', async () => {
    expect(await makeArticles({ fetch: stubFetch(json(ARTICLE)) }).get(42)).toEqual(ARTICLE);
  });

  it('withResponse resolves to the body and the real Response', async () => {
    const fetch = stubFetch(json(ARTICLE, { status: 201, headers: { 'x-trace': 'abc' } }));
    const { data, response } = await makeArticles({ fetch }).get(42).withResponse();
    expect(data).toEqual(ARTICLE);
    expect(response).toBeInstanceOf(Response);
    expect(response.status).toBe(201);
    expect(response.headers.get('x-trace')).toBe('abc');
  });

  it('behaves like a Promise', async () => {
    const api = makeArticles({ fetch: stubFetch(json(ARTICLE)) });
    const promise = api.get(42);
    expect(promise).toBeInstanceOf(Promise);
    expect(promise).toBeInstanceOf(ApiPromise);
    expect(Object.prototype.toString.call(promise)).toBe('[object Promise]');
    expect(await promise.then(({ id }) => id)).toBe(42);
    let last = 0;
    expect(await promise.finally(() => void last++)).toEqual(ARTICLE);
    expect(last).toBe(1);
    expect(await Promise.all([promise, promise])).toEqual([ARTICLE, ARTICLE]);
    expect(await Promise.race([promise])).toEqual(ARTICLE);
    expect(await Promise.any([promise])).toEqual(ARTICLE);
    expect(await Promise.resolve(promise)).toEqual(ARTICLE);
    expect((await Promise.allSettled([promise]))[0]?.status).toBe('fulfilled');
    expect(await (async () => promise)()).toEqual(ARTICLE);
    expect(await new Promise((resolve) => resolve(promise))).toEqual(ARTICLE);
    const then = promise.then(() => 1);
    expect(then).not.toBeInstanceOf(ApiPromise);
    expect(then.constructor).toBe(Promise);
  });

  it('sends one request, however often it is used', async () => {
    const fetch = stubFetch(json(ARTICLE));
    const promise = makeArticles({ fetch }).get(42);
    await Promise.all([promise, promise.withResponse(), promise.withResponse(), promise.then(() => 1), promise]);
    expect(fetch.calls).toHaveLength(1);
  });

  it('sends the request even if it is not awaited', async () => {
    const fetch = stubFetch(json(ARTICLE));
    makeArticles({ fetch }).get(42);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(fetch.calls).toHaveLength(1);
  });

  it('rejects with the same error from `await` and `withResponse`', async () => {
    const promise = makeArticles({ fetch: stubFetch(refuse(404)) }).get(42);
    const [one, two] = await Promise.all([rejection(promise), rejection(promise.withResponse())]);
    expect(one).toBe(two);
    expect(one).toBeInstanceOf(NotFoundError);
  });

  it('never throws synchronously', async () => {
    const api = makeArticles({ fetch: stubFetch(json(ARTICLE)) });
    for (const call of [
      () => api.get(undefined as never),
      () => api.get(Number.NaN),
      () => api.list({ nonsense: 1 } as never),
      () => api.create(undefined as never),
      () => api.get(42, { timeout: -1 }),
      () => api.get(42, { signal: AbortSignal.abort() }),
    ]) {
      const promise = call();
      expect(promise).toBeInstanceOf(Promise);
      await rejection(promise);
    }
  });

  it('leaves no unhandled rejection if it is used as documented', async () => {
    const api = makeArticles({ fetch: stubFetch(refuse(404)) });
    const unhandled = await unhandledIn(async () => {
      await rejection(api.get(42));
      await rejection(api.get(42).withResponse());
      api.get(42).catch(() => {});
      api.get(42).then(undefined, () => {});
      api
        .get(42)
        .finally(() => {})
        .catch(() => {});
      api
        .get(42)
        .withResponse()
        .catch(() => {});
      await Promise.allSettled([api.get(42), api.get(42).withResponse()]);
      await rejection(api.changes().next());
    });
    expect(unhandled).toEqual([]);
  });

  it('causes one unhandled rejection if it fails and nobody handles it, like any promise', async () => {
    const api = makeArticles({ fetch: stubFetch(refuse(404)) });
    const unhandled = await unhandledIn(() => void api.get(42));
    expect(unhandled).toHaveLength(1);
    expect(unhandled[0]).toBeInstanceOf(NotFoundError);
  });
});

describe('an error shows where the caller waits', () => {
  const client = makeClient({ fetch: stubFetch(fail('ECONNRESET')), maxRetries: 0, rateLimit: false });
  const ways: Record<string, () => Promise<unknown>> = {
    'a call': async function caller() {
      return await client.articles.get(42);
    },
    'withResponse()': async function caller() {
      return await client.spheres.list().withResponse();
    },
    'a list': async function caller() {
      return await client.bulles.list();
    },
    'articles.list()': async function caller() {
      return await client.articles.list();
    },
    'me()': async function caller() {
      return await client.me();
    },
    'articles.sync()': async function caller() {
      for await (const _ of client.articles.sync()) return;
    },
  };
  it.each(Object.entries(ways))('%s', async (_, call) => {
    const error = await caught(call(), ConnectionError);
    expect(error.attempts).toBe(1);
    expect(error.stack).toMatch(/at (async )?(Object\.)?caller /);
  });
});

it('an error of the limiter also shows where the caller waits', async () => {
  const client = makeClient({ fetch: stubFetch(json([])), apiKey: 'frames', rateLimit: { perMinute: 1, maxWait: 1 } });
  await client.posts.list();
  const error = await caught(
    (async function caller() {
      return await client.posts.get(42);
    })(),
    RateLimitError,
  );
  expect(error.stack).toMatch(/at (async )?(Object\.)?caller /);
});

describe('client.me()', () => {
  it('returns an ApiPromise, which leaves no unhandled rejection', async () => {
    const client = makeClient({ fetch: stubFetch(json(SPHERE_IDENTITY)) });
    const { data, response } = await client.me().withResponse();
    expect(data).toEqual(SPHERE_IDENTITY);
    expect(response.status).toBe(200);
    const refused = makeClient({ fetch: stubFetch(refuse(401)) });
    const unhandled = await unhandledIn(async () => {
      await rejection(refused.me());
      await rejection(refused.me().withResponse());
    });
    expect(unhandled).toEqual([]);
  });
});

interface Row {
  id: number;
}

const ROUTE = endpoint({ operation: 'posts.list', method: 'GET', path: '/posts', permission: 'read' });
const rows = (...ids: number[]): Row[] => ids.map((id) => ({ id }));

/** A list of bare arrays with limit and offset, such as GET /posts, served from pages that a test writes down. */
function listOf(serve: (params: Params, index: number) => Row[] | Promise<Row[]>, params: Params = { limit: 2 }) {
  const asked: Params[] = [];
  const limit = params.limit as number;
  const paging: Paging<Row[], Row> = {
    needs: anything,
    items: (page) => page,
    id: ({ id }) => id,
    next: (page, last) =>
      page.length < limit ? undefined : { ...last, offset: Number(last.offset ?? 0) + page.length },
  };
  const sent = (given: object | undefined) => ({ ...given });
  const ask: Api['ask'] = async (_endpoint: unknown, given: Params, options) => {
    const index = asked.push({ ...given, ...options?.extra }) - 1;
    if (index > 50) throw new Error('it loops');
    return { data: (await serve(asked[index] ?? {}, index)) as never, response: new Response() };
  };
  return { list: sendList({ ask, sent }, ROUTE, params, undefined, paging), asked };
}

const pagesOf =
  (...pages: Row[][]) =>
  (_: Params, index: number) =>
    pages[index] ?? [];

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
const ids = (list: Row[]) => list.map(({ id }) => id);

describe('a list', () => {
  it('resolves to the body of one page if awaited', async () => {
    const { list, asked } = listOf(pagesOf(rows(1, 2), rows(3)));
    expect(await list).toEqual(rows(1, 2));
    expect((await list.withResponse()).response).toBeInstanceOf(Response);
    expect(asked).toHaveLength(1);
  });

  it('yields the items of all pages in order if iterated', async () => {
    const { list, asked } = listOf(pagesOf(rows(1, 2), rows(3, 4), rows(5)));
    expect(ids(await all(list))).toEqual([1, 2, 3, 4, 5]);
    expect(asked).toEqual([{ limit: 2 }, { limit: 2, offset: 2 }, { limit: 2, offset: 4 }]);
  });

  it('yields every page unchanged if iterated by pages', async () => {
    const { list } = listOf(pagesOf(rows(1, 2), rows(2, 3), rows(5)));
    expect(await all(list.pages())).toEqual([rows(1, 2), rows(2, 3), rows(5)]);
  });

  it('requests nothing after a short page', async () => {
    const { list, asked } = listOf(pagesOf(rows(1, 2), rows(3)));
    await all(list);
    expect(asked).toHaveLength(2);
  });

  it('whose last page is full ends with an empty page, which is not yielded', async () => {
    const { list, asked } = listOf(pagesOf(rows(1, 2), rows(3, 4), []));
    expect(ids(await all(list))).toEqual([1, 2, 3, 4]);
    expect(asked).toHaveLength(3);
  });

  it('that is empty yields nothing and sends one request', async () => {
    const { list, asked } = listOf(pagesOf([]));
    expect(await all(list)).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  it('never yields an id twice, even if rows move between pages', async () => {
    const { list } = listOf(pagesOf(rows(1, 2), rows(2, 3), rows(3, 4), rows(4)));
    expect(ids(await all(list))).toEqual([1, 2, 3, 4]);
  });

  it('never yields an id twice within one page', async () => {
    const { list } = listOf(pagesOf(rows(1, 1), rows(2)));
    expect(ids(await all(list))).toEqual([1, 2]);
  });

  it('ends at a page that equals the previous one', async () => {
    const { list, asked } = listOf(() => rows(1, 2));
    expect(ids(await all(list))).toEqual([1, 2]);
    expect(asked.length).toBe(2);
  });

  it('ends if the same pages are returned in turn', async () => {
    const { list, asked } = listOf((_, index) => (index % 2 === 0 ? rows(1, 2) : rows(3, 4)));
    expect(ids(await all(list))).toEqual([1, 2, 3, 4]);
    expect(asked.length).toBe(4);
  });

  it('iterated by pages ends if the same pages are returned in turn', async () => {
    const { list, asked } = listOf((_, index) => [rows(1, 2), rows(3, 4), rows(5, 6)][index % 3] as Row[]);
    expect((await all(list.pages())).slice(0, 3)).toEqual([rows(1, 2), rows(3, 4), rows(5, 6)]);
    expect(asked.length).toBe(5);
  });

  it.each<[string, Row[][], number[], number]>([
    ['goes on after a page that brings nothing new', [rows(1, 2), rows(2, 1), rows(3, 4), []], [1, 2, 3, 4], 4],
    ['ends at the second such page in a row', [rows(1, 2), rows(2, 1), rows(1, 2), rows(3, 4)], [1, 2], 3],
    ['ends at an empty page, whatever would follow', [rows(1, 2), [], rows(3, 4)], [1, 2], 2],
  ])('without an end %s', async (_, pages, expected, requests) => {
    // No page is shorter than this limit.
    const { list, asked } = listOf(pagesOf(...pages), { limit: 0 });
    expect(ids(await all(list))).toEqual(expected);
    expect(asked).toHaveLength(requests);
  });

  it('starts at the page that the parameters name', async () => {
    const { list, asked } = listOf(pagesOf(rows(7, 8), rows(9)), { limit: 2, offset: 6 });
    expect(ids(await all(list))).toEqual([7, 8, 9]);
    expect(asked).toEqual([
      { limit: 2, offset: 6 },
      { limit: 2, offset: 8 },
    ]);
  });

  it('sends no more requests after break', async () => {
    const { list, asked } = listOf((_, index) => rows(index * 2, index * 2 + 1));
    for await (const { id } of list) if (id === 2) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked).toHaveLength(2);
  });

  it('requests the second page only after the first one is consumed', async () => {
    const { list, asked } = listOf((_, index) => rows(index * 2, index * 2 + 1));
    const iterator = list[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked).toHaveLength(1);
    await iterator.return?.();
  });

  it('requests each page once and skips none if next() is called in parallel', async () => {
    const { list, asked } = listOf(pagesOf(rows(1, 2), rows(3, 4), rows(5)));
    const iterator = list[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 7 }, () => iterator.next()));
    expect(results.map(({ value }) => (value as Row | undefined)?.id)).toEqual([1, 2, 3, 4, 5, undefined, undefined]);
    expect(asked).toHaveLength(3);
  });

  it('requests its first page once, even if it is awaited and iterated twice', async () => {
    const { list, asked } = listOf(pagesOf(rows(1)));
    await list;
    expect(ids(await all(list))).toEqual([1]);
    expect(ids(await all(list))).toEqual([1]);
    expect(asked).toHaveLength(1);
  });

  it('that fails on a later page yields the earlier pages and then throws', async () => {
    const { list } = listOf((_, index) => {
      if (index === 2) throw new NotFoundError('page 3', { status: 404, detail: '' });
      return rows(index * 2, index * 2 + 1);
    });
    const seen: number[] = [];
    const error = await caught(
      (async () => {
        for await (const { id } of list) seen.push(id);
      })(),
      NotFoundError,
    );
    expect(error.message).toBe('page 3');
    expect(seen).toEqual([0, 1, 2, 3]);
  });

  it('leaves no unhandled rejection, awaited, iterated or neither', async () => {
    const fail = () => {
      throw new NotFoundError('x', { status: 404, detail: '' });
    };
    const unhandled = await unhandledIn(async () => {
      await rejection(listOf(fail).list);
      await rejection(listOf(fail).list.withResponse());
      await rejection(all(listOf(fail).list));
      await rejection(all(listOf(fail).list.pages()));
      const { list } = listOf(fail);
      await rejection(list[Symbol.asyncIterator]().next());
    });
    expect(unhandled).toEqual([]);
  });
});

it('an awaited list sends one request', async () => {
  const fetch = stubFetch(json(LIST));
  expect(await makeClient({ fetch }).articles.list()).toEqual(LIST);
  expect(fetch.calls).toHaveLength(1);
});
