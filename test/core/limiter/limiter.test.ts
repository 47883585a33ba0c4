import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Client,
  type ClientOptions,
  type Identity,
  RateLimitError,
  type RequestOptions,
  TimeoutError,
} from '../../../src/index.js';
import { Admission } from '../../../src/stages/limiter.js';
import { caught, densest, freshUrl, makeSession, rejection } from '../../support/clients.js';
import { ARTICLE, KEY, SPHERE_IDENTITY } from '../../support/fixtures.js';
import { json, type Reply, raw, refuse, stubFetch } from '../../support/stub-fetch.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client, when each of its requests came in, and how to call it. */
function setUp(options: ClientOptions = {}, ...script: Reply[]) {
  const started = performance.now();
  const times: number[] = [];
  const order: number[] = [];
  const replies = script.length > 0 ? script : [json(ARTICLE)];
  const fetch = stubFetch((seen, index) => {
    times.push(Math.round(performance.now() - started));
    order.push(Number(seen.url.pathname.split('/').at(-1)));
    return (replies[Math.min(index, replies.length - 1)] as Reply)(seen, index);
  });
  const client = new Client({ apiKey: KEY, baseUrl: freshUrl(), fetch, ...options });
  const get = (id: number, requestOptions?: RequestOptions) => {
    const call = client.articles.get(id, requestOptions);
    call.catch(() => {});
    return call;
  };
  const getMany = (count: number, from = 1) => Array.from({ length: count }, (_, index) => get(from + index));
  return { client, fetch, times, order, get, getMany };
}

