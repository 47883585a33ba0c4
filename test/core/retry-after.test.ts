import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/core/retry-after.js';

const NOW = Date.UTC(2026, 10, 14, 9, 30, 0);

describe('Retry-After in seconds', () => {
  it.each([
    ['0', 0],
    ['1', 1000],
    ['2', 2000],
    ['60', 60_000],
    ['86400', 86_400_000],
    ['007', 7000],
    [' 5 ', 5000],
  ])('"%s" is %i ms', (value, expected) => {
    expect(parseRetryAfter(value, NOW)).toBe(expected);
  });
});

describe('Retry-After as a date', () => {
  it.each([
    ['IMF-fixdate', 'Sat, 14 Nov 2026 09:30:30 GMT'],
    ['RFC 850', 'Saturday, 14-Nov-26 09:30:30 GMT'],
    ['asctime', 'Sat Nov 14 09:30:30 2026'],
  ])('%s', (_, value) => {
    expect(parseRetryAfter(value, NOW)).toBe(30_000);
  });

  it('asctime with a day of one digit', () => {
    expect(parseRetryAfter('Sun Nov  1 09:30:30 2026', Date.UTC(2026, 10, 1, 9, 30))).toBe(30_000);
  });

  it.each(['Sat, 14 Nov 2026 09:29:00 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'past (%s) is 0, never negative',
    (value) => {
      expect(parseRetryAfter(value, NOW)).toBe(0);
    },
  );

  it('reads dates the same whatever the time zone of the machine', () => {
    const zone = process.env.TZ;
    try {
      for (const TZ of ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Tokyo']) {
        process.env.TZ = TZ;
        expect(parseRetryAfter('Sat Nov 14 09:30:30 2026', NOW), TZ).toBe(30_000);
        expect(parseRetryAfter('Sat, 14 Nov 2026 09:30:30 GMT', NOW), TZ).toBe(30_000);
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it('takes the clock of the machine when no time is given', () => {
    const soon = new Date(Date.now() + 20_000).toUTCString();
    const ms = parseRetryAfter(soon) ?? -1;
    expect(ms).toBeGreaterThan(15_000);
    expect(ms).toBeLessThanOrEqual(20_000);
  });
});

describe('what is no Retry-After', () => {
  it.each([
    null,
    '',
    '   ',
    'abc',
    '-5',
    '+5',
    '0x10',
    '1e3',
    '1.5.2',
    '5s',
    '5 6',
    'Infinity',
    'NaN',
    'tomorrow',
    '2026-11-14T09:30:30Z',
    'Sat, 32 Nov 2026 99:99:99 GMT',
  ])('%j', (value) => {
    expect(parseRetryAfter(value, NOW)).toBeUndefined();
  });

  it('gives undefined or a number from 0 on, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const ms = parseRetryAfter(value, NOW);
        return ms === undefined || ms >= 0;
      }),
    );
  });
});
