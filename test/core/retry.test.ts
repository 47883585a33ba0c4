import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseRetryAfter, retryDelay } from '../../src/core/retry.js';
import {
  ApiError,
  BadGatewayError,
  type Client,
  ConnectionError,
  InternalServerError,
  MultilocalError,
  QuotaExceededError,
  RateLimitError,
  type RequestOptions,
  ServiceUnavailableError,
} from '../../src/index.js';
import { caught, makeArticles, makeClient, rejection } from '../support/clients.js';
import { ARTICLE, CONFIRMATION, CREATION, LIST, PUBLICATION, UPDATE } from '../support/fixtures.js';
import { fail, json, type Reply, refuse, stubFetch } from '../support/stub-fetch.js';

/** The error of an answer to a write, as the client makes it. */
const status = (status: number, fields: { retryAfter?: number } = {}) =>
  new ApiError('refused', { status, outcome: status >= 500 || status === 408 ? 'unknown' : 'not_applied', ...fields });
const quota = (fields = {}) => new QuotaExceededError('no more', { status: 429, ...fields });

const repeatable = (error: MultilocalError) => retryDelay(error, 1, true);
const costly = (error: MultilocalError) => retryDelay(error, 1, false);

afterEach(() => void vi.restoreAllMocks());

describe('the policy', () => {
  const all = [400, 401, 403, 404, 408, 409, 410, 418, 422, 425, 429, 451, 500, 501, 502, 503, 504, 505, 507, 599];
  const transient = new Set([408, 429, 500, 502, 503, 504]);

  it.each(all)('reads, PUT, DELETE, confirm and dry runs: status %i', (code) => {
    const expected = transient.has(code) ? expect.any(Number) : undefined;
    expect(repeatable(status(code))).toEqual(expected);
  });

  it.each(all)('every other POST: status %i', (code) => {
    const expected = code === 429 ? expect.any(Number) : undefined;
    expect(costly(status(code))).toEqual(expected);
  });

  it.each([
    ['a request that never left', new ConnectionError('refused', { outcome: 'not_applied' }), true, true],
    ['a connection that broke after sending', new ConnectionError('cut', { outcome: 'unknown' }), true, false],
  ])('%s', (_, failure, forReads, forWrites) => {
    expect(repeatable(failure) === undefined).toBe(!forReads);
    expect(costly(failure) === undefined).toBe(!forWrites);
  });

  it.each([
    ['reads', repeatable],
    ['costly writes', costly],
  ])('a 429 of a monthly quota is never retried: %s', (_, policy) => {
    expect(policy(quota())).toBe(undefined);
    expect(policy(quota({ retryAfter: 1000 }))).toBe(undefined);
  });

  it.each([0, 1, 3])('maxRetries %i: one request more', async (maxRetries) => {
    const fetch = stubFetch(refuse(503, 'indisponible', { 'retry-after': '0' }));
    await rejection(makeArticles({ fetch, maxRetries }).get(42));
    expect(fetch.calls).toHaveLength(maxRetries + 1);
  });

  it.each([0, 1, 999, 1000, 59_999, 60_000])('a Retry-After of %i ms is obeyed exactly, whatever the jitter', (ms) => {
    for (const random of [0, 0.5, 0.999_999]) {
      vi.spyOn(Math, 'random').mockReturnValue(random);
      expect(repeatable(status(503, { retryAfter: ms }))).toBe(ms);
      expect(costly(status(429, { retryAfter: ms }))).toBe(ms);
    }
  });

  it.each([60_001, 61_000, 86_400_000, Number.POSITIVE_INFINITY])('a Retry-After of %d ms is not waited for', (ms) => {
    expect(repeatable(status(429, { retryAfter: ms }))).toBe(undefined);
    expect(costly(status(429, { retryAfter: ms }))).toBe(undefined);
  });
});

