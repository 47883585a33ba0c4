import { describe, expect, it } from 'vitest';
import { RateLimitBook, type RateWindow, type TakeRequest } from '../../../src/index.js';

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
