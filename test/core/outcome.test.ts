import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Client,
  ConnectionError,
  DryRunNotHonoredError,
  InvalidRequestError,
  InvalidResponseError,
  MissingPermissionError,
  MultilocalError,
  type Outcome,
  RateLimitError,
  RedirectError,
  TimeoutError,
} from '../../src/index.js';
import { caught, makeClient, rejection } from '../support/clients.js';
import { BULLE_IDENTITY } from '../support/fixtures.js';
import { fail, hang, json, type Reply, raw, refuse, stubFetch } from '../support/stub-fetch.js';

type Call = (client: Client) => PromiseLike<unknown>;
const WRITES: [name: string, call: Call][] = [
  ['a costly POST', (client) => client.articles.publish(42)],
  ['a PUT', (client) => client.articles.update(42, { title: 'abc' })],
  ['confirm', (client) => client.articles.confirm(42)],
  ['a dry run', (client) => client.articles.publish(42, { dry_run: true })],
  ['a DELETE', (client) => client.request({ method: 'DELETE', path: '/posts/1' })],
];
const READS: [name: string, call: Call][] = [
  ['a read', (client) => client.articles.get(42)],
  ['a list', (client) => client.articles.list()],
  ['me', (client) => client.me()],
  ['health', (client) => client.health()],
  ['request GET', (client) => client.request({ method: 'GET', path: '/x' })],
];

async function outcomeOf(call: Call, reply: Reply, options: { timeout?: number } = {}) {
  const error = await rejection(call(makeClient({ fetch: stubFetch(reply), maxRetries: 0, ...options })));
  return (error as { outcome?: Outcome }).outcome;
}

describe.each(WRITES)('%s', (_, call) => {
  it.each([400, 401, 402, 403, 404, 409, 410, 418, 422, 429])('refused with %i did not happen', async (status) => {
    expect(await outcomeOf(call, refuse(status))).toBe('not_applied');
  });

  it.each([408, 500, 501, 502, 503, 504, 599])('with response %i may have happened', async (status) => {
    expect(await outcomeOf(call, refuse(status))).toBe('unknown');
  });

  it.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])('that ended with %s may have happened', async (code) => {
    expect(await outcomeOf(call, fail(code))).toBe('unknown');
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])('that never left (%s) did not happen', async (code) => {
    expect(await outcomeOf(call, fail(code))).toBe('not_applied');
  });

  it('timed out may have happened', async () => {
    expect(await outcomeOf(call, hang, { timeout: 20 })).toBe('unknown');
  });

  it('with a 200 and HTML happened', async () => {
    const error = await caught(call(makeClient({ fetch: stubFetch(raw('<html>')) })), InvalidResponseError);
    expect(error.outcome).toBe('applied');
    expect(error.attempts).toBe(1);
  });
});

describe.each(READS)('%s never writes', (_, call) => {
  it.each([400, 404, 408, 429, 500, 503])('%i', async (status) => {
    expect(await outcomeOf(call, refuse(status))).toBe('not_applied');
  });

  it('interrupted, timed out, or with an invalid response', async () => {
    expect(await outcomeOf(call, fail('ECONNRESET'))).toBe('not_applied');
    expect(await outcomeOf(call, hang, { timeout: 20 })).toBe('not_applied');
    expect(await outcomeOf(call, raw('<html>'))).toBe('not_applied');
  });
});

