import { describe, expect, it } from 'vitest';
import { ApiPromise } from '../../src/core/api.js';
import { ConnectionError, NotFoundError, RateLimitError } from '../../src/index.js';
import { caught, makeArticles, makeClient, rejection } from '../support/clients.js';
import { ARTICLE, SPHERE_IDENTITY } from '../support/fixtures.js';
import { fail, json, refuse, stubFetch } from '../support/stub-fetch.js';
import { unhandledIn } from '../support/unhandled.js';

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
      const list = () => makeClient({ fetch: stubFetch(refuse(404)) }).posts.list();
      await rejection(list());
      await rejection(list().withResponse());
      await rejection(list().toArray());
      for (const pages of [list(), list().pages()]) await rejection(pages[Symbol.asyncIterator]().next());
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