describe('the two windows', () => {
  it.each<[string, ClientOptions['rateLimit'], calls: number, sent: number[]]>([
    ['let 60 through at once and the 61st when the minute is over', undefined, 61, [...Array(60).fill(0), MINUTE]],
    [
      'take no longer than they must',
      undefined,
      200,
      [0, 1, 2, 3].flatMap((minute) => Array(minute < 3 ? 60 : 20).fill(minute * MINUTE)),
    ],
    ['hold the day’s too', { perMinute: 60, perDay: 5, maxWait: 2 * DAY }, 7, [...Array(5).fill(0), DAY, DAY]],
  ])('%s', async (_, rateLimit, calls, expected) => {
    const { times, getMany } = setUp({ ...(rateLimit && { rateLimit }) });
    getMany(calls);
    await vi.advanceTimersByTimeAsync(DAY + 1);
    expect(times).toEqual(expected);
  });

  it('slide: room comes back one request at a time', async () => {
    const { times, getMany } = setUp({ rateLimit: { perMinute: 3 } });
    for (let step = 0; step < 3; step++) {
      getMany(1);
      await vi.advanceTimersByTimeAsync(10_000);
    }
    getMany(3);
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(times).toEqual([0, 10_000, 20_000, 60_000, 70_000, 80_000]);
  });

  it('hold both at once: never more than either in any window', async () => {
    const { times, getMany } = setUp({ rateLimit: { perMinute: 3, perDay: 10, maxWait: 10 * DAY } });
    getMany(25);
    await vi.advanceTimersByTimeAsync(3 * DAY);
    expect(times).toHaveLength(25);
    expect(densest(times, MINUTE)).toBe(3);
    expect(densest(times, DAY)).toBe(10);
  });

  it('count failures and refusals too, and not what was never sent', async () => {
    const script = [refuse(404), refuse(500), json(ARTICLE)];
    const { client, times, getMany } = setUp({ rateLimit: { perMinute: 2 }, maxRetries: 0 }, ...script);
    await rejection(client.articles.get(Number.NaN));
    await rejection(client.articles.get(1, { signal: AbortSignal.abort() }));
    getMany(3);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(times).toEqual([0, 0, MINUTE]);
  });

  it('give back the room of a call that is aborted in the very tick in which it was made', async () => {
    const { get, times, getMany } = setUp({ rateLimit: { perMinute: 2, maxWait: 300_000 } });
    for (let call = 0; call < 6; call++) {
      const controller = new AbortController();
      const aborted = rejection(get(9, { signal: controller.signal }));
      controller.abort('assez');
      expect(await aborted).toBe('assez');
    }
    getMany(3);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(times).toEqual([0, 0, MINUTE]);
  });

  it('give back the room of calls that are aborted as they leave the queue', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const onEvent = ({ type, path }: { type: string; path: string }) => {
      if (type === 'request' && path === '/articles/3') controller.abort('assez');
    };
    const { get, times, getMany, order } = setUp({ onEvent, rateLimit: { perMinute: 2 } });
    getMany(2);
    const left = [rejection(get(3, { signal })), rejection(get(4, { signal }))];
    await vi.advanceTimersByTimeAsync(MINUTE + 1);
    expect(await Promise.all(left)).toEqual(['assez', 'assez']);
    const before = times.length;
    getMany(1, 5);
    await vi.advanceTimersByTimeAsync(0);
    expect(order.at(-1)).toBe(5);
    expect(times).toHaveLength(before + 1);
  });

  it('do not count GET /health, which has no key', async () => {
    const { client, times } = setUp(
      { rateLimit: { perMinute: 1, maxWait: 0 } },
      json({ status: 'ok', api_version: '2.0', timestamp: 'x' }),
    );
    for (let call = 0; call < 5; call++) await client.health();
    expect(times).toHaveLength(5);
  });

  it.each([
    ['the identity once it is known', undefined, 2],
    ['the option, before the identity', { perMinute: 4 }, 4],
  ])('are those of %s', async (_, rateLimit, expected) => {
    const identity: Identity = { ...SPHERE_IDENTITY, rate_limits: { per_minute: 2, per_day: 1000 } };
    const given = setUp({ identity, ...(rateLimit && { rateLimit }) });
    given.getMany(10);
    await vi.advanceTimersByTimeAsync(100);
    expect(given.times).toHaveLength(expected);

    const asked = setUp({ ...(rateLimit && { rateLimit }) }, json(identity), json(ARTICLE));
    await asked.client.me();
    asked.getMany(10);
    await vi.advanceTimersByTimeAsync(100);
    expect(asked.times).toHaveLength(expected);
  });

  it.each([0, -1])('are the defaults for a limit that GET /me or `identity` reports as %s', async (limit) => {
    const reported = [
      { rate_limits: { per_minute: limit, per_day: 61 }, sent: 60 },
      { rate_limits: { per_minute: 5000, per_day: limit }, sent: 1000 },
    ];
    for (const { rate_limits, sent } of reported) {
      const identity = { ...SPHERE_IDENTITY, rate_limits };
      const rateLimit = { maxWait: 0 };
      const given = setUp({ identity, rateLimit });
      given.getMany(1001);
      await vi.advanceTimersByTimeAsync(0);
      expect(given.times).toHaveLength(sent);

      const asked = setUp({ rateLimit }, json(identity), json(ARTICLE));
      await asked.client.me();
      asked.getMany(1001);
      await vi.advanceTimersByTimeAsync(0);
      expect(asked.times).toHaveLength(sent);
    }
  });

  it.each([
    ['a number too large to be finite', '1e999'],
    ['text', '"120"'],
    ['null', 'null'],
  ])('are the defaults for a limit that GET /me reports as %s', async (_, text) => {
    const body = JSON.stringify({ ...SPHERE_IDENTITY, rate_limits: { per_minute: 'LIMIT', per_day: 61 } });
    const reply = raw(body.replace('"LIMIT"', text), { headers: { 'content-type': 'application/json' } });
    const { client, times, getMany } = setUp({ validation: 'off', rateLimit: { maxWait: 0 } }, reply, json(ARTICLE));
    await client.me();
    getMany(70);
    await vi.advanceTimersByTimeAsync(0);
    expect(times).toHaveLength(60);
  });

  it('set no timer that fires again and again if the service reports -1 and maxWait is Infinity', async () => {
    const identity = { ...SPHERE_IDENTITY, rate_limits: { per_minute: -1, per_day: -1 } };
    const { times, getMany } = setUp({ identity, rateLimit: { maxWait: Number.POSITIVE_INFINITY } });
    getMany(61);
    await vi.advanceTimersByTimeAsync(0);
    const setTimer = vi.spyOn(globalThis, 'setTimeout');
    await vi.advanceTimersByTimeAsync(MINUTE - 1);
    expect(setTimer.mock.calls.length).toBe(0);
    setTimer.mockRestore();
    await vi.advanceTimersByTimeAsync(2);
    expect(times).toHaveLength(61);
  });

  it('are off with rateLimit false', async () => {
    const { times, getMany } = setUp({ rateLimit: false });
    getMany(200);
    await vi.advanceTimersByTimeAsync(0);
    expect(times).toHaveLength(200);
  });
});

