// What a custom `fetch`, a custom limiter or a hostile service may do to a call. Each was seen to go wrong once.
import { describe, expect, it, vi } from 'vitest';
import { ApiError, ConfigurationError, InvalidResponseError, NotFoundError } from '../../src/index.js';
import { caught, freshUrl, makeClient, rejection, thrown } from '../support/clients.js';
import { ARTICLE, KEY, PUBLICATION } from '../support/fixtures.js';
import { json, stubFetch } from '../support/stub-fetch.js';

/** Rows of a list response, none of which has the right shape. */
const many = (count: number) => `{"articles":[${Array(count).fill('{}').join()}],"total":1,"limit":1,"offset":0}`;

describe('a response without a readable status', () => {
  const opaque = { type: 'opaque', status: 0, ok: false, headers: new Headers(), body: null, text: async () => '' };

  it('is an error of a costly write, whose outcome is unknown', async () => {
    const client = makeClient({ fetch: async () => opaque as unknown as Response });
    const error = await caught(client.articles.publish(42), ApiError);
    expect(error).toMatchObject({ status: 0, attempts: 1, outcome: 'unknown' });
  });

  it('is an error of a read', async () => {
    const client = makeClient({ fetch: async () => opaque as unknown as Response, maxRetries: 0 });
    await caught(client.articles.get(42), ApiError);
  });
});

describe('a body with more wrong values than anyone reads', () => {
  it('is a typed error with at most 100 issues', async () => {
    const error = await caught(
      makeClient({ fetch: stubFetch(json(JSON.parse(many(500)))) }).articles.list(),
      InvalidResponseError,
    );
    expect(error.issues.length).toBeLessThanOrEqual(100);
  });

  it('is a typed error even if the issues are too many for arguments of a function', async () => {
    const fetch = async () => new Response(many(60_000));
    await caught(makeClient({ fetch }).articles.list(), InvalidResponseError);
  });
});

describe('a 429 that will be retried', () => {
  it('holds back calls that start right after it', async () => {
    vi.useFakeTimers();
    try {
      const times: number[] = [];
      const fetch = async () => {
        times.push(performance.now());
        return times.length === 1
          ? Response.json({ detail: 'Trop de requêtes' }, { status: 429, headers: { 'retry-after': '1' } })
          : Response.json(ARTICLE);
      };
      const client = makeClient({ fetch, baseUrl: freshUrl(), rateLimit: {} });
      const first = client.articles.get(1);
      while (times.length === 0) await Promise.resolve();
      for (let tick = 0; tick < 50; tick++) await Promise.resolve();
      const second = client.articles.get(2);
      await vi.advanceTimersByTimeAsync(900);
      expect(times).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(5_000);
      await Promise.all([first, second]);
      expect(times).toHaveLength(3);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a DELETE', () => {
  const stalled = () => new Response(new ReadableStream({ start() {} }), { status: 404 });

  it('succeeds if its retry gets a 404, even if the body of the 404 never ends', async () => {
    let count = 0;
    const fetch = async () => (++count === 1 ? new Response('', { status: 503 }) : stalled());
    const client = makeClient({ fetch, timeout: 50 });
    expect(await client.posts.delete(1)).toBeUndefined();
  });

  it('fails if its first attempt gets a 404', async () => {
    await caught(makeClient({ fetch: async () => stalled(), timeout: 50 }).posts.delete(1), NotFoundError);
  });
});

describe('a limiter of one’s own', () => {
  it.each([
    ['a text', 'no room'],
    ['nothing', undefined],
    ['a frozen error', Object.freeze(new Error('no room'))],
  ])('that rejects with %s: the call rejects with the same', async (_, reason) => {
    const client = makeClient({
      fetch: stubFetch(json(ARTICLE)),
      rateLimit: { acquire: () => Promise.reject(reason) },
    });
    expect(await rejection(client.articles.get(42))).toBe(reason);
  });

  it('that rejects before the retry: its error is not hidden by the earlier response', async () => {
    const full = new Error('no room');
    let asked = 0;
    const acquire = async () => {
      if (++asked > 1) throw full;
    };
    const fetch = async () => Response.json({}, { status: 503, headers: { 'retry-after': '0' } });
    expect(await rejection(makeClient({ fetch, rateLimit: { acquire } }).articles.get(42))).toBe(full);
  });

  it('may return nothing instead of a promise', async () => {
    const acquire = (() => undefined) as unknown as () => Promise<void>;
    expect(await makeClient({ fetch: stubFetch(json(ARTICLE)), rateLimit: { acquire } }).articles.get(42)).toEqual(
      ARTICLE,
    );
  });
});

it('a reason phrase beyond Latin-1 causes no error', async () => {
  const fetch = async () => {
    const response = Response.json(PUBLICATION);
    Object.defineProperty(response, 'statusText', { value: 'C’est publié' });
    return response;
  };
  expect(await makeClient({ fetch }).articles.publish(42)).toEqual(PUBLICATION);
});

it('a key that is passed as the name of an option is not repeated', () => {
  const error = thrown(() => makeClient({ fetch: stubFetch(), [KEY]: 1 } as object), ConfigurationError);
  expect(error.message).not.toContain(KEY);
});
