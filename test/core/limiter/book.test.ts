import fc from 'fast-check';
import { RateLimitBook, type RateWindow, type TakeRequest } from 'multilocal/limiter';
import { describe, expect, it } from 'vitest';
import { createRegistry, limiterOf } from '../../../src/core/limiter/local.js';
import { Sorted } from '../../../src/core/limiter/sorted.js';
import { freshUrl } from '../../support/clients.js';

it.each([2, 300, 1_000, 1_001])(
  'lets no call go before a window of %d ms has room, while responses are slow',
  (length) => {
    const book = new RateLimitBook();
    const windows: RateWindow[] = [[length, 2]];
    const take = (now: number, id: string) => book.take(now, { id, windows, maxWait: 60_000, timeout: 60_000 }).state;
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(ids.map((id) => take(0, id))).toEqual(['go', 'go', 'wait', 'wait', 'wait', 'wait']);
    const later = ids.slice(2);
    // The requests of `a` and `b` have no response yet.
    expect(later.map((id) => take(length, id))).toEqual(['wait', 'wait', 'wait', 'wait']);
    book.settle(length, 'a', 'done');
    book.settle(length, 'b', 'done');
    expect(later.map((id) => take(2 * length, id))).toEqual(['go', 'go', 'wait', 'wait']);
  },
);

describe('the queue', () => {
  const SECOND = 1_000;
  const MINUTE = 60_000;

  /** A book, and how a call with so many requests a minute asks it. */
  function setUp() {
    const book = new RateLimitBook();
    const take = (now: number, id: string, perMinute: number, more: Partial<TakeRequest> = {}) =>
      book.take(now, { id, windows: [[MINUTE, perMinute]], maxWait: 10 * MINUTE, timeout: 10 * MINUTE, ...more });
    const send = (now: number, id: string, perMinute: number) => {
      expect(take(now, id, perMinute)).toEqual({ state: 'go', ms: 0 });
      book.settle(now, id, 'done');
    };
    return { book, take, send };
  }

  it('does not count calls that have left', () => {
    const { book, take, send } = setUp();
    send(0, 'a', 1);
    const waits = ['b', 'c', 'd', 'e'].map((id) => take(0, id, 1).ms);
    expect(waits).toEqual([MINUTE, 2 * MINUTE, 3 * MINUTE, 4 * MINUTE]);
    for (const id of ['b', 'd']) book.settle(SECOND, id, 'unsent');
    const late = { maxWait: 3 * MINUTE - SECOND };
    expect(take(SECOND, 'f', 1, late)).toEqual({ state: 'wait', ms: 3 * MINUTE - SECOND });
    expect(take(SECOND, 'g', 1, late)).toEqual({ state: 'refused', ms: 4 * MINUTE - SECOND });
    // `c` was told two minutes. It does not come back, and loses its place.
    expect(take(2 * MINUTE + 5 * SECOND, 'e', 1)).toEqual({ state: 'go', ms: 0 });
  });

  it('predicts anew from responses that came late', () => {
    const { book, take } = setUp();
    take(0, 'a', 1);
    for (const id of ['b', 'c']) take(0, id, 1);
    book.settle(30 * SECOND, 'a', 'done');
    expect(take(30 * SECOND, 'd', 1)).toEqual({ state: 'wait', ms: 3 * MINUTE });
  });

  it('lets no call with higher limits take the place of a call ahead that asks at the same moment', () => {
    const { take, send } = setUp();
    send(0, 'a', 2);
    send(0, 'b', 2);
    expect(take(0, 'low', 1)).toEqual({ state: 'wait', ms: MINUTE });
    expect(take(0, 'high', 5)).toEqual({ state: 'wait', ms: MINUTE });
    expect(take(MINUTE, 'high', 5)).toEqual({ state: 'wait', ms: SECOND });
    send(MINUTE, 'low', 1);
    expect(take(MINUTE + SECOND, 'high', 5)).toEqual({ state: 'go', ms: 0 });
  });

  it('lets nobody leave before a call that has its place already', () => {
    const { book, take } = setUp();
    take(0, 'a', 2);
    take(0, 'b', 2);
    take(0, 'c', 2);
    book.settle(0, 'a', 'done');
    book.settle(800, 'b', 'done');
    book.settle(800, 'c', 'unsent');
    // One place is free at 60 s, and the other one 800 ms later.
    expect(take(MINUTE - 1, 'd', 1)).toEqual({ state: 'wait', ms: 801 });
    expect(take(MINUTE, 'd', 1)).toEqual({ state: 'go', ms: 800 });
    expect(take(MINUTE, 'e', 5, { maxWait: 0 })).toEqual({ state: 'refused', ms: 800 });
    expect(take(MINUTE, 'retry', 5, { retry: true })).toEqual({ state: 'wait', ms: 800 });
  });

  it('gives a background call its place only when it goes', () => {
    const { book, take } = setUp();
    const background = { background: true };
    take(0, 'a', 1);
    expect(take(0, 'job', 1, background)).toEqual({ state: 'wait', ms: MINUTE });
    book.settle(300, 'a', 'done');
    expect(take(MINUTE, 'job', 1, background)).toEqual({ state: 'wait', ms: 300 });
    expect(take(MINUTE, 'people', 2)).toEqual({ state: 'go', ms: 0 });
  });

  it('outlives the book in its state', () => {
    const { book, take, send } = setUp();
    send(0, 'a', 1);
    for (const id of ['b', 'c']) take(0, id, 1);
    const copy = new RateLimitBook(JSON.parse(JSON.stringify(book.state)));
    const request = { id: 'd', windows: [[MINUTE, 1]] as RateWindow[], maxWait: 10 * MINUTE, timeout: MINUTE };
    expect(copy.take(SECOND, request)).toEqual(book.take(SECOND, request));
    expect(copy.state).toEqual(book.state);
  });
});

