import { describe, expect, it } from 'vitest';
import { ApiPromise } from '../../src/core/api.js';
import { ConnectionError, NotFoundError, RateLimitError } from '../../src/index.js';
import { caught, makeArticles, makeClient, rejection } from '../support/clients.js';
import { ARTICLE, SPHERE_IDENTITY } from '../support/fixtures.js';
import { fail, json, refuse, stubFetch } from '../support/stub-fetch.js';
import { unhandledIn } from '../support/unhandled.js';

const TRACED = { status: 201, headers: { 'x-trace': 'abc' } };

describe('the promise of a call', () => {
  it.each<[string, () => ApiPromise<unknown>, unknown]>([
    ['a call', () => makeArticles({ fetch: stubFetch(json(ARTICLE, TRACED)) }).get(42), ARTICLE],
    ['me', () => makeClient({ fetch: stubFetch(json(SPHERE_IDENTITY, TRACED)) }).me(), SPHERE_IDENTITY],
  ])('resolves to the body, and withResponse to the body and the real Response: %s', async (_, call, body) => {
    expect(await call()).toEqual(body);
    const { data, response } = await call().withResponse();
    expect(data).toEqual(body);
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.headers.get('x-trace')]).toEqual([201, 'abc']);
  });

  it('behaves like a Promise', async () => {
    const api = makeArticles({ fetch: stubFetch(json(ARTICLE)) });
    const promise = api.get(42);
    expect(promise).toBeInstanceOf(Promise);
    expect(promise).toBeInstanceOf(ApiPromise);
    expect(Object.prototype.toString.call(promise)).toBe('[object Promise]');
    expect(await promise.then(({ id }) => id)).toBe(42);
    expect(await promise.finally(() => {})).toEqual(ARTICLE);
    expect(await Promise.all([promise, promise])).toEqual([ARTICLE, ARTICLE]);
    expect(await new Promise((resolve) => resolve(promise))).toEqual(ARTICLE);
    expect(promise.then(() => 1).constructor).toBe(Promise);
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
      for (const promise of [api.get(42).finally(() => {}), api.get(42).withResponse()]) promise.catch(() => {});
      await Promise.allSettled([api.get(42), api.get(42).withResponse()]);
      await rejection(api.changes().next());
      const client = makeClient({ fetch: stubFetch(refuse(401)) });
      await rejection(client.me());
      await rejection(client.me().withResponse());
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
  const ways: Record<string, () => PromiseLike<unknown>> = {
    'a call': () => client.articles.get(42),
    'withResponse()': () => client.spheres.list().withResponse(),
    'a list': () => client.bulles.list(),
    'articles.list()': () => client.articles.list(),
    'me()': () => client.me(),
    'articles.sync()': () => client.articles.sync().next(),
  };
  it.each(Object.entries(ways))('%s', async (_, call) => {
    const caller = async () => await call();
    const error = await caught(caller(), ConnectionError);
    expect(error.attempts).toBe(1);
    expect(error.stack).toMatch(/at (async )?(Object\.)?caller /);
  });
});

it('an error of the limiter also shows where the caller waits', async () => {
  const client = makeClient({ fetch: stubFetch(json([])), apiKey: 'frames', rateLimit: { perMinute: 1, maxWait: 1 } });
  await client.posts.list();
  const caller = async () => await client.posts.get(42);
  const error = await caught(caller(), RateLimitError);
  expect(error.stack).toMatch(/at (async )?(Object\.)?caller /);
});
