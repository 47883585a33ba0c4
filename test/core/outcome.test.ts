import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Client,
  ConnectionError,
  DryRunNotHonoredError,
  InvalidRequestError,
  InvalidResponseError,
  MissingPermissionError,
  MultilocalError,
  RateLimitError,
} from '../../src/index.js';
import { caught, makeClient, rejection } from '../support/clients.js';
import { BULLE_IDENTITY } from '../support/fixtures.js';
import { fail, json, type Reply, raw, refuse, stubFetch } from '../support/stub-fetch.js';

// Which failure of which call has which outcome: see retry.test.ts.

it('errors before anything is sent say not_applied and 0 attempts', async () => {
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

it.each([
  ['a write with a body of the wrong shape', { posted: 'yes' }, 201, {}, InvalidResponseError],
  ['a dry run without a preview', { scheduled: false, article_id: 42 }, 200, { dry_run: true }, DryRunNotHonoredError],
])('%s happened, once', async (_, body, status, params, kind) => {
  const fetch = stubFetch(json(body, { status }));
  const error = await caught(makeClient({ fetch }).articles.publish(42, params), kind as typeof MultilocalError);
  expect(error).toMatchObject({ outcome: 'applied', body, attempts: 1 });
  if (kind === InvalidResponseError) expect(error).toMatchObject({ status });
});

describe('the message', () => {
  it.each<[string, Reply, RegExp]>([
    [
      'of a refused connection names what to check',
      fail('ECONNREFUSED'),
      /^articles\.get: no connection to the service: .+ \(GET \/articles\/42\)\. Check `baseUrl` and the network\.$/,
    ],
    [
      'has no gap if the failure has no text, as for a name with several addresses',
      () => {
        const refusals = ['::1', '127.0.0.1'].map(() => Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
        throw new TypeError('fetch failed', {
          cause: Object.assign(new AggregateError(refusals), { code: 'ECONNREFUSED' }),
        });
      },
      /^articles\.get: no connection to the service \(GET \/articles\/42\)\. Check `baseUrl` and the network\.$/,
    ],
  ])('%s', async (_, reply, message) => {
    const client = makeClient({ fetch: stubFetch(reply), maxRetries: 0 });
    expect((await caught(client.articles.get(42), ConnectionError)).message).toMatch(message);
  });

  it('of an unknown outcome says so', async () => {
    const client = makeClient({ fetch: stubFetch(fail('ECONNRESET')) });
    expect((await caught(client.articles.publish(42), ConnectionError)).message).toMatch(/unknown/i);
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

  it.each<[string, Reply, (client: Client) => PromiseLike<unknown>]>([
    ['a write that was refused', refuse(422), (client) => client.articles.publish(42)],
    ['a write that happened', raw('<html>'), (client) => client.articles.publish(42)],
    ['a read', refuse(404), (client) => client.articles.get(42)],
    ['a write that was not sent', refuse(500), (client) => client.articles.publish('' as never)],
  ])('is undefined for %s', async (_, reply, call) => {
    expect(await caught(call(clocked(reply)), MultilocalError)).not.toHaveProperty('sentAt');
  });
});
