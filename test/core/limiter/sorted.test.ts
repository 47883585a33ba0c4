import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sorted } from '../../../src/core/limiter/sorted.js';

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
