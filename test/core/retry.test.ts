import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_RETRIES } from '../../src/core/config.js';
import { parseRetryAfter, retryDelay } from '../../src/core/retry.js';
import {
  ApiError,
  type Client,
  type ClientOptions,
  MultilocalError,
  type Outcome,
  RateLimitError,
  ServiceUnavailableError,
} from '../../src/index.js';
import { caught, makeClient, rejection } from '../support/clients.js';
import { ARTICLE, CONFIRMATION, CREATION, PUBLICATION, UPDATE } from '../support/fixtures.js';
import { fail, hang, json, type Reply, raw, refuse, stubFetch } from '../support/stub-fetch.js';

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
      .finally(() => (took = performance.now() - started));
    for (let step = 0; step < 400 && took < 0; step++) await vi.advanceTimersByTimeAsync(step < 100 ? 10 : 1000);
    return { ...(await settled), took };
  } finally {
    vi.useRealTimers();
  }
}

/** Reads and repeatable writes are repeated after more failures than costly writes; a read changes nothing. */
type Kind = 'read' | 'repeatable' | 'costly';
type Call = (client: Client) => PromiseLike<unknown>;
const CALLS: [name: string, kind: Kind, call: Call, ok: unknown][] = [
  ['articles.get', 'read', (client) => client.articles.get(42), ARTICLE],
  ['request GET', 'read', (client) => client.request({ method: 'GET', path: '/new' }), {}],
  ['articles.update (PUT)', 'repeatable', (client) => client.articles.update(42, { title: 'Neuf' }), UPDATE],
  ['articles.confirm', 'repeatable', (client) => client.articles.confirm(42), CONFIRMATION],
  ['request DELETE', 'repeatable', (client) => client.request({ method: 'DELETE', path: '/new' }), {}],
  ['articles.create', 'costly', (client) => client.articles.create({ title: 'Neuf', target_keyword: 'mot' }), CREATION],
  ['a dry run', 'costly', (client) => client.articles.publish(42, { dry_run: true }), { would_publish: true }],
  ['request POST', 'costly', (client) => client.request({ method: 'POST', path: '/new' }), {}],
];

const refusals = (...codes: string[]): Reply => {
  const errors = codes.map((code) => Object.assign(new Error(code), { code }));
  return () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new AggregateError(errors), { code: codes[0] }) });
  };
};
const cut: Reply = () => {
  const start = (controller: ReadableStreamDefaultController) => controller.error(new TypeError('terminated'));
  return new Response(new ReadableStream({ start }));
};
const failed: Reply = () => {
  throw new TypeError('Failed to fetch');
};
const away = raw(null, { status: 302, headers: { location: 'https://b.test/x' } });

/** What happens again after a failure, and what a write came to that is not repeated. */
type Failure = [name: string, reply: Reply, repeated: 'all' | 'repeatable' | 'none', outcome: Outcome];
const FAILURES: Failure[] = [
  ...[400, 401, 402, 403, 404, 409, 410, 418, 422, 425, 451].map(
    (code): Failure => [`${code}`, refuse(code), 'none', 'not_applied'],
  ),
  ...[501, 505, 507, 599].map((code): Failure => [`${code}`, refuse(code), 'none', 'unknown']),
  ...[408, 500, 502, 503, 504].map((code): Failure => [`${code}`, refuse(code), 'repeatable', 'unknown']),
  ['429', refuse(429), 'all', 'not_applied'],
  ['a 429 of a monthly quota', refuse(429, 'Quota mensuel dépassé', { 'retry-after': '1' }), 'none', 'not_applied'],
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].map((code): Failure => [code, fail(code), 'all', 'not_applied']),
  ['every address refused', refusals('ECONNREFUSED', 'ECONNREFUSED'), 'all', 'not_applied'],
  ['one address refused, another cut', refusals('ECONNREFUSED', 'ECONNRESET'), 'repeatable', 'unknown'],
  ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'].map(
    (code): Failure => [code, fail(code), 'repeatable', 'unknown'],
  ),
  ['a failure without a reason', failed, 'repeatable', 'unknown'],
  ['a time-out', hang, 'repeatable', 'unknown'],
  ['a body that is cut', cut, 'repeatable', 'unknown'],
  ['a redirect', away, 'none', 'unknown'],
  ['a 200 that is a page', raw('<html>'), 'none', 'applied'],
];

