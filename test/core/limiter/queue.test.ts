import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rankOf } from '../../../src/core/limiter/book.js';
import { type Limits, PER_MINUTE } from '../../../src/core/limiter/limits.js';
import { Account, type AcquireOptions } from '../../../src/core/limiter/queue.js';
import { type ClientOptions, RateLimitError } from '../../../src/index.js';
import { caught } from '../../support/clients.js';
import { ARTICLE, SPHERE_IDENTITY } from '../../support/fixtures.js';
import { shareKey } from '../../support/limiter.js';
import { json, refuse } from '../../support/stub-fetch.js';

const SECOND = 1_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

beforeEach(() => void vi.useFakeTimers());

const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

describe('clients of one key with different limits', () => {
  it('wait in one queue, each for its own maxWait', async () => {
    const { make, log, elapsed } = shareKey();
    make({ perMinute: 1 }).getMany(2, 1);
    const loose = make({ perMinute: 60 });
    loose.getMany(2, 11);
    const error = await caught(make({ perMinute: 60, maxWait: 30 * SECOND }).get(21), RateLimitError);
    expect([error.retryAfter, elapsed()]).toEqual([4 * MINUTE, 0]);
    await tick(5 * MINUTE);
    expect(log()).toBe('1@0 2@60 11@120 12@180');
    expect(loose.waits).toEqual([2 * MINUTE, 3 * MINUTE]);
  });

  const identity = { ...SPHERE_IDENTITY, rate_limits: { per_minute: 200, per_day: 5000 } };
  it.each<[string, ClientOptions['rateLimit'], ClientOptions, perMinute: number, perDay: number]>([
    ['sets by its options', { perMinute: 200, perDay: 5000 }, {}, 200, 5000],
    ['knows by its identity', {}, { identity }, 200, 5000],
    ['sets for the day, and the default of a minute,', { perDay: 5000 }, {}, PER_MINUTE, 5000],
  ])(
    'a client that sets none follows those that another client %s',
    async (_, rateLimit, options, perMinute, perDay) => {
      const { make, sent } = shareKey();
      make(rateLimit, options).get(1);
      const other = make({});
      other.getMany(perMinute, 2);
      await tick();
      expect(sent).toHaveLength(perMinute);
      expect(await other.client.budget()).toEqual({
        minute: { limit: perMinute, used: perMinute, left: 0 },
        day: { limit: perDay, used: perMinute, left: perDay - perMinute },
      });
    },
  );

  it('do not follow a client that has sent nothing', async () => {
    const { make, sent } = shareKey();
    const unused = make({ perMinute: 1 });
    make({ perMinute: 3 }).getMany(3, 1);
    await tick();
    expect(sent).toHaveLength(3);
    expect((await unused.client.budget()).minute).toEqual({ limit: 1, used: 3, left: 0 });
  });

  it('follow at once the limits that another one learns from GET /me', async () => {
    const identity = { ...SPHERE_IDENTITY, rate_limits: { per_minute: 5, per_day: 1000 } };
    const { make, sent } = shareKey([json(identity)]);
    const other = make({});
    await make({}).client.me();
    other.getMany(60, 2);
    await tick();
    expect(sent).toHaveLength(5);
  });

  describe('that may be garbage collected', () => {
    const knowing = (perMinute?: number) => vi.fn(() => ({ perMinute, perDay: undefined, reserve: 0 }));
    const states = (account: Account, ...clients: AcquireOptions['limits'][]) => {
      const { signal } = new AbortController();
      const hooks = { onWait: () => {}, refuse: () => new Error() };
      const options = { ...hooks, maxWait: 0, signal, pause: 0, timeout: MINUTE };
      const calls = clients.map((limits) => account.acquire({ ...options, limits }));
      return Promise.allSettled(calls).then((ended) => ended.map(({ status }) => status === 'fulfilled'));
    };
    /** An account, and what ends a client for it. */
    const setUp = () => {
      const members = new Map<unknown, unknown>();
      const collect = vi.fn<(client: unknown) => void>();
      class Registry {
        register = (client: unknown, member: unknown) => void members.set(client, member);
        constructor(end: (member: unknown) => void) {
          collect.mockImplementation((client) => end(members.get(client)));
        }
      }
      vi.stubGlobal('FinalizationRegistry', Registry);
      return { account: new Account('a key'), members, collect };
    };

    it('hold no limit then: the lowest of the others applies', async () => {
      const { account, collect } = setUp();
      const [strict, equal, loose] = [knowing(1), knowing(1), knowing(3)];
      expect(await states(account, strict, equal, loose)).toEqual([true, false, false]);
      collect(strict);
      expect(account.limits(loose).perMinute).toBe(1);
      collect(equal);
      expect(account.limits(knowing()).perMinute).toBe(3);
      expect(await states(account, loose, loose, loose)).toEqual([true, true, false]);
      collect(loose);
      expect(account.limits(knowing()).perMinute).toBe(PER_MINUTE);
    });

    it('a call asks only its own client, however many there were', async () => {
      vi.stubGlobal('WeakRef', undefined);
      const { account, members } = setUp();
      const clients = Array.from({ length: 2_000 }, (_, index) => knowing(index % 2 ? 60 : undefined));
      const asked = async () => {
        const own = knowing(60);
        await states(account, own);
        return own.mock.calls.length;
      };
      const first = await asked();
      await states(account, ...clients);
      for (const client of clients) client.mockClear();
      expect(await asked()).toBe(first);
      expect(clients.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(0);
      // Those that know nothing leave no trace.
      expect(members.size).toBe(1_002);
    });

    it('follow their own limits where the runtime has no FinalizationRegistry', async () => {
      vi.stubGlobal('FinalizationRegistry', undefined);
      const [strict, loose] = [knowing(1), knowing(3)];
      expect(await states(new Account('a key'), strict, loose, loose, strict)).toEqual([true, true, true, false]);
    });
  });

  it.each([
    ['tighter', 20, PER_MINUTE + 19],
    ['looser', 100, 199],
  ])(
    '%s limits that become known while calls wait apply to them, and keep their order',
    async (_, per_minute, left) => {
      const identity = { ...SPHERE_IDENTITY, rate_limits: { per_minute, per_day: 1000 } };
      const { make, sent } = shareKey((seen, index) =>
        json(seen.url.pathname.endsWith('/me') ? identity : ARTICLE)(seen, index),
      );
      const { client, getMany } = make({});
      const me = client.me();
      getMany(250, 1);
      await me;
      await tick(MINUTE);
      // Beside GET /me, all but one of the default leave at once, and with looser limits the others of the 100.
      expect(sent.slice(1).map(([id]) => id)).toEqual(Array.from({ length: left }, (_, index) => index + 1));
    },
  );
});

describe('a call that others delay', () => {
  it('by retries is refused at its maxWait', async () => {
    const replies = [refuse(503, 'x', { 'retry-after': '1' }), refuse(503, 'x', { 'retry-after': '1' })];
    const { make, sent, elapsed } = shareKey(replies);
    const { get } = make({ perMinute: 1, maxWait: 90 * SECOND }, { maxRetries: 2 });
    get(1);
    const refused = caught(get(2), RateLimitError).then(() => elapsed());
    await tick(5 * MINUTE);
    expect(await refused).toBe(90 * SECOND);
    expect(sent.map(([id]) => id)).toEqual([1, 1, 1]);
  });

  it('by slow responses goes up to a second later than its maxWait, or is refused', { tags: 'long' }, async () => {
    const latency = async (ms: number) => {
      const { make, sent, elapsed } = shareKey(async (seen, index) => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return json(ARTICLE)(seen, index);
      });
      // The last sixty are predicted to wait as long as they may.
      const ended = make({ perMinute: 60, maxWait: 2 * MINUTE })
        .getMany(180, 1)
        .map((call) => call.catch((error: RateLimitError) => [error.code, elapsed()]));
      await tick(3 * MINUTE);
      const refused = (await Promise.all(ended)).filter(Array.isArray);
      return { sent, refused };
    };
    const quick = await latency(500);
    expect(quick.refused).toEqual([]);
    expect(quick.sent.at(-1)).toEqual([180, 2 * MINUTE + SECOND]);
    const slow = await latency(501);
    expect(slow.refused).toEqual(Array(60).fill(['rate_limit', 2 * MINUTE]));
    expect(slow.sent.at(-1)).toEqual([120, MINUTE + 501]);
  });

  it('by a 429 is refused at its maxWait, and those behind it go as soon as they can', async () => {
    const replies = [json(ARTICLE), refuse(429, 'x', { 'retry-after': '59' })];
    const { make, log, elapsed } = shareKey(replies);
    const { get } = make({ perMinute: 2 });
    get(1);
    await tick(30 * SECOND);
    get(2);
    const refused = caught(make({ perMinute: 2, maxWait: 40 * SECOND }).get(3), RateLimitError).then(() => elapsed());
    get(4);
    await tick(5 * MINUTE);
    expect(await refused).toBe(70 * SECOND);
    expect(log()).toBe('1@0 2@30 2@89 4@90');
  });
});

