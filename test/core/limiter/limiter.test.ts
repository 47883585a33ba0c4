import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PER_DAY, PER_MINUTE } from '../../../src/core/limiter/limits.js';
import {
  Client,
  type ClientOptions,
  type Identity,
  memoryStore,
  RateLimitError,
  type RateLimitOptions,
  type SyncProgress,
  TimeoutError,
} from '../../../src/index.js';
import { caught, densest, freshUrl, rejection } from '../../support/clients.js';
import { ARTICLE, KEY, SPHERE_IDENTITY } from '../../support/fixtures.js';
import { setUpStore, shareKey } from '../../support/limiter.js';
import { json, type Reply, raw, refuse, stubFetch } from '../../support/stub-fetch.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

beforeEach(() => void vi.useFakeTimers());

const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

/** A client, when each of its requests came in, and how to call it. */
function setUp({ baseUrl, ...options }: ClientOptions = {}, ...script: Reply[]) {
  const key = shareKey(script, baseUrl);
  return { ...key, ...key.make(undefined, options) };
}

/** Seconds that pass, or calls of a new client with these limits. */
type Step = number | [limits: RateLimitOptions, ...ids: number[]];

// What a store itself must do: test/support/store-contract.ts.
describe.each<[string, () => RateLimitOptions]>([
  ['in this process', () => ({})],
  ['in a store', () => ({ store: setUpStore().store })],
])('requests that are counted %s', (_, place) => {
  const tight = { perMinute: 1 };
  const people = { perMinute: 3 };
  const four = { perMinute: 4 };
  const jobs = { perMinute: 3, reserve: 2 };
  const [some, most] = [1, 3].map((reserve) => ({ perMinute: 4, reserve })) as [RateLimitOptions, RateLimitOptions];
  const [few, early] = [
    { perMinute: 2, perDay: 500 },
    { perMinute: 60, perDay: 4 },
  ];
  const busy = (status: number, detail = 'Trop vite') => refuse(status, detail, { 'retry-after': '20' });

  /** Clients of one key. The hash of the key takes real time, in which the virtual clock must not run. */
  async function share(script: Reply[] = [], options: ClientOptions = {}) {
    const { make, ...key } = shareKey(script);
    const counted = place();
    await make(counted).client.budget();
    return { ...key, make: (limits: RateLimitOptions = {}) => make({ ...counted, ...limits }, options) };
  }

  it.each<[string, Step[], sent: string, script?: Reply[], options?: ClientOptions]>([
    ['a minute that slides', [[{ perMinute: 2 }, 1, 2, 3, 4, 5], 120], '1@0 2@0 3@60 4@60 5@120'],
    ['a day', [[{ perMinute: 60, perDay: 3, maxWait: 2 * DAY }, 1, 2, 3, 4, 5], 86_401], '1@0 2@0 3@0 4@86400 5@86400'],
    [
      'failures and refusals count too',
      [[{ perMinute: 2 }, 1, 2, 3], 60],
      '1@0 2@0 3@60',
      [refuse(404), refuse(500)],
      { maxRetries: 0 },
    ],
    [
      // The third call of the people goes first, and two places of the minute stay free.
      'calls with reserve go behind the others and never block them',
      [[jobs, 1, 2, 3], [people, 11, 12, 13], 240],
      '1@0 11@0 12@0 13@60 2@120 3@180',
    ],
    [
      'the largest reserve counts for all calls with a reserve',
      [[most, 1], [some, 11, 12], [four, 21, 22, 23], 180],
      '1@0 21@0 22@0 23@0 11@60 12@120',
    ],
    [
      'a retry with reserve goes before other calls with reserve, and behind calls without',
      [[{ perMinute: 2, reserve: 1 }, 1, 2], 0, [{ perMinute: 2 }, 11], 300],
      '1@0 11@0 1@60 2@120',
      [refuse(503, 'x', { 'retry-after': '1' })],
    ],
    ['all follow the lowest limits', [[few, 1], 180, [early, 11, 12, 13], 120], '1@0 11@180 12@180 13@240'],
    [
      'lower limits of a new client hold the calls that wait already',
      [[people, 1, 2, 3, 4, 5, 6], 30, [tight, 11], 90],
      '1@0 2@0 3@0 4@60 5@120',
    ],
    ['a 429 holds back every other call', [[{}, 1], 0.01, [{}, 2, 3], 30], '1@0 1@20 2@20 3@20', [busy(429)]],
    ['a 503 holds nobody back', [[{}, 1], 0.01, [{}, 2, 3], 30], '1@0 2@0.01 3@0.01 1@20', [busy(503)]],
    [
      'a 429 that will not be repeated holds nobody back',
      [[{}, 1], 0.01, [{}, 2, 3], 30],
      '1@0 2@0.01 3@0.01',
      [busy(429)],
      { maxRetries: 0 },
    ],
    [
      'a 429 of a monthly quota holds nobody back',
      [[{}, 1], 0.01, [{}, 2, 3], 30],
      '1@0 2@0.01 3@0.01',
      [busy(429, 'Quota mensuel dépassé')],
    ],
  ])('%s', async (__, steps, sent, script, options) => {
    const { make, log } = await share(script, options);
    for (const step of steps) {
      if (typeof step === 'number') await tick(step * 1_000);
      else {
        const { get } = make(step[0]);
        for (const id of step.slice(1)) get(id as number);
      }
    }
    expect(log()).toBe(sent);
  });

  it('the room of calls that are aborted in the queue goes to the others, in order', async () => {
    const { make, log } = await share();
    const { get } = make({ perMinute: 2 });
    const controller = new AbortController();
    const calls = Array.from({ length: 12 }, (_, index) =>
      get(index + 1, index % 2 === 1 ? { signal: controller.signal } : {}),
    );
    await tick();
    controller.abort('assez');
    const ended = await Promise.allSettled(calls.filter((_, index) => index > 1 && index % 2 === 1));
    expect(ended.map((one) => one.status === 'rejected' && one.reason)).toEqual(Array(5).fill('assez'));
    await tick(5 * MINUTE);
    expect(log()).toBe('1@0 2@0 3@60 5@60 7@120 9@120 11@180');
  });

  it('a call that would wait longer than maxWait fails at once, and nothing is sent', async () => {
    const { make, log } = await share();
    const { client, get } = make({ perMinute: 1, maxWait: 30_000 });
    get(1);
    await tick(10_000);
    const error = await caught(client.articles.get(2), RateLimitError);
    const expected = { code: 'rate_limit', status: 429, origin: 'preflight', attempts: 0, outcome: 'not_applied' };
    expect(error).toMatchObject({ ...expected, retryAfter: 50_000 });
    expect(error.message).toMatch(/Nothing was sent\.$/);
    await tick(50_000);
    get(3);
    await tick();
    expect(log()).toBe('1@0 3@60');
  });

  it('a 429 that asks for a longer wait than maxWait is not repeated, and no call leaves until it is over', async () => {
    const { make, log } = await share([busy(429)]);
    const { client, get } = make({ maxWait: 19_000 });
    const refused = { code: 'rate_limit', status: 429, retryAfter: 20_000 };
    const first = await caught(client.articles.get(1), RateLimitError);
    expect(first).toMatchObject({ ...refused, origin: 'service', attempts: 1 });
    const second = await caught(client.articles.get(2), RateLimitError);
    expect(second).toMatchObject({ ...refused, origin: 'preflight', attempts: 0 });
    await tick(1_000);
    get(3);
    await tick(19_000);
    expect(log()).toBe('1@0 3@20');
  });

  it('a retry of a 429 without Retry-After holds the others back as long as the backoff', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { make, log } = await share([refuse(429)]);
    make().get(1);
    await tick(10);
    make().get(2);
    await tick(5_000);
    expect(log()).toBe('1@0 1@0.5 2@0.5');
  });
});

