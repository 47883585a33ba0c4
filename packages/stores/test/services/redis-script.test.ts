import { type RedisServer, startRedis } from '@multilocal/scripts/services';
import { describeStore } from '@multilocal/test/support/store-contract';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { RateLimitBook, type RateWindow, type TakeRequest } from 'multilocal/limiter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { CLOCK } from './pace.js';

let server: RedisServer;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

const START = 1_800_000_000_000;

/** A store in Redis whose clock the test sets. */
function storeAt() {
  const time = { now: START };
  const store = redisStore((script, keys, args) => {
    expect(script).toMatch(CLOCK);
    return redis.eval(script.replace(CLOCK, `local now = ${time.now}\n`), keys.length, ...keys, ...args);
  });
  return { store, time };
}

let keys = 0;
const freshKey = () => `key-${++keys}`;

const SECOND = 1_000;
const WINDOWS: readonly (readonly RateWindow[])[] = [
  [
    [60 * SECOND, 2],
    [300 * SECOND, 5],
  ],
  [
    [60 * SECOND, 3],
    [300 * SECOND, 5],
  ],
  [
    [60 * SECOND, 3],
    [300 * SECOND, 7],
  ],
];

const step = fc.record({
  do: fc.constantFrom(...Array(5).fill('take'), ...Array(3).fill('again'), ...Array(3).fill('settle'), 'hold'),
  pass: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 70_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -400_000, max: 400_000 }) },
  ),
  id: fc.integer({ min: 0, max: 19 }).map((number) => `call-${number}`),
  // Of a call that takes a place.
  windows: fc.constantFrom(...WINDOWS),
  maxWait: fc.constantFrom(0, 45 * SECOND, 100 * SECOND, 1_000 * SECOND, 1_000 * SECOND),
  timeout: fc.constantFrom(SECOND, 30 * SECOND, 90 * SECOND, 300 * SECOND),
  retry: fc.boolean(),
  reserve: fc.constantFrom(0, 0, 1, 2),
  // Of a waiting call that asks again. Timers may be early, and a call loses its place 5 s after its turn.
  which: fc.nat(3),
  early: fc.constantFrom(0, 0, 0, 400, 1_000, -4_999, -5_000),
  result: fc.constantFrom('done' as const, 'unsent' as const),
  ms: fc.integer({ min: 1, max: 90_000 }),
  isLost: fc.boolean(),
});

describeStore('Redis', () => {
  const { store, time } = storeAt();
  const prefix = freshKey();
  return {
    store: {
      take: (key, request) => store.take(`${prefix} ${key}`, request),
      settle: (key, id, result) => store.settle(`${prefix} ${key}`, id, result),
      hold: (key, ms) => store.hold(`${prefix} ${key}`, ms),
      count: (key, lengths) => store.count(`${prefix} ${key}`, lengths),
    },
    pass: (ms) => {
      time.now += ms;
    },
  };
});

describe('the script', () => {
  it('gives the same answers as the book, whatever happens', async () => {
    const seen = { go: 0, wait: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 120 }), async (steps) => {
        const key = freshKey();
        const { store, time } = storeAt();
        const book = new RateLimitBook();
        const waiting = new Map<TakeRequest, number>();
        for (const one of steps) {
          if (one.do !== 'again') time.now += one.pass;
          if (one.do === 'hold') {
            book.hold(time.now, one.ms);
            await store.hold(key, one.ms);
          } else if (one.do === 'settle') {
            book.settle(time.now, one.id, one.result);
            await store.settle(key, one.id, one.result);
          } else {
            const [again, told] = one.do === 'again' ? ([...waiting][one.which] ?? []) : [];
            if (again && told !== undefined) time.now = Math.max(time.now, told - one.early);
            const request = one.do === 'take' ? one : again;
            if (!request) continue;
            const answer = book.take(time.now, request);
            expect(await store.take(key, request)).toEqual(answer);
            waiting.delete(request);
            // Some answers to a call that may go are lost, so that it asks again.
            if (answer.state === 'wait' || one.isLost) waiting.set(request, time.now + answer.ms);
            seen[answer.state]++;
          }
          const lengths = [60 * SECOND, 300 * SECOND];
          expect(await store.count(key, lengths)).toEqual(book.count(time.now, lengths));
        }
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 20) },
    );
    // Otherwise the test would compare nothing of interest.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });

  it('lets every key expire, whatever wrote it, and none before the end of a hold', async () => {
    const key = freshKey();
    const { store, time } = storeAt();
    const windows: RateWindow[] = [[60 * SECOND, 5]];
    const take = (id: string) => store.take(key, { id, windows, maxWait: 0, timeout: SECOND });
    const expectExpiry = async () => {
      const names = await redis.keys(`*${key}}*`);
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(await redis.pttl(name)).toBeGreaterThan(0);
    };
    await store.hold(key, 600 * SECOND);
    await expectExpiry();
    await store.take(key, { id: 'waiting', windows, maxWait: 900 * SECOND, timeout: SECOND });
    await expectExpiry();
    time.now += 600 * SECOND;
    await take('lost');
    time.now += 2 * SECOND;
    await store.count(key, [60 * SECOND]);
    await expectExpiry();
    await take('done');
    await store.settle(key, 'done', 'done');
    await expectExpiry();
    time.now += 2 * 86_400 * SECOND;
    await take('days later');
    await store.settle(key, 'days later', 'done');
    expect(await redis.llen(`multilocal:{${key}}:done`)).toBe(1);
    await expectExpiry();
    await store.hold(key, 2 * 86_400 * SECOND);
    expect(await redis.pttl(`multilocal:{${key}}:state`)).toBeGreaterThan(1.5 * 86_400 * SECOND);
  });

  it.each(['state', 'done', 'flight', 'queue', 'asks'])('works after Redis has evicted %s', async (name) => {
    const { store, time } = storeAt();
    const key = freshKey();
    const call = { windows: [[60 * SECOND, 3]] as RateWindow[], maxWait: 300 * SECOND, timeout: 30 * SECOND };
    const take = (id: string) => store.take(key, { ...call, id });
    for (const id of ['done', 'a', 'b', 'c', 'd']) await take(id);
    await store.settle(key, 'done', 'done');
    await redis.del(`multilocal:{${key}}:${name}`);
    await take('a');
    for (const kept of await redis.keys(`*${key}}*`)) expect(await redis.pttl(kept), kept).toBeGreaterThan(0);
    await take('e');
    await store.settle(key, 'a', 'done');
    await store.settle(key, 'c', 'unsent');
    time.now += 120 * SECOND;
    // A waiting call gets a place in the end.
    expect(await take('d')).toMatchObject({ state: 'go' });
    for (const kept of await redis.keys(`*${key}}*`)) expect(await redis.pttl(kept), kept).toBeGreaterThan(0);
  });
});