interface Arrival {
  client: number;
  at: number;
  isRetry: boolean;
}

const anyLimits = fc.record({
  perMinute: fc.integer({ min: 1, max: 6 }),
  perDay: fc.integer({ min: 8, max: 40 }),
  maxWait: fc.constantFrom(0, 30 * SECOND, MINUTE, 5 * MINUTE, DAY),
  reserve: fc.constantFrom(0, 0, 0, 1, 3),
});
type AnyLimits = Limits & { maxWait: number };
const anyArrivals = (isRetry: fc.Arbitrary<boolean>) =>
  fc.array(fc.record({ client: fc.nat(2), at: fc.integer({ min: 0, max: 300 }), isRetry }), {
    minLength: 1,
    maxLength: 40,
  });
const aFewRetries = fc.constantFrom(false, false, false, false, true);

describe('whatever the mix', { tags: 'long' }, () => {
  /** What happened to each call, when responses come at once. Seconds are whole, so that many things happen together. */
  async function run(clients: AnyLimits[], arrivals: Arrival[]) {
    const started = performance.now();
    const account = new Account('a key');
    // A client lives until the end of the test.
    const limitsOf = clients.map((limits) => () => limits);
    const departed: object[] = [];
    const log = arrivals.map((arrival, index) => {
      const limits = clients[arrival.client] as AnyLimits;
      const rank = rankOf({ retry: arrival.isRetry, reserve: limits.reserve });
      const at = arrival.at * SECOND;
      return { limits, isRetry: arrival.isRetry, rank, index, at, wait: 0, sent: Infinity, refused: Infinity };
    });
    for (const [index, one] of log.entries()) {
      const acquire = async () => {
        const options: AcquireOptions = {
          limits: limitsOf[(arrivals[index] as Arrival).client] as () => Limits,
          maxWait: one.limits.maxWait,
          signal: new AbortController().signal,
          retry: one.isRetry,
          pause: 0,
          timeout: DAY,
          onWait: (ms) => {
            one.wait = ms;
          },
          refuse: () => new Error('full'),
        };
        try {
          const release = await account.acquire(options);
          one.sent = performance.now() - started;
          departed.push(one);
          release();
        } catch {
          one.refused = performance.now() - started;
        }
      };
      setTimeout(acquire, one.at);
    }
    await tick(3 * DAY);
    const turned = log.map((one) => ({ ...one, turn: departed.indexOf(one) }));
    return turned.sort((a, b) => a.at - b.at || a.index - b.index);
  }

  it('each call keeps the limits of the key, its place in the queue and its maxWait', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyLimits, { minLength: 3, maxLength: 3 }),
        anyArrivals(aFewRetries),
        async (clients, arrivals) => {
          const log = await run(clients, arrivals);
          const left = log.filter(({ sent }) => sent < Infinity).sort((a, b) => a.turn - b.turn);
          for (const [place, one] of left.entries()) {
            // A client that calls in the same moment may come later.
            const known = log
              .filter(({ at, index }) => at < one.sent || index === one.index)
              .map(({ limits }) => limits);
            const lowest = (name: 'perMinute' | 'perDay') => Math.min(...known.map((limits) => limits[name]));
            const [perMinute, perDay] = [lowest('perMinute'), lowest('perDay')];
            const reserve = one.limits.reserve && Math.max(...known.map((limits) => limits.reserve));
            const before = left.slice(0, place).map(({ sent }) => sent);
            const most = Math.max(1, perMinute - reserve);
            expect(one.sent).toBeGreaterThanOrEqual(Math.max(0, ...before));
            expect(before.filter((sent) => sent > one.sent - MINUTE).length).toBeLessThan(most);
            expect(before.filter((sent) => sent > one.sent - DAY).length).toBeLessThan(perDay);
            if (one.sent > one.at) expect(one.wait).toBeGreaterThan(0);
          }
          for (const [place, one] of log.entries()) {
            const end = Math.min(one.sent, one.refused);
            expect(end - one.at).toBeLessThanOrEqual(one.limits.maxWait + SECOND);
            if (one.wait === 0) expect(end).toBe(one.at);
            if (one.sent === Infinity) continue;
            // Nobody leaves before a call that already waits and goes first: an earlier one of its rank, or a lower rank.
            for (const [otherPlace, other] of log.entries()) {
              const goesFirst = other.rank < one.rank || (other.rank === one.rank && otherPlace < place);
              if (goesFirst && other.at < one.sent && other.sent < Infinity) {
                expect(other.sent).toBeLessThanOrEqual(one.sent);
              }
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('equal limits: the wait that is predicted is the wait', async () => {
    await fc.assert(
      fc.asyncProperty(anyLimits, anyArrivals(fc.constant(false)), async (limits, arrivals) => {
        for (const { at, sent, refused, wait } of await run([limits, limits, limits], arrivals)) {
          if (refused < Infinity) expect(refused).toBe(at);
          else expect(sent - at).toBe(wait);
        }
      }),
      { numRuns: 200 },
    );
  });
});
