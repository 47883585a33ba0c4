import { describe, expect, it } from 'vitest';
import { SlidingWindow } from '../../src/core/sliding-window.js';

function windowOf(...times: number[]): SlidingWindow {
  const window = new SlidingWindow(100);
  for (const time of times) window.add(time);
  return window;
}

describe('a sliding window', () => {
  it('forgets an event once its length has passed', () => {
    const window = windowOf(0, 10, 10);
    expect([window.size(99), window.size(100), window.size(110)]).toEqual([3, 2, 0]);
  });

  it.each([
    ['room for one more', 4, 50],
    ['the oldest event has to leave', 3, 100],
    ['two events have to leave', 2, 110],
    ['every event has to leave', 1, 120],
    ['no event may be in the window', 0, Number.POSITIVE_INFINITY],
    ['no limit', Number.POSITIVE_INFINITY, 50],
    ['a limit between two integers', 2.5, 100],
    ['a limit below one', 0.5, 120],
  ])('opens with %s', (_, max, time) => {
    expect(windowOf(0, 10, 20).opensAt(max, 50)).toBe(time);
  });

  it('stays right over many times its length', () => {
    const window = new SlidingWindow(100);
    for (let time = 0; time < 10_000; time++) {
      expect(window.size(time)).toBe(Math.min(time, 99));
      expect(window.opensAt(50, time)).toBe(time < 50 ? time : time + 50);
      window.add(time);
    }
  });
});