describe('backoff', () => {
  const delay = (attempt: number, random: number) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const decision = retryDelay(status(500), attempt, true);
    if (decision === undefined) throw new Error('stopped');
    return decision;
  };

  it.each([
    [1, 0, 500],
    [1, 0.5, 375],
    [1, 0.999_999, 250],
    [2, 0, 1000],
    [3, 0, 2000],
    [4, 0.5, 3000],
    [5, 0, 8000],
    [6, 0, 8000],
    [6, 0.5, 6000],
    [999, 0.999_999, 4000],
  ])('after attempt %i, with a random number of %f, is %i ms', (attempt, random, expected) => {
    expect(delay(attempt, random)).toBeCloseTo(expected, 1);
  });
});

/** The writes that exist, by how they may be repeated, with an answer that satisfies each. */
type Operation = [name: string, call: (client: Client, options?: RequestOptions) => PromiseLike<unknown>, ok: unknown];
const REPEATABLE: Operation[] = [
  ['articles.get', (client, options) => client.articles.get(42, options), ARTICLE],
  ['articles.list', (client, options) => client.articles.list({}, options), LIST],
  ['articles.update (PUT)', (client, options) => client.articles.update(42, { title: 'Neuf' }, options), UPDATE],
  ['articles.confirm', (client, options) => client.articles.confirm(42, {}, options), CONFIRMATION],
  ['request GET', (client, options) => client.request({ method: 'GET', path: '/new' }, options), {}],
  ['request PUT', (client, options) => client.request({ method: 'PUT', path: '/new' }, options), {}],
  ['request DELETE', (client, options) => client.request({ method: 'DELETE', path: '/new' }, options), {}],
];
const COSTLY: Operation[] = [
  [
    'articles.create',
    (client, options) => client.articles.create({ title: 'Neuf', target_keyword: 'mot' }, options),
    CREATION,
  ],
  ['articles.publish', (client, options) => client.articles.publish(42, {}, options), PUBLICATION],
  ['request POST', (client, options) => client.request({ method: 'POST', path: '/new' }, options), {}],
];

/** Run with timers that do not wait, and tell what came of it and how long it would have taken. */
async function timed(work: () => PromiseLike<unknown>): Promise<{ result: unknown; error: unknown; took: number }> {
  vi.useFakeTimers();
  try {
    const started = performance.now();
    let took = -1;
    const settled = Promise.resolve(work())
      .then(
        (result) => ({ result, error: undefined }),
        (error: unknown) => ({ result: undefined, error }),
      )
      .finally(() => {
        took = performance.now() - started;
      });
    for (let step = 0; step < 400 && took < 0; step++) await vi.advanceTimersByTimeAsync(step < 100 ? 10 : 1000);
    return { ...(await settled), took };
  } finally {
    vi.useRealTimers();
  }
}

describe.each(REPEATABLE)('%s', (_, call, ok) => {
  it.each([408, 429, 500, 502, 503, 504])('with response %i is retried and succeeds', async (code) => {
    const fetch = stubFetch(refuse(code), json(ok));
    const { error, result } = await timed(() => call(makeClient({ fetch })));
    expect(error).toBeUndefined();
    expect(result).toEqual(ok);
    expect(fetch.calls).toHaveLength(2);
  });

  it.each(['ECONNRESET', 'ECONNREFUSED', 'EPIPE'])('after %s is retried and succeeds', async (code) => {
    const fetch = stubFetch(fail(code), json(ok));
    const { error } = await timed(() => call(makeClient({ fetch })));
    expect(error).toBeUndefined();
    expect(fetch.calls).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 409, 410, 418, 422, 501])('with response %i is sent once', async (code) => {
    const fetch = stubFetch(refuse(code));
    const { error } = await timed(() => call(makeClient({ fetch })));
    expect(error).toMatchObject({ status: code, attempts: 1 });
    expect(fetch.calls).toHaveLength(1);
  });
});