describe('over several attempts', () => {
  it('a POST that got a 429 and was then refused did not happen', async () => {
    const fetch = stubFetch(refuse(429, 'Trop vite', { 'retry-after': '0' }), refuse(422));
    const error = await rejection(makeClient({ fetch }).articles.publish(42));
    expect(error).toMatchObject({ status: 422, attempts: 2, outcome: 'not_applied' });
  });

  it('a PUT that failed with 503 and was then refused may have happened at the first attempt', async () => {
    const fetch = stubFetch(refuse(503, 'x', { 'retry-after': '0' }), refuse(409, 'déjà en ligne'));
    const error = await rejection(makeClient({ fetch }).articles.update(42, { title: 'abc' }));
    expect(error).toMatchObject({ status: 409, attempts: 2, outcome: 'unknown' });
  });

  it('a PUT that was interrupted, could not connect and was then refused may have happened', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    onTestFinished(() => void vi.restoreAllMocks());
    const fetch = stubFetch(fail('ECONNRESET'), fail('ECONNREFUSED'), refuse(409));
    const error = await rejection(makeClient({ fetch }).articles.update(42, { title: 'abc' }));
    expect(error).toMatchObject({ status: 409, attempts: 3, outcome: 'unknown' });
  });

  it('the error of a refused connection names what to check', async () => {
    const fetch = stubFetch(fail('ECONNREFUSED'));
    const error = await caught(makeClient({ fetch, maxRetries: 0 }).articles.get(42), ConnectionError);
    expect(error.message).toMatch(
      /^articles\.get: no connection to the service: .+ \(GET \/articles\/42\)\. Check `baseUrl` and the network\.$/,
    );
  });

  it('the message has no gap if the failure has no text, as for a name with several addresses', async () => {
    const fetch = stubFetch(() => {
      const refusals = ['::1', '127.0.0.1'].map(() => Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
      throw new TypeError('fetch failed', {
        cause: Object.assign(new AggregateError(refusals), { code: 'ECONNREFUSED' }),
      });
    });
    const error = await caught(makeClient({ fetch, maxRetries: 0 }).articles.get(42), ConnectionError);
    expect(error.message).toBe(
      'articles.get: no connection to the service (GET /articles/42). Check `baseUrl` and the network.',
    );
  });

  it('a PUT that could not connect and was then refused did not happen', async () => {
    const fetch = stubFetch(fail('ECONNREFUSED'), refuse(409));
    const error = await rejection(makeClient({ fetch }).articles.update(42, { title: 'abc' }));
    expect(error).toMatchObject({ status: 409, attempts: 2, outcome: 'not_applied' });
  });

  it('a call whose totalTimeout ends before its second attempt after a 429 did not happen', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const fetch = stubFetch(refuse(429, 'x', { 'retry-after': '5' }));
    const call = caught(makeClient({ fetch, totalTimeout: 40 }).articles.publish(42), TimeoutError);
    await vi.advanceTimersByTimeAsync(40);
    const error = await call;
    expect(error).toMatchObject({ attempts: 1, outcome: 'not_applied' });
    expect(fetch.calls).toHaveLength(1);
  });

  it('a call whose totalTimeout ends during an attempt may have happened', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const client = makeClient({ fetch: stubFetch(hang), totalTimeout: 40 });
    const call = caught(client.articles.publish(42), TimeoutError);
    await vi.advanceTimersByTimeAsync(40);
    expect(await call).toMatchObject({ attempts: 1, outcome: 'unknown' });
  });
});