describe('the order', () => {
  it('is that of the calls', async () => {
    const { order, getMany } = setUp({ rateLimit: { perMinute: 4 } });
    getMany(19);
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(order).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
  });

  it('holds when half of those in the queue are aborted, and their room goes to the others', async () => {
    const { order, get, times } = setUp({ rateLimit: { perMinute: 2 } });
    const controller = new AbortController();
    const calls = Array.from({ length: 12 }, (_, index) =>
      get(index + 1, index % 2 === 1 ? { signal: controller.signal } : {}),
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual([1, 2]);
    controller.abort('assez');
    await vi.advanceTimersByTimeAsync(0);
    const settled = await Promise.allSettled([calls[3], calls[5], calls[7], calls[9], calls[11]]);
    expect(settled.map((one) => one.status === 'rejected' && one.reason)).toEqual(Array(5).fill('assez'));
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(order).toEqual([1, 2, 3, 5, 7, 9, 11]);
    expect(times).toEqual([0, 0, MINUTE, MINUTE, 2 * MINUTE, 2 * MINUTE, 3 * MINUTE]);
  });

  it('the head of the queue that is aborted does not stop those behind it', async () => {
    const { order, get } = setUp({ rateLimit: { perMinute: 1 } });
    const controller = new AbortController();
    get(1);
    get(2, { signal: controller.signal });
    get(3);
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    controller.abort();
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    expect(order).toEqual([1, 3]);
  });

  it('a repeated call goes before those that still wait', async () => {
    const { order, get } = setUp(
      { rateLimit: { perMinute: 2 } },
      json(ARTICLE),
      refuse(503, 'x', { 'retry-after': '1' }),
      json(ARTICLE),
    );
    get(1);
    get(2);
    get(3);
    get(4);
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(order).toEqual([1, 2, 2, 3, 4]);
  });
});

describe('retries', () => {
  it('count', async () => {
    const { times, get } = setUp(
      { rateLimit: { perMinute: 3 } },
      refuse(503, 'x', { 'retry-after': '0' }),
      refuse(503, 'x', { 'retry-after': '0' }),
      json(ARTICLE),
    );
    get(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(times).toHaveLength(3);
    get(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(times).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(times).toHaveLength(4);
    expect(densest(times, MINUTE)).toBe(3);
  });

  it('of a 429 hold back every other call of the key until the wait is over', async () => {
    const { times, order, get } = setUp({}, refuse(429, 'Trop vite', { 'retry-after': '20' }), json(ARTICLE));
    get(1);
    await vi.advanceTimersByTimeAsync(10);
    get(2);
    get(3);
    await vi.advanceTimersByTimeAsync(19_900);
    expect(order).toEqual([1]);
    await vi.advanceTimersByTimeAsync(200);
    expect(order).toEqual([1, 1, 2, 3]);
    for (const time of times.slice(1)) expect(time).toBeGreaterThanOrEqual(20_000);
  });

  it('of a 429 without Retry-After hold the others back as long as the backoff', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { order, times, get } = setUp({}, refuse(429), json(ARTICLE));
    get(1);
    await vi.advanceTimersByTimeAsync(10);
    get(2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(order).toEqual([1, 1, 2]);
    expect(times[2]).toBeGreaterThanOrEqual(times[1] as number);
    vi.restoreAllMocks();
  });

  it('hold back calls that were already in the queue', async () => {
    const replies: Reply[] = [json(ARTICLE), refuse(429, 'Trop vite', { 'retry-after': '59' }), json(ARTICLE)];
    const { order, times, get } = setUp({ rateLimit: { perMinute: 2 } }, ...replies);
    get(1);
    await vi.advanceTimersByTimeAsync(30_000);
    get(2);
    get(3);
    get(4);
    await vi.advanceTimersByTimeAsync(4 * MINUTE);
    expect(order.slice(0, 3)).toEqual([1, 2, 2]);
    expect(order.slice(3)).toEqual([3, 4]);
    expect(times[2]).toBeGreaterThanOrEqual(30_000 + 59_000);
    expect(times[3]).toBeGreaterThanOrEqual(30_000 + 59_000);
  });

  it.each<[string, Reply, ClientOptions?]>([
    ['a 503', refuse(503, 'x', { 'retry-after': '20' })],
    ['a 429 that will not be repeated', refuse(429, 'Trop vite', { 'retry-after': '20' }), { maxRetries: 0 }],
    ['a 429 of a monthly quota', refuse(429, 'Quota mensuel dépassé', { 'retry-after': '20' })],
  ])('after %s hold nobody back', async (_, reply, options = {}) => {
    const { order, get } = setUp(options, reply, json(ARTICLE));
    get(1);
    await vi.advanceTimersByTimeAsync(10);
    get(2);
    await vi.advanceTimersByTimeAsync(10);
    expect(order).toEqual([1, 2]);
  });

  it('a 429 of one key does not hold back another', async () => {
    const baseUrl = freshUrl();
    const one = setUp({ baseUrl }, refuse(429, 'Trop vite', { 'retry-after': '20' }), json(ARTICLE));
    const two = setUp({ baseUrl, apiKey: 'other-key' });
    one.get(1);
    await vi.advanceTimersByTimeAsync(10);
    two.get(2);
    await vi.advanceTimersByTimeAsync(10);
    expect(two.order).toEqual([2]);
  });

  it('many 429 at once resume without a stampede', async () => {
    const replies = Array.from({ length: 10 }, (): Reply => refuse(429, 'Trop vite', { 'retry-after': '5' }));
    const { times, order, getMany } = setUp({ rateLimit: { perMinute: 10 }, maxRetries: 3 }, ...replies, json(ARTICLE));
    const calls = getMany(15);
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    await Promise.all(calls);
    expect(densest(times, MINUTE)).toBe(10);
    // Those that came first go first again.
    expect(order.slice(10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  });
});

describe('maxWait', () => {
  it('a call that would wait longer fails at once, and nothing is sent', async () => {
    const { client, times, get } = setUp({ rateLimit: { perMinute: 1, maxWait: 30_000 } });
    get(1);
    await vi.advanceTimersByTimeAsync(10_000);
    const error = await caught(client.articles.get(2), RateLimitError);
    expect(error).toMatchObject({
      code: 'rate_limit',
      status: 429,
      origin: 'preflight',
      attempts: 0,
      outcome: 'not_applied',
    });
    expect(error.retryAfter).toBeGreaterThanOrEqual(49_990);
    expect(error.retryAfter).toBeLessThanOrEqual(50_010);
    expect(times).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(error.retryAfter as number);
    get(3);
    await vi.advanceTimersByTimeAsync(0);
    expect(times).toHaveLength(2);
  });

  it('is 600 000 ms unless told otherwise', async () => {
    const { client, getMany } = setUp({ rateLimit: { perMinute: 1 } });
    // The first goes at once, the next ten wait 60 000 to 600 000 ms.
    getMany(11);
    const error = await caught(client.articles.get(12), RateLimitError);
    expect(error.retryAfter).toBeGreaterThan(600_000);
    expect(error.retryAfter).toBeLessThanOrEqual(661_000);
  });

  it('of 0 never waits, and lets through what need not', async () => {
    const { client, times, getMany } = setUp({ rateLimit: { perMinute: 2, maxWait: 0 } });
    getMany(2);
    await caught(client.articles.get(3), RateLimitError);
    expect(times).toHaveLength(2);
  });

  it('refuses when the day is used up, with the wait until it is not', async () => {
    const { client, getMany } = setUp({ rateLimit: { perMinute: 60, perDay: 3 } });
    getMany(3);
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    const error = await caught(client.articles.get(4), RateLimitError);
    expect(error.retryAfter).toBeCloseTo(DAY - 60 * MINUTE, -2);
  });

  it('a refused call takes no room', async () => {
    const { client, times, getMany } = setUp({ rateLimit: { perMinute: 1, maxWait: 60_000 } });
    getMany(2);
    for (let call = 0; call < 5; call++) await caught(client.articles.get(9), RateLimitError);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    getMany(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(times).toEqual([0, 60_000, 120_000]);
  });

  it('applies while a 429 holds the key back', async () => {
    const { client, fetch, get } = setUp(
      { rateLimit: { maxWait: 5_000 } },
      refuse(429, 'x', { 'retry-after': '30' }),
      json(ARTICLE),
    );
    get(1);
    await vi.advanceTimersByTimeAsync(10);
    const error = await caught(client.articles.get(2), RateLimitError);
    expect(error.origin).toBe('preflight');
    expect(error.retryAfter).toBeGreaterThan(29_000);
    expect(fetch.calls).toHaveLength(1);
  });
});

describe('who shares', () => {
  it.each([
    ['the same address', (url: string) => url],
    ['with a slash', (url: string) => `${url}/`],
    ['with /api/v2', (url: string) => `${url}/api/v2`],
    ['in capitals', (url: string) => url.toUpperCase().replace('HTTPS', 'https')],
  ])('clients of one key at %s', async (_, write) => {
    const baseUrl = freshUrl();
    const one = setUp({ baseUrl, rateLimit: { perMinute: 3 } });
    const two = setUp({ baseUrl: write(baseUrl), rateLimit: { perMinute: 3 }, apiKey: ` ${KEY}\n` });
    one.getMany(2);
    two.getMany(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(one.times.length + two.times.length).toBe(3);
  });

  it('a client and its views', async () => {
    const { client, times, getMany } = setUp({ rateLimit: { perMinute: 2 } });
    getMany(1);
    client.forBulle('b-1').articles.get(2);
    client.dryRun.articles.get(3).catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    expect(times).toHaveLength(2);
  });

  it('two copies of the package', async () => {
    const baseUrl = freshUrl();
    const one = setUp({ baseUrl, rateLimit: { perMinute: 2 } });
    one.getMany(2);
    await vi.advanceTimersByTimeAsync(0);
    vi.resetModules();
    const copy = (await import('../../../src/client.js')) as typeof import('../../../src/client.js');
    expect(copy.Client).not.toBe(Client);
    const fetch = stubFetch(json(ARTICLE));
    new copy.Client({ apiKey: KEY, baseUrl, fetch, rateLimit: { perMinute: 2 } }).articles.get(1).catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    expect(fetch.calls).toHaveLength(0);
  });

  it.each([
    ['another key', { apiKey: 'other-key' }],
    ['another address', { baseUrl: 'https://another.test' }],
    ['another path', { baseUrl: 'https://shared.test/tenant' }],
  ])('not a client of %s', async (_, other) => {
    const baseUrl = 'https://shared.test';
    const apiKey = `key-${freshUrl()}`;
    const one = setUp({ baseUrl, apiKey, rateLimit: { perMinute: 1 } });
    const two = setUp({ baseUrl, apiKey, rateLimit: { perMinute: 1 }, ...other });
    one.getMany(1);
    two.getMany(1);
    await vi.advanceTimersByTimeAsync(0);
    expect([one.times.length, two.times.length]).toEqual([1, 1]);
  });
});

describe('time', () => {
  it.each([
    ['forward by a day', DAY],
    ['forward by two minutes', 2 * MINUTE],
    ['back by a day', -DAY],
  ])('a system clock that jumps %s changes nothing', async (_, jump) => {
    const { times, getMany } = setUp({ rateLimit: { perMinute: 2 } });
    getMany(2);
    await vi.advanceTimersByTimeAsync(10_000);
    vi.setSystemTime(Date.now() + jump);
    getMany(2);
    await vi.advanceTimersByTimeAsync(49_999);
    expect(times).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(2);
    expect(times).toHaveLength(4);
  });
});

describe('a limiter of one’s own', () => {
  it('is asked before every attempt, with a signal', async () => {
    const acquire = vi.fn(async (_: { signal?: AbortSignal | undefined }) => {});
    const { get, times } = setUp({ rateLimit: { acquire } }, refuse(503, 'x', { 'retry-after': '0' }), json(ARTICLE));
    const call = get(1);
    await vi.advanceTimersByTimeAsync(10);
    await call;
    expect(acquire).toHaveBeenCalledTimes(2);
    for (const [options] of acquire.mock.calls) expect(options.signal).toBeInstanceOf(AbortSignal);
    expect(times).toHaveLength(2);
  });

  it('that never lets go is ended by abort and by totalTimeout', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const acquire = ({ signal }: { signal?: AbortSignal | undefined }) => {
      signals.push(signal);
      return new Promise<void>(() => {});
    };
    const { get, client, times } = setUp({ rateLimit: { acquire } });
    const controller = new AbortController();
    const aborted = rejection(get(1, { signal: controller.signal }));
    const late = rejection(client.articles.get(2, { totalTimeout: 100 }));
    await vi.advanceTimersByTimeAsync(10);
    controller.abort('assez');
    expect(await aborted).toBe('assez');
    await vi.advanceTimersByTimeAsync(100);
    expect(await late).toBeInstanceOf(TimeoutError);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    expect(times).toHaveLength(0);
  });
});

describe('whatever the latency', () => {
  interface Plan {
    perMinute: number;
    calls: { start: number; outward: number; back: number; status: number }[];
  }

  /** When the service saw each request, when some are slow on the way there and some on the way back. */
  async function arrivals({ perMinute, calls }: Plan): Promise<number[]> {
    const arrived: number[] = [];
    const baseUrl = freshUrl();
    const fetch = stubFetch(async ({ url }, index) => {
      const { outward, back, status } = calls[Number(url.pathname.split('/').at(-1)) - 1] as Plan['calls'][number];
      await new Promise((resolve) => setTimeout(resolve, outward));
      arrived.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, back));
      const refused = status !== 200 && index < calls.length;
      return new Response(JSON.stringify(refused ? {} : ARTICLE), { status: refused ? status : 200 });
    });
    const client = new Client({
      apiKey: KEY,
      baseUrl,
      fetch,
      timeout: 300_000,
      rateLimit: { perMinute, perDay: 1e6, maxWait: 1e9 },
    });
    const settled = calls.map(async ({ start }, index) => {
      await new Promise((resolve) => setTimeout(resolve, start));
      await client.articles.get(index + 1).catch(() => {});
    });
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    await Promise.all(settled);
    return arrived;
  }

  const plan = (latency: number) =>
    fc.record({
      perMinute: fc.integer({ min: 1, max: 4 }),
      calls: fc.array(
        fc.record({
          start: fc.integer({ min: 0, max: 90_000 }),
          outward: fc.integer({ min: 0, max: latency }),
          back: fc.integer({ min: 0, max: latency }),
          status: fc.constantFrom(200, 200, 200, 503, 429),
        }),
        { minLength: 1, maxLength: 12 },
      ),
    });

  it.each([
    ['up to a second each way', 1_000],
    ['up to half a minute each way', 30_000],
  ])('the service never sees more than the limit in any minute: %s', async (_, latency) => {
    await fc.assert(
      fc.asyncProperty(plan(latency), async (given) => {
        const arrived = await arrivals(given);
        expect(arrived.length).toBeGreaterThanOrEqual(given.calls.length);
        expect(densest(arrived, MINUTE)).toBeLessThanOrEqual(given.perMinute);
      }),
      { numRuns: 40 },
    );
  });

  it('a slow answer does not stop calls that there is room for', async () => {
    const { times, get } = setUp({ rateLimit: { perMinute: 5 } }, () => new Promise(() => {}), json(ARTICLE));
    get(1);
    get(2);
    get(3);
    await vi.advanceTimersByTimeAsync(10);
    expect(times).toHaveLength(3);
  });
});

describe('what is left of the day', () => {
  /** What `leftToday` returns after so many calls that another client of the key made at once. */
  async function leftAfter(
    calls: number,
    options: ClientOptions = {},
    identity = SPHERE_IDENTITY,
    reply = json(ARTICLE),
  ) {
    const baseUrl = freshUrl();
    const client = new Client({ apiKey: KEY, baseUrl, fetch: stubFetch(reply), rateLimit: { perMinute: 60 } });
    for (let call = 0; call < calls; call++) client.articles.get(42).catch(() => {});
    await vi.advanceTimersByTimeAsync(0);
    const session = makeSession({ ...options, baseUrl }, identity);
    return () => new Admission(options.rateLimit).leftToday(session, 'test');
  }

  it('counts the requests of the last 24 hours and those that wait', async () => {
    const left = await leftAfter(70);
    expect(await left()).toBe(930);
    await vi.advanceTimersByTimeAsync(MINUTE + 1);
    expect(await left()).toBe(930);
    await vi.advanceTimersByTimeAsync(DAY - MINUTE);
    expect(await left()).toBe(990);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(await left()).toBe(1000);
  });

  it('counts the requests in flight', async () => {
    const never: Reply = () => new Promise(() => {});
    expect(await (await leftAfter(3, {}, SPHERE_IDENTITY, never))()).toBe(997);
  });

  it('goes by the options, then by the identity, then by the default', async () => {
    const identity = { ...SPHERE_IDENTITY, rate_limits: { per_minute: 60, per_day: 500 } };
    expect(await (await leftAfter(1, { rateLimit: { perDay: 50 } }, identity))()).toBe(49);
    expect(await (await leftAfter(1, { rateLimit: { perMinute: 5 } }, identity))()).toBe(499);
    expect(await (await leftAfter(1, {}, { ...identity, rate_limits: { per_minute: 60, per_day: -1 } }))()).toBe(999);
  });

  it('is never below 0', async () => {
    expect(await (await leftAfter(8, { rateLimit: { perDay: 5 } }))()).toBe(0);
  });

  it.each<ClientOptions>([
    { rateLimit: false },
    { rateLimit: { acquire: async () => {} } },
    { rateLimit: { perDay: Number.POSITIVE_INFINITY } },
  ])('is undefined with %o', async (options) => {
    expect(await (await leftAfter(0, options))()).toBeUndefined();
  });
});
