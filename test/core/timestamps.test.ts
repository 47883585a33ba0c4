import { describe, expect, it } from 'vitest';
import { isLater, parseTimestamp, sortKey } from '../../src/core/timestamps.js';
import { isAfter, isAfterThat } from '../../src/sync/walk.js';

describe('parseTimestamp', () => {
  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T09:30', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21 09:30:15', '2026-11-21T09:30:15.000Z'],
    [' 2026-11-21t09:30:15z ', '2026-11-21T09:30:15.000Z'],
    ['2026-11-21T09:30:15.5', '2026-11-21T09:30:15.500Z'],
    ['2026-11-21T09:30:15.123456Z', '2026-11-21T09:30:15.123Z'],
    ['2026-11-21T09:30+01:30', '2026-11-21T08:00:00.000Z'],
    ['2026-11-21T09:30+0130', '2026-11-21T08:00:00.000Z'],
    ['2026-11-21T09:30-01', '2026-11-21T10:30:00.000Z'],
  ])('reads %j', (value, expected) => {
    expect(parseTimestamp(value)?.toISOString()).toBe(expected);
  });

  it.each([
    ...[null, undefined, '', 'tomorrow', '2026-11', '2026-13-01', '20260-11-21', 'x2026-11-21', '2026-11-21x'],
    ...['2026-11-21Z', '2026-11-21T', '2026-11-21T9:30', '2026-11-21T09:30:', '2026-11-21T09:30:15.'],
    ...['2026-11-21T09:30:15+1', '2026-11-21T09:30:15+01:', '2026-11-21T09:30:15+01:3', '2026-11-21T09:30:15 Z'],
    // A response that was not checked may hold anything.
    ...[1_764_000_000, {}],
  ])('refuses %j', (value) => {
    expect(parseTimestamp(value as string)).toBeNull();
  });
});

describe('the order of timestamps', () => {
  it.each([
    ['2026-01-01T00:00:00.000001Z', '2026-01-01T00:00:00.000002Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000000001Z'],
    ['2026-01-01T00:00:00.09Z', '2026-01-01T00:00:00.1Z'],
    ['2026-01-01T00:00:00+01:00', '2026-01-01T00:00:00Z'],
    ['2026-01-01', '2026-01-01T00:00:01'],
  ])('%s is before %s', (early, late) => {
    expect([isLater(early, late), isLater(late, early)]).toEqual([false, true]);
    expect([isAfter(early, late), isAfter(late, early)]).toEqual([false, true]);
  });

  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000+00:00'],
    ['2026-01-01T00:00:00.10', '2026-01-01T01:00:00.1+01:00'],
  ])('%s is the same moment as %s', (one, other) => {
    expect(sortKey(one)).toBe(sortKey(other));
    expect([isLater(one, other), isAfter(one, other), isAfter(other, one)]).toEqual([false, false, false]);
  });

  it.each([
    ['tomorrow', '2026-01-01'],
    ['2026-01-01', 'tomorrow'],
    ['tomorrow', 'yesterday'],
  ])('%s counts as later than %s, since one cannot be read', (one, other) => {
    expect(isLater(one, other)).toBeUndefined();
    expect(isAfterThat(other)(one)).toBe(true);
  });

  it('a text that cannot be read is not later than itself', () => {
    expect(isAfter('tomorrow', 'tomorrow')).toBe(false);
    expect(sortKey('tomorrow')).toBeUndefined();
  });
});
