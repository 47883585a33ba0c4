import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseRetryAfter } from '../../src/core/retry.js';
import { ApiError } from '../../src/index.js';
import { caught, makeClient } from '../support/clients.js';
import { refuse, stubFetch } from '../support/stub-fetch.js';

const NOW = Date.UTC(2026, 10, 14, 9, 30, 0);

beforeAll(() => void vi.useFakeTimers({ now: NOW }));
afterAll(() => void vi.useRealTimers());

describe('Retry-After in seconds', () => {
  it.each([
    ['0', 0],
    ['1', 1000],
    ['2', 2000],
    ['60', 60_000],
    ['86400', 86_400_000],
    ['007', 7000],
    [' 5 ', 5000],
    ['1.25', 1250],
  ])('"%s" is %i ms', (value, expected) => {
    expect(parseRetryAfter(value)).toBe(expected);
  });
});

describe('Retry-After as a date', () => {
  it.each([
    ['IMF-fixdate', 'Sat, 14 Nov 2026 09:30:30 GMT'],
    ['RFC 850', 'Saturday, 14-Nov-26 09:30:30 GMT'],
    ['asctime', 'Sat Nov 14 09:30:30 2026'],
  ])('%s', (_, value) => {
    expect(parseRetryAfter(value)).toBe(30_000);
  });

  it('asctime with a day of one digit', () => {
    vi.setSystemTime('2026-11-01T09:30:00Z');
    expect(parseRetryAfter('Sun Nov  1 09:30:30 2026')).toBe(30_000);
    vi.setSystemTime(NOW);
  });

  it.each(['Sat, 14 Nov 2026 09:29:00 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'in the past (%s) is 0, never negative',
    (value) => {
      expect(parseRetryAfter(value)).toBe(0);
    },
  );

  it('the time zone of the machine does not matter', () => {
    const zone = process.env.TZ;
    try {
      for (const TZ of ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Tokyo']) {
        process.env.TZ = TZ;
        expect(parseRetryAfter('Sat Nov 14 09:30:30 2026'), TZ).toBe(30_000);
        expect(parseRetryAfter('Sat, 14 Nov 2026 09:30:30 GMT'), TZ).toBe(30_000);
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });
});

describe('Retry-After as a date, with the Date of the same response', () => {
  it.each([
    ['ahead by three hours', 'Sat, 14 Nov 2026 12:30:00 GMT', 'Sat, 14 Nov 2026 12:30:30 GMT'],
    ['behind by a day', 'Fri, 13 Nov 2026 09:30:00 GMT', 'Fri, 13 Nov 2026 09:30:30 GMT'],
    ['behind, in other forms', 'Friday, 13-Nov-26 09:30:00 GMT', 'Fri Nov 13 09:30:30 2026'],
  ])('is relative to the clock of the service: %s', (_, date, value) => {
    expect(parseRetryAfter(value, date)).toBe(30_000);
  });

  it('is 0 if the service’s clock is later, whatever the client’s clock', () => {
    expect(parseRetryAfter('Sat, 14 Nov 2026 10:00:00 GMT', 'Sat, 14 Nov 2026 11:00:00 GMT')).toBe(0);
  });

  it.each([null, '', 'yesterday', '2026-11-14T12:30:00Z', '0'])(
    'is relative to the clock of the client if it is %j',
    (date) => {
      expect(parseRetryAfter('Sat, 14 Nov 2026 09:30:30 GMT', date)).toBe(30_000);
    },
  );

  it('does not change seconds', () => {
    expect(parseRetryAfter('30', 'Sat, 14 Nov 2026 12:30:00 GMT')).toBe(30_000);
  });

  it('reaches the error', async () => {
    const headers = { date: 'Sat, 14 Nov 2026 12:30:00 GMT', 'retry-after': 'Sat, 14 Nov 2026 12:32:00 GMT' };
    const error = await caught(makeClient({ fetch: stubFetch(refuse(503, 'non', headers)) }).articles.get(1), ApiError);
    expect(error).toMatchObject({ retryAfter: 120_000, attempts: 1 });
  });
});

describe('an invalid Retry-After', () => {
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
    '1.',
    'x1',
    '14 Nov 2026 09:30:30 GMT',
    'Sat, 14 Nov 2026 09:30 GMT',
    'Sat, 14 Nov 2026 09:30:30 GMT+1',
    'Sat Nov 14 09:30:30 26',
    '5s',
    '5 6',
    'Infinity',
    'NaN',
    'tomorrow',
    '2026-11-14T09:30:30Z',
    'Sat, 32 Nov 2026 99:99:99 GMT',
  ])('%j', (value) => {
    expect(parseRetryAfter(value)).toBeUndefined();
  });

  it('any text is undefined or a number of 0 or more', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const ms = parseRetryAfter(value);
        return ms === undefined || ms >= 0;
      }),
    );
  });
});
