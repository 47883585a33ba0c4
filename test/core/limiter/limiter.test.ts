import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Client,
  type ClientOptions,
  type Identity,
  memoryStore,
  RateLimitError,
  type SyncProgress,
  TimeoutError,
} from '../../../src/index.js';
import { caught, densest, freshUrl, rejection } from '../../support/clients.js';
import { ARTICLE, KEY, SPHERE_IDENTITY } from '../../support/fixtures.js';
import { shareKey } from '../../support/limiter.js';
import { json, type Reply, raw, refuse, stubFetch } from '../../support/stub-fetch.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client, when each of its requests came in, and how to call it. */
function setUp({ baseUrl, ...options }: ClientOptions = {}, ...script: Reply[]) {
  const key = shareKey(script, baseUrl);
  return { ...key, ...key.make(undefined, options) };
}

describe('the two windows', () => {
  it.each<[string, ClientOptions['rateLimit'], calls: number, sent: number[]]>([
    ['let 60 through at once and the 61st when the minute is over', undefined, 61, [...Array(60).fill(0), MINUTE]],
    [
      'take no longer than they must',
      undefined,
      130,
      [0, 1, 2].flatMap((at) => Array(at < 2 ? 60 : 10).fill(at * MINUTE)),
    ],
    ['hold the day’s too', { perMinute: 60, perDay: 5, maxWait: 2 * DAY }, 7, [...Array(5).fill(0), DAY, DAY]],
  ])('%s', async (_, rateLimit, calls, expected) => {
    const { times, getMany } = setUp({ ...(rateLimit && { rateLimit }) });
    getMany(calls);
    await vi.advanceTimersByTimeAsync(DAY + 1);
    expect(times).toEqual(expected);
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
    const { client, times } = setUp({ rateLimit: { perMinute: 1, maxWait: 0 }, validation: 'off' });
    for (let call = 0; call < 5; call++) await client.health();
    expect(times).toHaveLength(5);
  });

  it.each<[perMinute: string, perDay: string, rateLimit: object, sent: number]>([
    ['2', '1000', {}, 2],
    ['2', '1000', { perMinute: 4 }, 4],
    // These tell nothing, so the defaults apply.
    ...['0', '-1', '1e999', '"120"', 'null'].map((odd): [string, string, object, number] => [odd, '61', {}, 60]),
    ...['0', '-1'].map((odd): [string, string, object, number] => ['5000', odd, {}, 1000]),
  ])(
    'reported as %s a minute and %s a day, with the option %o: %i calls',
    async (perMinute, perDay, rateLimit, sent) => {
      const body = JSON.stringify({ ...SPHERE_IDENTITY, rate_limits: { per_minute: '#', per_day: '##' } });
      const text = body.replace('"#"', perMinute).replace('"##"', perDay);
      const options: ClientOptions = { validation: 'off', rateLimit: { maxWait: 0, ...rateLimit } };
      const asked = setUp(options, raw(text));
      await asked.client.me();
      const identity = JSON.parse(text) as Identity;
      // The option is checked.
      const isValid = Number.isInteger(identity.rate_limits.per_minute);
      for (const { getMany, times } of [asked, ...(isValid ? [setUp({ ...options, identity })] : [])]) {
        getMany(1001);
        await vi.advanceTimersByTimeAsync(0);
        expect(times).toHaveLength(sent);
      }
    },
  );

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
  it('holds when half of those in the queue are aborted, and their room goes to the others', async () => {
    const { log, get } = setUp({ rateLimit: { perMinute: 2 } });
    const controller = new AbortController();
    const calls = Array.from({ length: 12 }, (_, index) =>
      get(index + 1, index % 2 === 1 ? { signal: controller.signal } : {}),
    );
    await vi.advanceTimersByTimeAsync(0);
    controller.abort('assez');
    const ended = await Promise.allSettled(calls.filter((_, index) => index > 1 && index % 2 === 1));
    expect(ended.map((one) => one.status === 'rejected' && one.reason)).toEqual(Array(5).fill('assez'));
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(log()).toBe('1@0 2@0 3@60 5@60 7@120 9@120 11@180');
  });
});

