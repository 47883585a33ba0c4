import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limiterOf } from '../../src/core/limiter.js';
import { Client, type ClientEvent, type ClientOptions, RateLimitError } from '../../src/index.js';
import { caught, freshUrl } from '../support/clients.js';
import { ARTICLE, KEY, SPHERE_IDENTITY } from '../support/fixtures.js';
import { json, type Reply, refuse, stubFetch } from '../support/stub-fetch.js';

const SECOND = 1_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Clients of one key with limits of their own; when each request left, by the article that was asked for. */
function shareKey(reply: Reply = json(ARTICLE)) {
  const baseUrl = freshUrl();
  const started = performance.now();
  const sent: [id: number, at: number][] = [];
  const fetch = stubFetch((seen, index) => {
    sent.push([Number(seen.url.pathname.split('/').at(-1)), performance.now() - started]);
    return reply(seen, index);
  });
  const make = (rateLimit: ClientOptions['rateLimit'], options: ClientOptions = {}) => {
    const waits: number[] = [];
    const onEvent = (event: ClientEvent) => void (event.type === 'wait' && waits.push(event.delay));
    const client = new Client({ apiKey: KEY, baseUrl, fetch, rateLimit, onEvent, ...options });
    const get = (id: number) => {
      const call = client.articles.get(id);
      call.catch(() => {});
      return call;
    };
    const getMany = (count: number, from: number) => Array.from({ length: count }, (_, index) => get(from + index));
    return { client, get, getMany, waits };
  };
  return { make, sent, elapsed: () => performance.now() - started };
}

const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