describe.each(COSTLY)('%s', (_, call, ok) => {
  it.each([
    [408, MultilocalError],
    [500, InternalServerError],
    [502, BadGatewayError],
    [503, ServiceUnavailableError],
    [504, MultilocalError],
  ])('with response %i is sent once, and its outcome is unknown', async (code, kind) => {
    const fetch = stubFetch(refuse(code), json(ok));
    const { error } = await timed(() => call(makeClient({ fetch })));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(fetch.calls).toHaveLength(1);
  });

  it.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'])(
    'after %s is sent once, and its outcome is unknown',
    async (code) => {
      const fetch = stubFetch(fail(code), json(ok));
      const { error } = await timed(() => call(makeClient({ fetch })));
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
      expect(fetch.calls).toHaveLength(1);
    },
  );

  it('after a failure without a reason ("Failed to fetch") is sent once', async () => {
    const fetch = stubFetch(() => {
      throw new TypeError('Failed to fetch');
    }, json(ok));
    const { error } = await timed(() => call(makeClient({ fetch })));
    expect(error).toMatchObject({ code: 'connection', outcome: 'unknown' });
    expect(fetch.calls).toHaveLength(1);
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])('after %s, when nothing was sent, is retried', async (code) => {
    const fetch = stubFetch(fail(code), fail(code), json(ok));
    const { error, result } = await timed(() => call(makeClient({ fetch })));
    expect(error).toBeUndefined();
    expect(result).toEqual(ok);
    expect(fetch.calls).toHaveLength(3);
  });

  it('is retried if every address of the name refused the connection', async () => {
    const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const fetch = stubFetch(() => {
      const cause = Object.assign(new AggregateError([refused(), refused()]), { code: 'ECONNREFUSED' });
      throw new TypeError('fetch failed', { cause });
    }, json(ok));
    const { error } = await timed(() => call(makeClient({ fetch })));
    expect(error).toBeUndefined();
    expect(fetch.calls).toHaveLength(2);
  });

  it('is not retried if one address refused the connection and another one accepted and interrupted it', async () => {
    const failed = (code: string) => Object.assign(new Error(code), { code });
    const fetch = stubFetch(() => {
      throw new TypeError('fetch failed', {
        cause: new AggregateError([failed('ECONNREFUSED'), failed('ECONNRESET')]),
      });
    }, json(ok));
    const { error } = await timed(() => call(makeClient({ fetch })));
    expect(error).toMatchObject({ code: 'connection', outcome: 'unknown', attempts: 1 });
    expect(fetch.calls).toHaveLength(1);
  });

  it('has the outcome not_applied if no attempt was sent', async () => {
    const fetch = stubFetch(fail('ECONNREFUSED'));
    const { error } = await timed(() => call(makeClient({ fetch })));
    expect(error).toMatchObject({ code: 'connection', outcome: 'not_applied', attempts: 3 });
  });

  it('with response 429 and Retry-After 1 is retried after one second, not before', async () => {
    const fetch = stubFetch(refuse(429, 'Trop de requêtes', { 'retry-after': '1' }), json(ok));
    const { error, took } = await timed(() => call(makeClient({ fetch })));
    expect(error).toBeUndefined();
    expect(took).toBeGreaterThanOrEqual(1000);
    expect(took).toBeLessThan(1100);
    expect(fetch.calls).toHaveLength(2);
  });

  it('is not retried if an interrupted connection follows a refused one', async () => {
    const fetch = stubFetch(fail('ECONNREFUSED'), fail('ECONNRESET'), json(ok));
    const { error } = await timed(() => call(makeClient({ fetch })));
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 2 });
    expect(fetch.calls).toHaveLength(2);
  });
});