describe('retries', () => {
  const busy = (status: number, detail = 'Trop vite') => refuse(status, detail, { 'retry-after': '20' });
  it.each<[string, Reply, sent: string, ClientOptions?]>([
    ['a 429 holds back every other call of the key', busy(429), '1@0 1@20 2@20 3@20'],
    ['a 503 holds nobody back', busy(503), '1@0 2@0.01 3@0.01 1@20'],
    ['a 429 that will not be repeated holds nobody back', busy(429), '1@0 2@0.01 3@0.01', { maxRetries: 0 }],
    ['a 429 of a monthly quota holds nobody back', busy(429, 'Quota mensuel dépassé'), '1@0 2@0.01 3@0.01'],
  ])('%s', async (_, reply, sent, options) => {
    const { log, get } = setUp(options, reply);
    get(1);
    await vi.advanceTimersByTimeAsync(10);
    for (const id of [2, 3]) get(id);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(log()).toBe(sent);
  });

  it('of a 429 without Retry-After hold the others back as long as the backoff', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { log, get } = setUp({}, refuse(429));
    get(1);
    await vi.advanceTimersByTimeAsync(10);
    get(2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(log()).toBe('1@0 1@0.5 2@0.5');
    vi.restoreAllMocks();
  });

  it('a 429 of one key does not hold back another', async () => {
    const baseUrl = freshUrl();
    const one = setUp({ baseUrl }, refuse(429, 'Trop vite', { 'retry-after': '20' }));
    const two = setUp({ baseUrl, apiKey: 'other-key' });
    one.get(1);
    await vi.advanceTimersByTimeAsync(10);
    two.get(2);
    await vi.advanceTimersByTimeAsync(10);
    expect(two.order).toEqual([2]);
  });

  it('many 429 at once resume without a stampede', async () => {
    const replies = Array.from({ length: 10 }, (): Reply => refuse(429, 'Trop vite', { 'retry-after': '5' }));
    const { times, order, getMany } = setUp({ rateLimit: { perMinute: 10 }, maxRetries: 3 }, ...replies);
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
    const expected = { code: 'rate_limit', status: 429, origin: 'preflight', attempts: 0, outcome: 'not_applied' };
    expect(error).toMatchObject(expected);
    expect(error.retryAfter).toBe(50_000);
    expect(times).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(error.retryAfter as number);
    get(3);
    await vi.advanceTimersByTimeAsync(0);
    expect(times).toHaveLength(2);
  });
});

describe('who shares', () => {
  it.each<[string, (url: string) => ClientOptions, sent: number]>([
    ['at the same address do', (baseUrl) => ({ baseUrl }), 3],
    ['with a slash do', (url) => ({ baseUrl: `${url}/` }), 3],
    ['with /api/v2 do', (url) => ({ baseUrl: `${url}/api/v2` }), 3],
    ['in capitals do', (url) => ({ baseUrl: url.toUpperCase().replace('HTTPS', 'https') }), 3],
    ['of another key do not', (baseUrl) => ({ baseUrl, apiKey: 'other-key' }), 4],
    ['at another address do not', () => ({ baseUrl: freshUrl() }), 4],
    ['at another path do not', (url) => ({ baseUrl: `${url}/tenant` }), 4],
  ])('clients %s', async (_, optionsOf, sent) => {
    const baseUrl = freshUrl();
    const one = setUp({ baseUrl, rateLimit: { perMinute: 3 } });
    const two = setUp({ rateLimit: { perMinute: 3 }, apiKey: ` ${KEY}\n`, ...optionsOf(baseUrl) });
    one.getMany(2);
    two.getMany(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(one.times.length + two.times.length).toBe(sent);
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
    const { get, times } = setUp({ rateLimit: { acquire } }, refuse(503, 'x', { 'retry-after': '0' }));
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
    const fetch = stubFetch(async ({ url }, index) => {
      const { outward, back, status } = calls[Number(url.pathname.split('/').at(-1)) - 1] as Plan['calls'][number];
      await new Promise((resolve) => setTimeout(resolve, outward));
      arrived.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, back));
      const refused = status !== 200 && index < calls.length;
      return new Response(JSON.stringify(refused ? {} : ARTICLE), { status: refused ? status : 200 });
    });
    const rateLimit = { perMinute, perDay: 1e6, maxWait: 1e9 };
    const client = new Client({ apiKey: KEY, baseUrl: freshUrl(), fetch, timeout: 300_000, rateLimit });
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
    const { log, getMany } = setUp({ rateLimit: { perMinute: 5 } }, () => new Promise(() => {}));
    getMany(3);
    await vi.advanceTimersByTimeAsync(10);
    expect(log()).toBe('1@0 2@0 3@0');
  });
});

describe('what is left of the day, which a sync reports', () => {
  const reported = (per_day: number) => ({ ...SPHERE_IDENTITY, rate_limits: { per_minute: 60, per_day } });

  it.each<[ClientOptions, number | undefined]>([
    [{}, 929],
    [{ rateLimit: { perDay: 90 } }, 19],
    [{ rateLimit: { perDay: 90 }, identity: reported(500) }, 19],
    [{ rateLimit: { perMinute: 90 }, identity: reported(500) }, 429],
    [{ identity: reported(-1) }, 929],
    [{ rateLimit: { maxWait: DAY } }, undefined],
    [{ rateLimit: { perDay: Number.POSITIVE_INFINITY } }, undefined],
    [{ rateLimit: { acquire: async () => {} } }, undefined],
    [{ rateLimit: false }, undefined],
  ])('of a client with %o, after 70 requests of another one: %s', async (options, left) => {
    const baseUrl = freshUrl();
    setUp({ baseUrl }).getMany(70);
    const page = json({ articles: [ARTICLE], total: 9, limit: 1, offset: 0 });
    const told: (number | undefined)[] = [];
    const onProgress = ({ listing }: SyncProgress) => void (listing && told.push(listing.leftToday));
    const { client } = setUp({ baseUrl, ...options }, ...Array(20).fill(page));
    const store = memoryStore();
    await store.put(ARTICLE);
    const controller = new AbortController();
    const sync = client.articles.syncTo(store, { reconcile: true, onProgress, signal: controller.signal });
    sync.catch(() => {});
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(told[0]).toBe(left);
    controller.abort();
  });
});