describe.each(FAILURES)('after %s', (_, reply, repeated, outcome) => {
  it.each(CALLS)('%s', async (__, kind, call, ok) => {
    const isRepeated = repeated === 'all' || (repeated === 'repeatable' && kind !== 'costly');
    const fetch = stubFetch(reply, json(ok));
    const { error, result } = await timed(() => call(makeClient({ fetch, timeout: 50 })));
    expect(fetch.calls).toHaveLength(isRepeated ? 2 : 1);
    if (isRepeated) expect([error, result]).toEqual([undefined, ok]);
    const lasting = await timed(() => call(makeClient({ fetch: stubFetch(reply), timeout: 50 })));
    expect(lasting.error).toBeInstanceOf(MultilocalError);
    expect(lasting.error).toMatchObject({
      attempts: isRepeated ? MAX_RETRIES + 1 : 1,
      outcome: kind === 'read' ? 'not_applied' : outcome,
    });
  });
});

describe('backoff', () => {
  const error = new ApiError('refused', { status: 500, outcome: 'unknown' });

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
    vi.spyOn(Math, 'random').mockReturnValue(random);
    expect(retryDelay(error, attempt, true)).toBeCloseTo(expected, 1);
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

  it('each retry sends the same bytes', async () => {
    const fetch = stubFetch(refuse(503), refuse(503), json(UPDATE));
    await timed(() => makeClient({ fetch, maxRetries: 2 }).articles.update(42, { title: 'Été 🥖', category: '' }));
    const requests = fetch.calls.map(({ url, method, headers, body }) => ({ url: url.href, method, headers, body }));
    expect(requests[0]?.body).toBe('{"title":"Été 🥖","category":""}');
    expect(requests).toEqual(Array(3).fill(requests[0]));
  });

  it('no timer remains, so that the process can end', async () => {
    vi.useFakeTimers();
    await makeClient({ fetch: stubFetch(json(ARTICLE)), totalTimeout: 50_000 }).articles.get(42);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('over several attempts', () => {
  const publish: Call = (client) => client.articles.publish(42);
  const update: Call = (client) => client.articles.update(42, { title: 'abc' });

  it.each<[string, Call, Reply[], object, ClientOptions?]>([
    ['a 429, then refused: nothing', publish, [refuse(429), refuse(422)], { attempts: 2, outcome: 'not_applied' }],
    ['a 503, then refused: perhaps', update, [refuse(503), refuse(409)], { attempts: 2, outcome: 'unknown' }],
    [
      'cut, not connected, then refused: perhaps',
      update,
      [fail('ECONNRESET'), fail('ECONNREFUSED'), refuse(409)],
      { attempts: 3, outcome: 'unknown' },
      { maxRetries: 2 },
    ],
    [
      'not connected, then refused: nothing',
      update,
      [fail('ECONNREFUSED'), refuse(409)],
      { attempts: 2, outcome: 'not_applied' },
    ],
    [
      'not connected, then cut: perhaps, and no third attempt',
      publish,
      [fail('ECONNREFUSED'), fail('ECONNRESET'), json(PUBLICATION)],
      { attempts: 2, outcome: 'unknown' },
    ],
    [
      'out of time before the second attempt after a 429: nothing',
      publish,
      [refuse(429, 'x', { 'retry-after': '5' })],
      { code: 'timeout', attempts: 1, outcome: 'not_applied' },
      { totalTimeout: 40 },
    ],
    [
      'out of time within an attempt: perhaps',
      publish,
      [hang],
      { code: 'timeout', attempts: 1, outcome: 'unknown' },
      { totalTimeout: 40 },
    ],
  ])('%s happened', async (_, call, script, expected, options = {}) => {
    const { error } = await timed(() => call(makeClient({ fetch: stubFetch(...script), ...options })));
    expect(error).toMatchObject(expected);
  });
});

describe('a DELETE that gets a 404', () => {
  const remove: Call = (client) => client.request({ method: 'DELETE', path: '/posts/1' }).withResponse();

  it.each<[string, Reply]>([
    ['503', refuse(503)],
    ['500', refuse(500)],
    ['502', refuse(502)],
    ['408', refuse(408)],
    ['a broken connection', fail('ECONNRESET')],
    ['a time-out', hang],
  ])('after %s resolves', async (_, first) => {
    const fetch = stubFetch(first, refuse(404, 'Publication introuvable'));
    const { result } = await timed(() => remove(makeClient({ fetch, timeout: 30 })));
    expect(result).toMatchObject({ data: undefined, response: { status: 404 } });
    expect(fetch.calls.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });

  it.each<[string, Call, Reply[]]>([
    ['at the first attempt', remove, []],
    ['after 429, when nothing was deleted,', remove, [refuse(429)]],
    ['after a refused connection', remove, [fail('ECONNREFUSED')]],
    ['of a read', (client) => client.articles.get(42), [refuse(503)]],
    ['of a PUT', (client) => client.articles.update(42, {}), [refuse(503)]],
  ])('%s is an error', async (_, call, first) => {
    const { error } = await timed(() => call(makeClient({ fetch: stubFetch(...first, refuse(404)) })));
    expect(error).toMatchObject({ code: 'not_found', attempts: first.length + 1 });
  });
});

describe('Retry-After', () => {
  const answered = (value: string, code: number): Reply => refuse(code, 'non', { 'retry-after': value });

  // `timed` moves in steps: of 10 ms in the first second, of 1000 ms afterwards.
  it.each<[code: number, value: string, least: number, most: number]>([
    [429, '2', 2000, 3000],
    [503, '2', 2000, 3000],
    [500, '3', 3000, 4000],
    [502, '1', 1000, 1100],
    [429, '60', 60_000, 61_000],
    [429, '0', 0, 20],
    [503, 'abc', 250, 600],
  ])('of a %i with "%s" is obeyed exactly, or the backoff applies: %i ms', async (code, value, least, most) => {
    const fetch = stubFetch(answered(value, code), json(ARTICLE));
    const { error, took } = await timed(() => makeClient({ fetch }).articles.get(42));
    expect(error).toBeUndefined();
    expect(took).toBeGreaterThanOrEqual(least);
    expect(took).toBeLessThanOrEqual(most);
  });

  it.each([0, 1, 999, 60_000])('of %i ms is obeyed whatever the jitter', (retryAfter) => {
    for (const random of [0, 0.5, 0.999_999]) {
      vi.spyOn(Math, 'random').mockReturnValue(random);
      const error = new ApiError('refused', { status: 429, outcome: 'not_applied', retryAfter });
      expect([retryDelay(error, 1, true), retryDelay(error, 1, false)]).toEqual([retryAfter, retryAfter]);
    }
  });

  it.each([
    [429, '60.001', 60_001, RateLimitError],
    [429, '61', 61_000, RateLimitError],
    [429, '86400', 86_400_000, RateLimitError],
    [503, '120', 120_000, ServiceUnavailableError],
  ])('of a %i longer than a minute (%s) is the error at once, with retryAfter', async (code, value, ms, kind) => {
    const fetch = stubFetch(answered(value, code), json(ARTICLE));
    const { result } = await timed(() => caught(makeClient({ fetch }).articles.get(42), kind));
    expect(result).toMatchObject({ retryAfter: ms, attempts: 1, origin: 'service' });
    expect(fetch.calls).toHaveLength(1);
  });

  it('is on the error also if nothing is retried', async () => {
    const error = await rejection(makeClient({ fetch: stubFetch(answered('7', 503)) }).articles.publish(42));
    expect(error).toMatchObject({ retryAfter: 7000, outcome: 'unknown', attempts: 1 });
  });
});

describe('the header Retry-After', () => {
  const NOW = Date.UTC(2026, 10, 14, 9, 30, 0);
  const IN_30_S = 'Sat, 14 Nov 2026 09:30:30 GMT';

  beforeEach(() => void vi.useFakeTimers({ now: NOW }));

  it.each<[value: string, ms: number, date?: string | null]>([
    ['0', 0],
    ['1', 1000],
    ['86400', 86_400_000],
    ['007', 7000],
    [' 5 ', 5000],
    ['1.25', 1250],
    // IMF-fixdate, RFC 850 and asctime.
    [IN_30_S, 30_000],
    ['Saturday, 14-Nov-26 09:30:30 GMT', 30_000],
    ['Sat Nov 14 09:30:30 2026', 30_000],
    // In the past.
    ['Sat, 14 Nov 2026 09:29:00 GMT', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['Sun Nov  6 08:49:37 1994', 0],
    // Joined by a proxy: the longest.
    ['1, 1', 1000],
    ['1,x, 3 ,2', 3000],
    [`${IN_30_S}, Sat, 14 Nov 2026 09:29:00 GMT`, 30_000],
    [`5, ${IN_30_S}`, 30_000],
    ['Sat, 14 Nov 2026 12:30:30 GMT', 30_000, 'Sat, 14 Nov 2026 12:30:00 GMT, Sat, 14 Nov 2026 12:30:00 GMT'],
    // By the clock of the service, which is hours ahead, or a day behind.
    ['Sat, 14 Nov 2026 12:30:30 GMT', 30_000, 'Sat, 14 Nov 2026 12:30:00 GMT'],
    ['Fri, 13 Nov 2026 09:30:30 GMT', 30_000, 'Fri, 13 Nov 2026 09:30:00 GMT'],
    ['Fri Nov 13 09:30:30 2026', 30_000, 'Friday, 13-Nov-26 09:30:00 GMT'],
    ['Sat, 14 Nov 2026 10:00:00 GMT', 0, 'Sat, 14 Nov 2026 11:00:00 GMT'],
    ['30', 30_000, 'Sat, 14 Nov 2026 12:30:00 GMT'],
    ...[null, '', 'yesterday', '2026-11-14T12:30:00Z', '0'].map((date): [string, number, string | null] => [
      IN_30_S,
      30_000,
      date,
    ]),
  ])('"%s" is %i ms, beside the Date %j', (value, expected, date) => {
    expect(parseRetryAfter(value, date)).toBe(expected);
  });

  it('as asctime with a day of one digit', () => {
    vi.setSystemTime('2026-11-01T09:30:00Z');
    expect(parseRetryAfter('Sun Nov  1 09:30:30 2026')).toBe(30_000);
    vi.setSystemTime(NOW);
  });

  it.each(['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Tokyo'])('is the same on a machine in %s', (TZ) => {
    vi.stubEnv('TZ', TZ);
    expect(parseRetryAfter('Sat Nov 14 09:30:30 2026')).toBe(30_000);
    expect(parseRetryAfter(IN_30_S)).toBe(30_000);
  });

  it('as a date reaches the error, by the Date of the same response', async () => {
    const headers = { date: 'Sat, 14 Nov 2026 12:30:00 GMT', 'retry-after': 'Sat, 14 Nov 2026 12:32:00 GMT' };
    const fetch = stubFetch(refuse(503, 'non', headers));
    const error = await caught(makeClient({ fetch }).articles.get(1), ServiceUnavailableError);
    expect(error).toMatchObject({ retryAfter: 120_000, attempts: 1 });
  });

  it.each([
    ...[null, '', '   ', 'abc', '-5', '+5', '0x10', '1e3', '1.5.2', '1.', 'x1', '5s', '5 6', 'Infinity', 'NaN'],
    '14 Nov 2026 09:30:30 GMT',
    'Sat, 14 Nov 2026 09:30 GMT',
    'Sat, 14 Nov 2026 09:30:30 GMT+1',
    'Sat Nov 14 09:30:30 26',
    'tomorrow',
    '2026-11-14T09:30:30Z',
    'Sat, 32 Nov 2026 99:99:99 GMT',
  ])('%j is ignored', (value) => {
    expect(parseRetryAfter(value)).toBeUndefined();
  });

  it('any text is undefined or a number of 0 or more', () => {
    fc.assert(fc.property(fc.string(), (value) => (parseRetryAfter(value) ?? 0) >= 0));
  });
});

describe('sentAt', () => {
  const publish: Call = (client) => client.articles.publish(42);
  const get: Call = (client) => client.articles.get(42);
  const START = Date.parse('2026-11-21T09:00:00Z');

  function clocked(...script: Reply[]) {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    // Each response takes an hour.
    const late = (reply: Reply): Reply => {
      return (seen, index) => {
        vi.setSystemTime(Date.now() + 3_600_000);
        return reply(seen, index);
      };
    };
    return makeClient({ fetch: stubFetch(...script.map(late)) });
  }

  it('is when the first attempt was sent, by the clock of this machine, if the outcome is unknown', async () => {
    const error = await rejection(publish(clocked(refuse(429, 'x', { 'retry-after': '0' }), refuse(502))));
    expect(error).toMatchObject({ attempts: 2, outcome: 'unknown', sentAt: new Date(START) });
  });

  it.each<[string, Reply, Call]>([
    ['a write that was refused', refuse(422), publish],
    ['a write that happened', raw('<html>'), publish],
    ['a write of another shape that happened', json({ posted: 'yes' }), publish],
    ['a read', refuse(404), get],
    ['a write that was not sent', refuse(500), (client) => client.articles.publish('' as never)],
  ])('is undefined for %s', async (_, reply, call) => {
    expect(await caught(call(clocked(reply)), MultilocalError)).not.toHaveProperty('sentAt');
  });
});