describe('sorted numbers', () => {
  it.each([
    ['the last', 1, 20],
    ['the first', 3, 0],
    ['one before the first', 4, Number.NEGATIVE_INFINITY],
    ['one at infinity', Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ])('tell %s from the end', (_, place, value) => {
    expect(new Sorted([0, 10, 20]).fromEnd(place)).toBe(value);
  });

  it.each([
    [-1, 0],
    [0, 1],
    [10, 3],
    [19, 3],
    [99, 4],
  ])('count those up to %i', (value, count) => {
    expect(new Sorted([0, 10, 10, 20]).countUpTo(value)).toBe(count);
  });

  it('behave like an array that is sorted after each step', () => {
    const value = fc.integer({ min: 0, max: 30 });
    const step = fc.record({ do: fc.constantFrom('add', 'remove', 'removeUpTo'), value });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), value, fc.integer({ min: 1, max: 90 }), (steps, limit, place) => {
        const sorted = new Sorted();
        let model: number[] = [];
        for (const { do: what, value } of steps) {
          if (what === 'add') {
            sorted.add(value);
            model = [...model, value].sort((a, b) => a - b);
          } else if (what === 'removeUpTo') {
            sorted.removeUpTo(value);
            model = model.filter((other) => other > value);
          } else if (model.includes(value)) {
            sorted.remove(value);
            model.splice(model.indexOf(value), 1);
          }
          expect(sorted.toArray()).toEqual(model);
          expect(sorted.size).toBe(model.length);
        }
        expect(sorted.countUpTo(limit)).toBe(model.filter((other) => other <= limit).length);
        expect(sorted.fromEnd(place)).toBe(model.at(-place) ?? Number.NEGATIVE_INFINITY);
      }),
    );
  });
});

describe('the registry of limiters', () => {
  const OPTIONS = {
    limits: () => ({ perMinute: 60, perDay: 1000, maxWait: 0 }),
    signal: new AbortController().signal,
    isRetry: false,
    holdBack: 0,
    timeout: 1000,
    onWait: () => {},
    refuse: () => new Error('full'),
  };

  const createMany = (count: number, url = freshUrl()) => {
    for (let key = 0; key < count; key++) limiterOf(url, `key ${key}`);
  };

  it('the limiter of a key at an address is shared, and is forgotten for new ones once it is idle', async () => {
    const [url, other] = [freshUrl(), freshUrl()];
    const idle = limiterOf(url, 'idle');
    const busy = limiterOf(url, 'busy');
    await busy.acquire(OPTIONS);
    expect(limiterOf(url, 'busy')).toBe(busy);
    expect(limiterOf(other, 'busy')).not.toBe(busy);
    createMany(100);
    expect(limiterOf(url, 'busy')).toBe(busy);
    expect(limiterOf(url, 'idle')).not.toBe(idle);
  });

  it('a limiter that is idle stays as long as no new one comes', async () => {
    const url = freshUrl();
    const busy = limiterOf(url);
    await busy.acquire(OPTIONS);
    const idle = limiterOf(url, 'idle');
    for (let call = 0; call < 200; call++) expect(limiterOf(url, '')).toBe(busy);
    expect(limiterOf(url, 'idle')).toBe(idle);
    expect([busy.isIdle(), idle.isIdle()]).toEqual([false, true]);
  });

  it('thousands of new keys cost little, and idle limiters are forgotten', () => {
    const registry = createRegistry<{ isIdle(): boolean }>();
    let looks = 0;
    const create = (isIdle: boolean) => ({ isIdle: () => ++looks > 0 && isIdle });
    const busy = Array.from({ length: 1000 }, (_, key) => registry(`busy ${key}`, () => create(false)));
    // A look at all of them for each new one would make 499 500.
    expect(looks).toBeLessThan(10_000);
    expect(registry('busy 0', () => create(false))).toBe(busy[0]);

    const idle = registry('idle', () => create(true));
    for (let key = 0; key < 99; key++) registry(`later ${key}`, () => create(false));
    expect(registry('idle', () => create(true))).not.toBe(idle);
    expect(registry('busy 999', () => create(false))).toBe(busy[999]);
  });
});