describe('the two windows', () => {
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

  it('are those of the specification if nothing else is known', async () => {
    const { minute, day } = await setUp().client.budget();
    expect([minute.limit, day.limit]).toEqual([60, 1000]);
  });

  it('say what is left if a call is refused, so that one sees which window is full', async () => {
    const { client } = setUp({ rateLimit: { perDay: 1, maxWait: 0 } });
    await client.articles.get(1);
    const { message } = await caught(client.articles.get(2), RateLimitError);
    expect(message).toContain(`Left: ${PER_MINUTE - 1} of ${PER_MINUTE} a minute, 0 of 1 a day. Nothing was sent.`);
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
    ...['0', '-1', '1e999', '"120"', 'null'].map((odd): [string, string, object, number] => [
      odd,
      `${PER_MINUTE + 1}`,
      {},
      PER_MINUTE,
    ]),
    ['5000', '0', {}, PER_DAY],
  ])('told %s a minute, %s a day, with %o: %i calls', { tags: 'long' }, async (perMinute, perDay, rateLimit, sent) => {
    const body = JSON.stringify({ ...SPHERE_IDENTITY, rate_limits: { per_minute: '#', per_day: '##' } });
    const text = body.replace('"#"', perMinute).replace('"##"', perDay);
    const options: ClientOptions = { validation: 'off', rateLimit: { maxWait: 0, ...rateLimit } };
    const asked = setUp(options, raw(text));
    await asked.client.me();
    const identity = JSON.parse(text) as Identity;
    // The option is checked.
    const isValid = Number.isInteger(identity.rate_limits.per_minute);
    for (const { getMany, times } of [asked, ...(isValid ? [setUp({ ...options, identity })] : [])]) {
      getMany(sent + 1);
      await vi.advanceTimersByTimeAsync(0);
      expect(times).toHaveLength(sent);
    }
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

describe('whatever the latency', { tags: 'long' }, () => {
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
});

describe('what is left of the day, which a sync reports', () => {
  const reported = (per_day: number) => ({ ...SPHERE_IDENTITY, rate_limits: { per_minute: 60, per_day } });

  it.each<[ClientOptions, number | undefined]>([
    [{}, PER_DAY - 71],
    [{ rateLimit: { perDay: 90 } }, 19],
    [{ rateLimit: { perDay: 90 }, identity: reported(500) }, 19],
    [{ rateLimit: { perMinute: 90 }, identity: reported(500) }, 429],
    [{ identity: reported(-1) }, PER_DAY - 71],
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
