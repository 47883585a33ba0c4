import type { RateLimitStore, TakeAnswer, TakeRequest } from 'multilocal/limiter';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../../../src/core/call.js';
import { PER_MINUTE } from '../../../src/core/limiter/limits.js';
import { LONGEST_CALL } from '../../../src/core/limiter/shared.js';
import { type ClientOptions, ConnectionError, type RateLimitOptions } from '../../../src/index.js';
import { caught, freshUrl, rejection } from '../../support/clients.js';
import { ARTICLE, KEY } from '../../support/fixtures.js';
import { setUpStore, shareKey } from '../../support/limiter.js';
import { json, type Reply, refuse } from '../../support/stub-fetch.js';

const SECOND = 1_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

/** A client of a shared key. Each client is a process of its own: it has an address that no other client has. */
async function setUp(
  rateLimit: RateLimitOptions,
  script?: Reply | Reply[],
  { baseUrl, ...options }: ClientOptions = {},
) {
  const key = shareKey(script, baseUrl);
  const made = key.make(rateLimit, options);
  // The hash of the key takes real time, in which the virtual clock must not run.
  await made.client.budget();
  return { ...key, ...made };
}

describe('a store', () => {
  it('is asked for a place before each attempt and told when the response is there', async () => {
    const { store, calls } = setUpStore();
    const limits = { perMinute: 30, perDay: 500, maxWait: 7_000 };
    const { get } = await setUp({ store, ...limits }, undefined, { timeout: 9_000 });
    await get(42);
    const [count, take, settle] = calls as [unknown[], unknown[], unknown[]];
    expect(count).toEqual(['count', take[1], [MINUTE, DAY]]);
    const key = take[1];
    expect(key).toMatch(/^[\da-f]{64}$/);
    const windows = [
      [MINUTE, 30],
      [DAY, 500],
    ];
    const id = expect.any(String);
    expect(take).toEqual(['take', key, { id, windows, maxWait: 7_000, timeout: 9_000 }]);
    expect(settle).toEqual(['settle', key, (take[2] as { id: string }).id, 'done']);
    expect(calls).toHaveLength(3);
  });

  it('gets the same key for the same API key and address, and no part of either', async () => {
    const { store, calls } = setUpStore();
    const baseUrl = freshUrl();
    const keyOf = async (options: ClientOptions) => {
      const { get } = await setUp({ store }, json(ARTICLE), { baseUrl, ...options });
      await get(1);
      return calls.at(-1)?.[1];
    };
    const key = await keyOf({});
    expect(await keyOf({ baseUrl: `${baseUrl}/api/v2/` })).toBe(key);
    expect(await keyOf({ apiKey: 'another' })).not.toBe(key);
    expect(await keyOf({ baseUrl: freshUrl() })).not.toBe(key);
    expect(JSON.stringify(calls)).not.toContain(KEY);
  });

  it('is asked once to go at once, and twice by a call that waits', async () => {
    const { store, named } = setUpStore();
    const slow: Reply = async (seen, index) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return json(ARTICLE)(seen, index);
    };
    const { get, sent, waits } = await setUp({ store, perMinute: 2 }, slow);
    for (let id = 1; id <= 6; id++) get(id);
    await tick(5 * MINUTE);
    expect(sent.map(([id]) => id)).toEqual([1, 2, 3, 4, 5, 6]);
    // Responses take 300 ms, and requests count from their responses.
    expect(sent.map(([, at]) => at)).toEqual([0, 0, 60_300, 60_300, 120_600, 120_600]);
    expect(waits).toEqual([MINUTE, MINUTE, 2 * MINUTE, 2 * MINUTE]);
    expect(named('take')).toHaveLength(2 + 4 * 2);
    expect(named('settle')).toHaveLength(6);
    const ids = named('take').map(([, , request]) => (request as { id: string }).id);
    expect(new Set(ids).size).toBe(6);
  });

  it('learns of a 429 that will be retried, and holds every process', async () => {
    const { store, named } = setUpStore();
    const baseUrl = freshUrl();
    const one = await setUp({ store }, [refuse(429, 'x', { 'retry-after': '30' })], { baseUrl });
    one.get(1);
    await tick();
    expect(named('hold')).toEqual([['hold', expect.any(String), 30_000]]);
    const other = await setUp({ store }, [], { baseUrl });
    other.get(2);
    await tick(29 * SECOND);
    expect(other.sent).toEqual([]);
    await tick(2 * SECOND);
    expect([one.log(), other.sent]).toEqual(['1@0 1@30', [[2, 30_000]]]);
  });

  it.each<[string, () => void | Promise<void>]>([
    ['ignores a hold', () => {}],
    ['is slow to hold', () => new Promise((resolve) => setTimeout(resolve, 100))],
    ['never ends a hold', () => new Promise(() => {})],
    ['fails to hold', () => Promise.reject(new Error('hunter2'))],
  ])('cannot shorten a Retry-After, although it %s', async (_, hold) => {
    const store: RateLimitStore = { ...setUpStore().store, take: () => ({ state: 'go', ms: 0 }), hold };
    const refusal = refuse(429, 'x', { 'retry-after': '30' });
    const { get, sent } = await setUp({ store, onStoreError: 'throw' }, [refusal]);
    get(1);
    await tick(10 * SECOND);
    get(2);
    await tick(MINUTE);
    expect(sent.map(([, at]) => at)).toEqual([0, 30_000, 30_000]);
  });

  it('may have other fields', async () => {
    const store = { take: () => ({ state: 'go', ms: 0 }) as const, settle: () => {}, hold: () => {}, count: 3 };
    const { client, get } = await setUp({ store: store as object as RateLimitStore, onStoreError: 'throw' });
    await get(1);
    expect((await client.budget()).minute.used).toBe(1);
  });

  it('counts for a client with it what a client of the process without it has sent', async () => {
    const { store } = setUpStore();
    const baseUrl = freshUrl();
    const alone = await setUp({ perMinute: 4 }, json(ARTICLE), { baseUrl });
    for (const id of [1, 2, 3]) await alone.get(id);
    const { get, sent } = await setUp({ store, perMinute: 4, maxWait: 30 * SECOND }, json(ARTICLE), { baseUrl });
    await get(4);
    await expect(get(5)).rejects.toMatchObject({ code: 'rate_limit', retryAfter: MINUTE });
    expect(sent).toHaveLength(1);
    // The refused call has given its place in the store back.
    await tick(MINUTE);
    await Promise.all([6, 7, 8, 9].map((id) => get(id)));
    expect(sent).toHaveLength(5);
  });

  it('gets a place back while the windows of the process have no room for the call', async () => {
    const { store, book, named } = setUpStore();
    const baseUrl = freshUrl();
    const alone = await setUp({ perMinute: 4 }, json(ARTICLE), { baseUrl });
    for (const id of [1, 2, 3, 4]) await alone.get(id);
    const { get, sent, waits } = await setUp({ store, perMinute: 4 }, json(ARTICLE), { baseUrl });
    for (const id of [5, 6, 7, 8]) get(id);
    await tick();
    expect(book.count(performance.now(), [MINUTE])).toEqual({ used: [0], waiting: 0 });
    expect(waits).toEqual(Array(4).fill(MINUTE));
    expect(named('take').map(([, , request]) => (request as TakeRequest).timeout)).toEqual(Array(4).fill(TIMEOUT));
    await tick(MINUTE);
    expect(sent).toHaveLength(4);
    // The requests have left at 60 s, so they count until 120 s.
    await tick(MINUTE - 1);
    expect(book.count(performance.now(), [MINUTE]).used).toEqual([4]);
    await tick(1);
    expect(book.count(performance.now(), [MINUTE]).used).toEqual([0]);
  });

  it('is asked with the lowest limits of the clients of the process', async () => {
    const { store, named } = setUpStore();
    const { make } = shareKey();
    await make({ perMinute: 3, perDay: 50 }).get(1);
    await make({ store, perMinute: 9, perDay: 20, reserve: 1 }).get(2);
    const windows = [
      [MINUTE, 3],
      [DAY, 20],
    ];
    expect(named('take')).toMatchObject([['take', expect.any(String), { windows, reserve: 1 }]]);
  });

  it('ends a wait in the windows of the process at maxWait', async () => {
    const { store, control } = setUpStore();
    const { get, log } = await setUp({ store, perMinute: 2, maxWait: 35 * SECOND });
    await get(1);
    await tick(30 * SECOND);
    control.failure = new Error('down');
    await get(2);
    await tick(20 * SECOND);
    control.failure = undefined;
    // The third call waits 10 s for the process, and the fourth one 10 s for the store and 30 s for the process.
    const calls = [3, 4].map((id) => get(id));
    await tick(41 * SECOND);
    const [, fourth] = await Promise.allSettled(calls);
    expect(fourth).toMatchObject({ status: 'rejected', reason: { code: 'rate_limit' } });
    expect(log()).toMatch(/^1@0 2@30 3@\d+$/);
  });

  it('is asked for the rest of the budget', async () => {
    const { store, book } = setUpStore();
    const { get, client } = await setUp({ store, perMinute: 10, perDay: 100, reserve: 4 });
    await get(1);
    book.take(performance.now(), { id: 'elsewhere', windows: [], maxWait: 0, timeout: DAY });
    expect(await client.budget()).toEqual({
      minute: { limit: 10, used: 2, left: 4 },
      day: { limit: 100, used: 2, left: 98 },
    });
    const { count: _, ...withoutCount } = store;
    const other = await setUp({ store: withoutCount });
    await other.get(1);
    expect((await other.client.budget()).minute).toEqual({ limit: PER_MINUTE, used: 1, left: PER_MINUTE - 1 });
  });
});