describe('clients of one key with different limits', () => {
  it('the one with room passes those that wait, without a wait event', async () => {
    const { make, sent } = shareKey();
    make({ perMinute: 1, maxWait: DAY }).getMany(100, 1);
    await tick();
    const loose = make({ perMinute: 60, maxWait: 0 });
    loose.getMany(59, 1001);
    await tick();
    expect(sent).toHaveLength(60);
    expect(loose.waits).toEqual([]);
    await caught(loose.get(2000), RateLimitError);
  });

  it('day limits are judged apart too', async () => {
    const { make, sent } = shareKey();
    make({ perDay: 1, maxWait: 2 * DAY }).getMany(3, 1);
    await tick();
    make({ perDay: 3, maxWait: 0 }).getMany(2, 11);
    await tick();
    expect(sent.map(([id]) => id)).toEqual([1, 11, 12]);
  });

  it('a wait is foreseen by the limits of the call that waits', async () => {
    const { make, sent } = shareKey();
    make({ perMinute: 1, maxWait: DAY }).getMany(10, 1);
    const loose = make({ perMinute: 2, maxWait: 90 * SECOND });
    loose.getMany(2, 11);
    await tick();
    expect(loose.waits).toEqual([MINUTE]);
    await tick(MINUTE);
    expect(sent).toEqual([
      [1, 0],
      [11, 0],
      [2, MINUTE],
      [12, MINUTE],
    ]);
  });

  it('those with looser limits that wait are counted by their own limits', async () => {
    const { make, sent } = shareKey();
    make({ perMinute: 60 }).getMany(120, 1);
    const tight = make({ perMinute: 30, maxWait: 150 * SECOND });
    tight.get(500);
    await tick();
    expect(tight.waits).toEqual([2 * MINUTE]);
    const hurried = make({ perMinute: 30, maxWait: 90 * SECOND });
    const error = await caught(hurried.get(501), RateLimitError);
    expect(error.retryAfter).toBe(2 * MINUTE);
    expect(hurried.waits).toEqual([]);
    await tick(2 * MINUTE);
    expect(sent.at(-1)).toEqual([500, 2 * MINUTE]);
  });

  it('those with the same limits stay in order, whatever their maxWait', async () => {
    const { make, sent } = shareKey();
    const [one, two] = [make({ perMinute: 2, maxWait: DAY }), make({ perMinute: 2 })];
    for (let id = 1; id <= 9; id += 2) {
      one.get(id);
      two.get(id + 1);
    }
    await tick(5 * MINUTE);
    expect(sent.map(([id]) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(two.waits).toEqual([MINUTE, 2 * MINUTE, 3 * MINUTE, 4 * MINUTE]);
  });

  it.each([
    ['tighter', 20, 79],
    ['looser', 100, 159],
  ])(
    '%s limits that become known while calls wait apply to them, and keep their order',
    async (_, per_minute, left) => {
      const identity = { ...SPHERE_IDENTITY, rate_limits: { per_minute, per_day: 1000 } };
      const { make, sent } = shareKey((seen, index) =>
        json(seen.url.pathname.endsWith('/me') ? identity : ARTICLE)(seen, index),
      );
      const { client, getMany } = make({});
      const me = client.me();
      getMany(180, 1);
      await me;
      await tick(MINUTE);
      // 59 left beside GET /me, as the default has it.
      expect(sent.slice(1).map(([id]) => id)).toEqual(Array.from({ length: left }, (_, index) => index + 1));
    },
  );
});

describe('a call that others pass', () => {
  it('is refused once it has waited for its maxWait, and not later', async () => {
    const { make, sent, elapsed } = shareKey();
    const loose = make({ perMinute: 60 });
    loose.get(1);
    await tick(30 * SECOND);
    const tight = make({ perMinute: 1, maxWait: 45 * SECOND });
    const refused = caught(tight.get(100), RateLimitError).then((error) => ({ error, at: elapsed() }));
    await tick(10 * SECOND);
    expect(tight.waits).toEqual([30 * SECOND]);
    loose.get(2);
    await tick(5 * MINUTE);
    const { error, at } = await refused;
    expect(at).toBe(75 * SECOND);
    expect(error).toMatchObject({ origin: 'preflight', status: 429, attempts: 0, outcome: 'not_applied' });
    // The window is free of the call that passed at 40 s only at 100 s.
    expect(error.retryAfter).toBe(25 * SECOND);
    expect(sent.map(([id]) => id)).toEqual([1, 2]);
  });

  it('is refused at its maxWait, although there is room a moment later', async () => {
    const { make, sent, elapsed } = shareKey();
    const loose = make({ perMinute: 4 });
    loose.get(1);
    await tick(62 * SECOND);
    loose.get(2);
    await tick(59 * SECOND);
    const refused = caught(make({ perMinute: 1, maxWait: MINUTE }).get(100), RateLimitError).then(() => elapsed());
    await tick(SECOND - 1);
    loose.get(3);
    await tick(5 * MINUTE);
    expect(await refused).toBe(181 * SECOND);
    expect(sent.map(([id]) => id)).toEqual([1, 2, 3]);
  });

  it('gets in if there is room again in time', async () => {
    const { make, sent } = shareKey();
    const loose = make({ perMinute: 60 });
    loose.get(1);
    make({ perMinute: 1, maxWait: 2 * MINUTE }).get(100);
    await tick(50 * SECOND);
    loose.get(2);
    await tick(MINUTE);
    expect(sent.at(-1)).toEqual([100, 110 * SECOND]);
  });

  it('of the same limits, by retries, is refused at its maxWait as well', async () => {
    const replies = [refuse(503, 'x', { 'retry-after': '1' }), refuse(503, 'x', { 'retry-after': '1' })];
    const { make, sent, elapsed } = shareKey((seen, index) => (replies[index] ?? json(ARTICLE))(seen, index));
    const { get } = make({ perMinute: 1, maxWait: 90 * SECOND });
    get(1);
    const refused = caught(get(2), RateLimitError).then(() => elapsed());
    await tick(5 * MINUTE);
    expect(await refused).toBe(90 * SECOND);
    expect(sent.map(([id]) => id)).toEqual([1, 1, 1]);
  });

  it('is not refused for responses alone that take their time', async () => {
    const { make, sent } = shareKey(async (seen, index) => {
      await new Promise((resolve) => setTimeout(resolve, SECOND));
      return json(ARTICLE)(seen, index);
    });
    // The last sixty are foreseen to wait ten minutes, the default of maxWait.
    const calls = make({ perMinute: 60 }).getMany(660, 1);
    await tick(11 * MINUTE);
    await Promise.all(calls);
    expect(sent.at(-1)).toEqual([660, 10 * (MINUTE + SECOND)]);
  });

  it('by one retry costs no more than one call its place', async () => {
    const { make, sent } = shareKey(async (seen, index) => {
      await new Promise((resolve) => setTimeout(resolve, SECOND));
      return (index === 0 ? refuse(503, 'x', { 'retry-after': '1' }) : json(ARTICLE))(seen, index);
    });
    const ended = Promise.allSettled(make({ perMinute: 60 }).getMany(660, 1));
    await tick(12 * MINUTE);
    expect((await ended).filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(sent).toHaveLength(660);
  });
});

interface Arrival {
  client: number;
  at: number;
}

const anyLimits = fc.record({
  perMinute: fc.integer({ min: 1, max: 6 }),
  perDay: fc.integer({ min: 8, max: 40 }),
  maxWait: fc.constantFrom(0, 30 * SECOND, MINUTE, 5 * MINUTE, DAY),
});
const anyArrivals = fc.array(fc.record({ client: fc.nat(2), at: fc.integer({ min: 0, max: 300 }) }), {
  minLength: 1,
  maxLength: 40,
});

describe('whatever the mix', () => {
  /** What happened to each call, when responses come at once. Seconds are whole, so that many things happen together. */
  async function run(clients: { perMinute: number; perDay: number; maxWait: number }[], arrivals: Arrival[]) {
    const limiter = limiterOf(freshUrl(), KEY);
    const started = performance.now();
    const log = arrivals.map((arrival) => ({ ...arrival, wait: 0, sent: Infinity, turn: 0, refused: Infinity }));
    let turns = 0;
    for (const one of log) {
      one.at *= SECOND;
      const limits = clients[one.client] as (typeof clients)[number];
      const acquire = async () => {
        const onWait = (ms: number) => {
          one.wait = ms;
        };
        const options = { limits: () => limits, signal: new AbortController().signal, isRetry: false, holdBack: 0 };
        try {
          const release = await limiter.acquire({ ...options, timeout: DAY, onWait, refuse: () => new Error('full') });
          one.sent = performance.now() - started;
          one.turn = turns++;
          release();
        } catch {
          one.refused = performance.now() - started;
        }
      };
      setTimeout(acquire, one.at);
    }
    await tick(3 * DAY);
    return log.map((one, index) => ({ ...one, index })).sort((a, b) => a.at - b.at || a.index - b.index);
  }

  it('each call keeps its own limits, its order and its maxWait', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLimits, { minLength: 3, maxLength: 3 }), anyArrivals, async (clients, arrivals) => {
        const log = await run(clients, arrivals);
        for (const [place, one] of log.entries()) {
          const { perMinute, perDay, maxWait } = clients[one.client] as (typeof clients)[number];
          const end = Math.min(one.sent, one.refused);
          expect(end - one.at).toBeLessThanOrEqual(maxWait);
          if (one.sent === Infinity) continue;
          const before = log.filter(({ sent, turn }) => sent < Infinity && turn < one.turn).map(({ sent }) => sent);
          expect(before.filter((sent) => sent > one.sent - MINUTE).length).toBeLessThan(perMinute);
          expect(before.filter((sent) => sent > one.sent - DAY).length).toBeLessThan(perDay);
          // A call that is refused while this one waits makes room that nobody could foresee.
          const madeRoom = log.some(({ at, refused }) => at < refused && refused > one.at && refused <= one.sent);
          if (!madeRoom) expect(one.sent - one.at).toBeGreaterThanOrEqual(one.wait);
          if (one.sent > one.at) expect(one.wait).toBeGreaterThan(0);
          const earlier = log.slice(0, place).filter(({ client, sent }) => client === one.client && sent < Infinity);
          for (const { turn } of earlier) expect(turn).toBeLessThan(one.turn);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('equal limits: the wait that is foreseen is the wait', async () => {
    await fc.assert(
      fc.asyncProperty(anyLimits, anyArrivals, async (limits, arrivals) => {
        for (const { at, sent, refused, wait } of await run([limits, limits, limits], arrivals)) {
          if (refused < Infinity) expect(refused).toBe(at);
          else expect(sent - at).toBe(wait);
        }
      }),
      { numRuns: 200 },
    );
  });
});
