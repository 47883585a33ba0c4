import fc from 'fast-check';
import { RateLimitBook, type RateWindow } from 'multilocal/limiter';
import { describe, expect, it } from 'vitest';
import { accountOf } from '../../../src/core/limiter/queue.js';
import { freshUrl } from '../../support/clients.js';
import { describeStore } from '../../support/store-contract.js';

const SECOND = 1_000;
const MINUTE = 60_000;

describeStore('the book', () => {
  let now = 0;
  const books = new Map<string, RateLimitBook>();
  // A book outlives each change in its state.
  const change = <T>(key: string, use: (book: RateLimitBook) => T): T => {
    const book = new RateLimitBook(JSON.parse(JSON.stringify(books.get(key)?.state ?? {})));
    books.set(key, book);
    return use(book);
  };
  return {
    store: {
      take: (key, request) => change(key, (book) => book.take(now, request)),
      settle: (key, id, result) => change(key, (book) => book.settle(now, id, result)),
      hold: (key, ms) => change(key, (book) => book.hold(now, ms)),
      count: (key, lengths) => change(key, (book) => book.count(now, lengths)),
    },
    pass: (ms) => {
      now += ms;
    },
  };
});

describe('the book', () => {
  const windows: RateWindow[] = [[MINUTE, 1]];

  it('gives a state that later changes leave alone', () => {
    const book = new RateLimitBook();
    for (const id of ['a', 'b']) book.take(0, { id, windows, maxWait: MINUTE, timeout: MINUTE });
    const { state } = book;
    const before = structuredClone(state);
    book.settle(SECOND, 'a', 'done');
    book.settle(SECOND, 'b', 'unsent');
    expect(state).toEqual(before);
    const copy = new RateLimitBook(state);
    copy.settle(SECOND, 'a', 'done');
    expect(state).toEqual(before);
  });

  const anyCall = fc.record({
    at: fc.nat(5 * MINUTE),
    /** Ms after which the call asks again, because the answer was lost. */
    lost: fc.array(fc.nat(1_500), { maxLength: 3 }),
    latency: fc.nat(3 * SECOND),
    /** How far the clock is set back then. */
    back: fc.constantFrom(0, 0, 0, 0, SECOND, 90 * SECOND, 60 * MINUTE),
  });

  it('exceeds no window, whatever answers are lost and however the clock is set back', { tags: 'long' }, () => {
    const limits: RateWindow[] = [
      [MINUTE, 3],
      [5 * MINUTE, 8],
    ];
    fc.assert(
      fc.property(fc.array(anyCall, { minLength: 12, maxLength: 30 }), (calls) => {
        const book = new RateLimitBook();
        const sent: [departure: number, response: number][] = [];
        const events: [at: number, happens: (at: number) => void][] = [];
        let behind = 0;
        for (const [index, { at, lost, latency, back }] of calls.entries()) {
          const id = `${index}`;
          const delays = [...lost];
          const ask = (now: number) => {
            const request = { id, windows: limits, maxWait: 60 * MINUTE, timeout: MINUTE };
            const { state, ms } = book.take(60 * 60 * MINUTE + now - behind, request);
            const delay = delays.pop();
            if (delay !== undefined) events.push([now + delay, ask]);
            else events.push([now + ms, state === 'wait' ? ask : send]);
          };
          const send = (now: number) => {
            sent.push([now, now + latency]);
            events.push([now + latency, (then) => book.settle(60 * 60 * MINUTE + then - behind, id, 'done')]);
          };
          events.push([at, ask]);
          const setBack = () => {
            behind += back;
          };
          events.push([at, setBack]);
        }
        while (events.length > 0) {
          events.sort(([one], [other]) => one - other);
          const [at, happens] = events.shift() as (typeof events)[number];
          happens(at);
        }
        expect(sent).toHaveLength(calls.length);
        for (const [length, max] of limits) {
          for (const [place, [departure]] of sent.entries()) {
            const counted = sent.slice(0, place).filter(([, response]) => response > departure - length);
            expect(counted.length).toBeLessThan(max);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('takes little time for a call behind ten thousand others', () => {
    const limits: RateWindow[] = [...windows, [86_400_000, 1_000]];
    const last = { id: 'last', windows: limits, maxWait: Number.MAX_SAFE_INTEGER, timeout: 0 };
    const queue = Array.from({ length: 10_000 }, (_, order) => ({
      id: `${order}`,
      order,
      deadline: 1e15,
      askAt: 1e15,
    }));
    const long = new RateLimitBook({ ...new RateLimitBook().state, queue, arrivals: 10_000 });
    // Each thousand takes a day.
    expect(long.take(0, last)).toMatchObject({ state: 'wait' });
    expect(long.take(0, last).ms).toBeGreaterThan(9 * 86_400_000);
  });
});

describe('the registry of accounts', () => {
  const limits = () => ({ perMinute: 60, perDay: 1000, reserve: 0 });
  const acquire = (account: ReturnType<typeof accountOf>) =>
    account.acquire({
      limits,
      maxWait: 0,
      signal: new AbortController().signal,
      pause: 0,
      timeout: 1000,
      onWait: () => {},
      refuse: () => new Error('full'),
    });
  const createMany = (count: number, url = freshUrl()) => {
    for (let key = 0; key < count; key++) accountOf(url, `key ${key}`);
  };

  it('shares the account of a key at an address, and forgets it for new ones once it is idle', async () => {
    const [url, other] = [freshUrl(), freshUrl()];
    const idle = accountOf(url, 'idle');
    const busy = accountOf(url, 'busy');
    await acquire(busy);
    expect(accountOf(url, 'busy')).toBe(busy);
    expect(accountOf(other, 'busy')).not.toBe(busy);
    createMany(100);
    expect(accountOf(url, 'busy')).toBe(busy);
    expect(accountOf(url, 'idle')).not.toBe(idle);
  });

  it('looks seldom at the accounts that are there', async () => {
    const url = freshUrl();
    let looks = 0;
    for (let key = 0; key < 1000; key++) {
      accountOf(url, `busy ${key}`).isIdle = () => {
        looks++;
        return false;
      };
    }
    // A look at all of them for each new one would make 499 500.
    expect(looks).toBeLessThan(10_000);
    const idle = accountOf(url, 'idle');
    const last = accountOf(url, 'busy 999');
    createMany(100);
    expect(accountOf(url, 'idle')).not.toBe(idle);
    expect(accountOf(url, 'busy 999')).toBe(last);
  });
});