const refusal = Object.assign(new TypeError('redis://user:hunter2@cache.test refused'), {
  code: 'E1',
  password: 'hunter2',
});
const FAILURES: [string, () => Partial<RateLimitStore>][] = [
  ['rejects', () => ({ take: () => Promise.reject(refusal) })],
  ['throws', () => ({ take: () => expect.unreachable('hunter2') })],
  ['hangs', () => ({ take: () => new Promise<never>(() => {}) })],
  ['answers nothing', () => ({ take: () => undefined as unknown as TakeAnswer })],
  ['answers nonsense', () => ({ take: () => ({ state: 'maybe', ms: 0 }) as unknown as TakeAnswer })],
  ['answers with a wait that is no number', () => ({ take: () => ({ state: 'wait', ms: Number.NaN }) })],
];

describe.each(FAILURES)('a store that %s', (_, failing) => {
  it("ends the call with onStoreError 'throw', before anything is sent", async () => {
    const { store } = setUpStore();
    const rateLimit = { store: { ...store, ...failing() }, onStoreError: 'throw' } as const;
    const { client, sent } = await setUp(rateLimit, [], { maxRetries: 0 });
    const failed = caught(client.articles.create({ title: 'Le pain', target_keyword: 'levain' }), ConnectionError);
    await tick(LONGEST_CALL);
    const error = await failed;
    const expected = { code: 'connection', outcome: 'not_applied', attempts: 0, operation: 'articles.create' };
    expect(error).toMatchObject(expected);
    expect(error.message).toContain('the rate limit store failed');
    expect(error.message).toMatch(/ Check that the store runs, .* No request was sent\.$/);
    expect(error.cause).toBeUndefined();
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain('hunter2');
    expect(sent).toEqual([]);
  });

  it("leaves the process alone with its share with 'local', and says so once", async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { store } = setUpStore();
    const { get, sent } = await setUp({ store: { ...store, ...failing() }, perMinute: 8, instances: 4, maxWait: 0 });
    const calls = [1, 2, 3].map((id) => get(id));
    await tick(LONGEST_CALL);
    const [one, two, three] = await Promise.allSettled(calls);
    expect([one?.status, two?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(three).toMatchObject({ status: 'rejected', reason: { code: 'rate_limit' } });
    expect(sent).toHaveLength(2);
    expect(warn.mock.calls.flat()).toEqual([
      expect.stringMatching(/^multilocal: the rate limit store failed: .*`rateLimit.instances`\.$/),
    ]);
    expect(String(warn.mock.calls)).not.toContain('hunter2');
  });
});

describe('an outage', () => {
  it('costs at most 2 s in each 10 s, and ends within 15 s of the return', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { store, control, named } = setUpStore();
    const { get, sent } = await setUp({ store });
    control.latency = DAY;
    for (let id = 1; id <= 20; id++) {
      get(id);
      await tick(SECOND);
    }
    await tick(2 * SECOND);
    expect(sent).toHaveLength(20);
    expect(named('take').length).toBeLessThanOrEqual(6);
    expect(warn).toHaveBeenCalledTimes(1);
    control.latency = 0;
    await tick(13 * SECOND);
    const before = named('take').length;
    await get(21);
    expect(named('take')).toHaveLength(before + 1);
    control.failure = new Error('down');
    await get(22);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it.each<[string, RateLimitOptions, steps: (number | number[] | 'fail' | 'work')[], sent: string]>([
    [
      'counts what this process sent before it',
      { perMinute: 5, maxWait: 0 },
      [[1, 2, 3, 4], 'fail', [5], [6], 1],
      '1@0 2@0 3@0 4@0 5@0',
    ],
    [
      'ends for calls that wait alone within 15 s of the return',
      { perMinute: 4, instances: 4 },
      ['fail', [1, 2, 3, 4], 20, 'work', 15],
      '1@0 2@30 3@30 4@30',
    ],
    [
      'does not let this process send more than the limit after it',
      { perMinute: 4 },
      [[1, 2], 'fail', [3, 4], 20, 'work', [5, 6], 41],
      '1@0 2@0 3@0 4@0 5@60 6@60',
    ],
    [
      'ends the waits of its calls, which go on alone',
      { perMinute: 2, perDay: 10 },
      [[1, 2, 3, 4], 30, 'fail', 120],
      '1@0 2@0 3@60 4@60',
    ],
  ])('%s', async (_, rateLimit, steps, sent) => {
    const { store, control } = setUpStore();
    const { get, log } = await setUp({ store, ...rateLimit });
    for (const step of steps) {
      if (Array.isArray(step)) step.map((id) => get(id));
      else if (typeof step === 'string') control.failure = step === 'fail' ? new Error('down') : undefined;
      await tick(typeof step === 'number' ? step * SECOND : 0);
    }
    expect(log()).toBe(sent);
  });

  it('gives a call that waits alone one event', async () => {
    const { store, control } = setUpStore();
    const { get, waits, sent } = await setUp({ store, perMinute: 1 });
    control.failure = new Error('down');
    for (const id of [1, 2]) get(id);
    await tick(MINUTE + SECOND);
    expect(sent.map(([id]) => id)).toEqual([1, 2]);
    expect(waits).toHaveLength(1);
  });

  it('gives back a place that came after the report that the call gave up', async () => {
    const { store, book, named } = setUpStore();
    const slow = async (key: string, request: TakeRequest) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return store.take(key, request);
    };
    const { get, sent } = await setUp({ store: { ...store, take: slow }, perMinute: 1, maxWait: 0 });
    const controller = new AbortController();
    const aborted = rejection(get(1, { signal: controller.signal }));
    await tick(100);
    controller.abort('assez');
    expect(await aborted).toBe('assez');
    await tick(500);
    expect(named('take')).toHaveLength(1);
    expect(book.count(performance.now(), [MINUTE])).toEqual({ used: [0], waiting: 0 });
    get(2);
    await tick(500);
    expect(sent.map(([id]) => id)).toEqual([2]);
  });

  it('is announced if a report fails first', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { store } = setUpStore();
    const { get, sent } = await setUp({ store: { ...store, settle: () => Promise.reject(new Error('hunter2')) } });
    for (let id = 1; id <= 3; id++) {
      await get(id);
      await tick();
    }
    expect(sent).toHaveLength(3);
    expect(warn.mock.calls.flat()).toEqual([
      expect.stringMatching(/^multilocal: the rate limit store failed: Error\. /),
    ]);
  });

  it('ends a retry with an error that does not deny the first request', async () => {
    const { store } = setUpStore();
    let takes = 0;
    const take = () => (takes++ === 0 ? ({ state: 'go', ms: 0 } as const) : Promise.reject(new Error('down')));
    const { client, sent } = await setUp({ store: { ...store, take }, onStoreError: 'throw' }, refuse(503));
    const failed = caught(client.articles.update(1, { title: 'Le pain' }), ConnectionError);
    await tick(MINUTE);
    const error = await failed;
    expect(error).toMatchObject({ attempts: 1, outcome: 'unknown' });
    expect(error.message).toContain('The request was not sent again. It is unknown whether the write happened.');
    expect(sent).toHaveLength(1);
  });

  it('makes budget() fail with onStoreError throw', async () => {
    const { store, control } = setUpStore();
    const { client } = await setUp({ store, onStoreError: 'throw' });
    control.failure = new Error('hunter2');
    const error = await caught(client.budget(), ConnectionError);
    expect(error.message).toBe('budget: the rate limit store failed: Error.');
  });
});

describe('budget()', () => {
  it('counts requests in flight, and sends none', async () => {
    const { client, get, sent } = await setUp({ perMinute: 3, perDay: 50 }, () => new Promise(() => {}));
    get(1);
    await tick();
    expect(await client.budget()).toEqual({
      minute: { limit: 3, used: 1, left: 2 },
      day: { limit: 50, used: 1, left: 49 },
    });
    expect(sent).toHaveLength(1);
    expect(await client.forBulle('b-1').budget()).toEqual(await client.budget());
  });

  it.each<ClientOptions['rateLimit']>([false, { acquire: async () => {} }])('knows nothing with %o', async (given) => {
    const { client } = await setUp({}, json(ARTICLE), { rateLimit: given });
    const unlimited = { limit: Number.POSITIVE_INFINITY, used: 0, left: Number.POSITIVE_INFINITY };
    expect(await client.budget()).toEqual({ minute: unlimited, day: unlimited });
  });
});