describe('the number of retries', () => {
  it('is two, and the error is the last one with the number of attempts', async () => {
    const fetch = stubFetch(refuse(500), refuse(502), refuse(503, 'dernier'));
    const { error } = await timed(() => makeClient({ fetch }).articles.get(42));
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ attempts: 3, detail: 'dernier' });
    expect(fetch.calls).toHaveLength(3);
  });

  it.each([
    ['the client says 0', { maxRetries: 0 }, {}, 1],
    ['the client says 4', { maxRetries: 4 }, {}, 5],
    ['the call says 0, the client 5', { maxRetries: 5 }, { maxRetries: 0 }, 1],
    ['the call says 3, the client 0', { maxRetries: 0 }, { maxRetries: 3 }, 4],
  ])('%s', async (_, clientOptions, options, expected) => {
    const fetch = stubFetch(refuse(503));
    const { error } = await timed(() => makeClient({ fetch, ...clientOptions }).articles.get(42, options));
    expect(error).toMatchObject({ attempts: expected });
    expect(fetch.calls).toHaveLength(expected);
  });

  it('is counted per call', async () => {
    const fetch = stubFetch(refuse(503), refuse(503), json(ARTICLE), refuse(503), refuse(503), json(ARTICLE));
    const client = makeClient({ fetch });
    for (let call = 0; call < 2; call++) {
      const { result } = await timed(() => client.articles.get(42));
      expect(result).toEqual(ARTICLE);
    }
    expect(fetch.calls).toHaveLength(6);
  });

  it('each retry sends the same bytes', async () => {
    const fetch = stubFetch(refuse(503), refuse(503), json(UPDATE));
    await timed(() => makeClient({ fetch }).articles.update(42, { title: 'Été 🥖', category: '' }));
    const [first, ...later] = fetch.calls.map(({ url, method, headers, body }) => ({
      url: url.href,
      method,
      headers,
      body,
    }));
    expect(first?.body).toBe('{"title":"Été 🥖","category":""}');
    for (const again of later) expect(again).toEqual(first);
  });

  it('is 0 after a 2xx of the wrong shape', async () => {
    const fetch = stubFetch(json({ nothing: true }));
    const { error } = await timed(() => makeClient({ fetch }).articles.get(42));
    expect(error).toMatchObject({ code: 'invalid_response', attempts: 1 });
  });

  it('no timer remains, so that the process can end', async () => {
    vi.useFakeTimers();
    try {
      const fetch = stubFetch(json(ARTICLE));
      await makeClient({ fetch, totalTimeout: 50_000 }).articles.get(42);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('Retry-After', () => {
  const answered = (value: string | undefined, code: number): Reply =>
    refuse(code, 'non', value === undefined ? {} : { 'retry-after': value });

  it.each([
    [429, '2', 2000],
    [503, '2', 2000],
    [500, '3', 3000],
    [502, '1', 1000],
    [429, '60', 60_000],
  ])('of a %i with "%s" is obeyed exactly', async (code, value, ms) => {
    const fetch = stubFetch(answered(value, code), json(ARTICLE));
    const { error, took } = await timed(() => makeClient({ fetch }).articles.get(42));
    expect(error).toBeUndefined();
    expect(took).toBeGreaterThanOrEqual(ms);
    // `timed` moves in steps: of 10 ms in the first second, of 1000 ms afterwards.
    expect(took).toBeLessThanOrEqual(ms + 1000);
  });

  it('of 0 is obeyed at once', async () => {
    const fetch = stubFetch(answered('0', 429), json(ARTICLE));
    const { error, took } = await timed(() => makeClient({ fetch }).articles.get(42));
    expect(error).toBeUndefined();
    expect(took).toBeLessThanOrEqual(20);
  });

  it.each([
    [429, '61', 61_000, RateLimitError],
    [429, '86400', 86_400_000, RateLimitError],
    [503, '120', 120_000, ServiceUnavailableError],
  ])('of a %i longer than a minute (%s) is the error at once, with retryAfter', async (code, value, ms, kind) => {
    const fetch = stubFetch(answered(value, code), json(ARTICLE));
    const error = await caught(makeClient({ fetch }).articles.get(42), kind);
    expect(error).toMatchObject({ retryAfter: ms, attempts: 1, origin: 'service' });
    expect(fetch.calls).toHaveLength(1);
  });

  it.each(['abc', '-5', '0x10', '1.5.2', ''])('of "%s" is ignored: the usual backoff applies', async (value) => {
    const fetch = stubFetch(answered(value, 503), json(ARTICLE));
    const { error, took } = await timed(() => makeClient({ fetch }).articles.get(42));
    expect(error).toBeUndefined();
    expect(took).toBeGreaterThan(0);
    expect(took).toBeLessThanOrEqual(1000);
  });

  it('is on the error also if nothing is retried', async () => {
    const fetch = stubFetch(answered('7', 503));
    const error = await rejection(makeClient({ fetch }).articles.publish(42));
    expect(error).toMatchObject({ retryAfter: 7000, outcome: 'unknown', attempts: 1 });
  });
});

describe('the header Retry-After', () => {
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
      const error = await caught(
        makeClient({ fetch: stubFetch(refuse(503, 'non', headers)) }).articles.get(1),
        ApiError,
      );
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
});
