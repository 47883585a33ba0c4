import { expect, it } from 'vitest';
import { RateLimitBook, type RateWindow } from '../../src/index.js';

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