describe('a DELETE that gets a 404', () => {
  const remove = (client: Client) => client.request({ method: 'DELETE', path: '/posts/1' }).withResponse();
  const now = { 'retry-after': '0' };

  it.each<[string, Reply]>([
    ['503', refuse(503, 'x', now)],
    ['500', refuse(500, 'x', now)],
    ['502', refuse(502, 'x', now)],
    ['408', refuse(408, 'x', now)],
    ['a broken connection', fail('ECONNRESET')],
    ['a time-out', hang],
  ])('after %s resolves', async (_, first) => {
    const fetch = stubFetch(first, refuse(404, 'Publication introuvable'));
    const { data, response } = await remove(makeClient({ fetch, timeout: 30 }));
    expect(data).toBeUndefined();
    expect(response.status).toBe(404);
    expect(fetch.calls.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });

  it('at the first attempt is an error', async () => {
    const error = await rejection(remove(makeClient({ fetch: stubFetch(refuse(404)) })));
    expect(error).toMatchObject({ code: 'not_found', attempts: 1, outcome: 'not_applied' });
  });

  it.each<[string, Reply]>([
    ['429', refuse(429, 'Trop vite', now)],
    ['a refused connection', fail('ECONNREFUSED')],
  ])('after %s, when nothing was deleted, is an error', async (_, first) => {
    const fetch = stubFetch(first, refuse(404));
    const error = await rejection(remove(makeClient({ fetch })));
    expect(error).toMatchObject({ code: 'not_found', attempts: 2, outcome: 'not_applied' });
  });

  it('is an error of a read and of a PUT', async () => {
    for (const call of [
      (client: Client) => client.articles.get(42),
      (client: Client) => client.articles.update(42, { title: 'abc' }),
    ]) {
      const fetch = stubFetch(refuse(503, 'x', now), refuse(404));
      expect(await rejection(call(makeClient({ fetch })))).toMatchObject({ code: 'not_found', attempts: 2 });
    }
  });
});

describe('before anything is sent', () => {
  it('errors say not_applied and 0 attempts', async () => {
    const fetch = stubFetch(json({}));
    const identity = { ...BULLE_IDENTITY, permissions: ['read'] };
    const client = makeClient({ fetch, identity, rateLimit: { perMinute: 1, maxWait: 0 } });
    const missing = await caught(client.articles.publish(42), MissingPermissionError);
    const invalid = await caught(client.articles.get(Number.NaN), InvalidRequestError);
    expect(fetch.calls).toHaveLength(0);
    await client.request({ method: 'GET', path: '/x' });
    const limited = await caught(client.articles.get(42), RateLimitError);
    for (const error of [missing, invalid, limited]) {
      expect(error).toMatchObject({ attempts: 0, outcome: 'not_applied' });
    }
    expect(fetch.calls).toHaveLength(1);
  });
});

describe('2xx', () => {
  it('a write with a body of the wrong shape happened, and the message says not to send it again', async () => {
    const error = await caught(
      makeClient({ fetch: stubFetch(json({ posted: 'yes' }, { status: 201 })) }).articles.publish(42),
      InvalidResponseError,
    );
    expect(error).toMatchObject({ outcome: 'applied', status: 201, body: { posted: 'yes' }, attempts: 1 });
  });

  it('a dry run without a preview happened', async () => {
    const body = { scheduled: false, article_id: 42 };
    const error = await caught(
      makeClient({ fetch: stubFetch(json(body)) }).articles.publish(42, { dry_run: true }),
      DryRunNotHonoredError,
    );
    expect(error).toMatchObject({ outcome: 'applied', body });
  });
});

describe('sentAt', () => {
  const START = Date.parse('2026-11-21T09:00:00Z');

  function clocked(...script: Reply[]) {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    onTestFinished(() => void vi.useRealTimers());
    // Each response takes an hour.
    const replies = script.map(
      (reply): Reply =>
        (seen, index) => {
          vi.setSystemTime(Date.now() + 3_600_000);
          return reply(seen, index);
        },
    );
    return makeClient({ fetch: stubFetch(...replies) });
  }

  it('is when the first attempt was sent, by the clock of this machine, if the outcome is unknown', async () => {
    const client = clocked(refuse(429, 'x', { 'retry-after': '0' }), refuse(502));
    expect(await rejection(client.articles.publish(42))).toMatchObject({
      attempts: 2,
      outcome: 'unknown',
      sentAt: new Date(START),
    });
  });

  it.each<[string, Reply, Call]>([
    ['a write that was refused', refuse(422), (client) => client.articles.publish(42)],
    ['a write that happened', raw('<html>'), (client) => client.articles.publish(42)],
    ['a read', refuse(404), (client) => client.articles.get(42)],
    ['a write that was not sent', refuse(500), (client) => client.articles.publish('' as never)],
  ])('is undefined for %s', async (_, reply, call) => {
    expect(await caught(call(clocked(reply)), MultilocalError)).not.toHaveProperty('sentAt');
  });
});

describe('an outcome that cannot be known', () => {
  it('a redirect of a read is not_applied', async () => {
    const error = await caught(
      makeClient({
        fetch: stubFetch(raw(null, { status: 302, headers: { location: 'https://b.test/x' } })),
      }).articles.get(1),
      RedirectError,
    );
    expect(error.outcome).toBe('not_applied');
  });

  it('a costly POST whose response is cut off is unknown and not retried', async () => {
    const reply: Reply = () => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"scheduled":'));
          setTimeout(() => controller.error(new TypeError('terminated')), 5);
        },
      });
      return new Response(body, { status: 200 });
    };
    const fetch = stubFetch(reply);
    const error = await caught(makeClient({ fetch }).articles.publish(42), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(fetch.calls).toHaveLength(1);
  });

  it('the message of an unknown outcome says so', async () => {
    vi.useRealTimers();
    const error = await caught(
      makeClient({ fetch: stubFetch(fail('ECONNRESET')) }).articles.publish(42),
      ConnectionError,
    );
    expect(error.message).toMatch(/unknown/i);
  });
});
