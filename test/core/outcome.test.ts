import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Client, ConnectionError, MultilocalError } from '../../src/index.js';
import { caught, makeClient, rejection } from '../support/clients.js';
import { fail, json, type Reply, raw, refuse, stubFetch } from '../support/stub-fetch.js';

// Which failure of which call has which outcome: see retry.test.ts.
type Call = (client: Client) => PromiseLike<unknown>;
const publish: Call = (client) => client.articles.publish(42);
const get: Call = (client) => client.articles.get(42);

describe('the message', () => {
  const refused = ['::1', '127.0.0.1'].map(() => Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
  const twoAddresses: Reply = () => {
    const cause = Object.assign(new AggregateError(refused), { code: 'ECONNREFUSED' });
    throw new TypeError('fetch failed', { cause });
  };
  it.each<[string, Reply, RegExp]>([
    [
      'of a refused connection names what to check',
      fail('ECONNREFUSED'),
      /^articles\.get: no connection to the service: .+ \(GET \/articles\/42\)\. Check `baseUrl` and the network\.$/,
    ],
    [
      'has no gap if the failure has no text, as for a name with several addresses',
      twoAddresses,
      /^articles\.get: no connection to the service \(GET \/articles\/42\)\. Check `baseUrl` and the network\.$/,
    ],
  ])('%s', async (_, reply, message) => {
    const client = makeClient({ fetch: stubFetch(reply), maxRetries: 0 });
    expect((await caught(client.articles.get(42), ConnectionError)).message).toMatch(message);
  });

  const trace = 'If it happened, `articles.get(id)` shows the status `published`';
  it.each<[string, Reply, Call, sentence: string]>([
    ['a 503 of a costly write', refuse(503), publish, trace],
    ['a broken connection of a costly write', fail('ECONNRESET'), publish, trace],
    ['a harmless write', refuse(503), (client) => client.articles.confirm(42), 'You can call it again.'],
    [
      'a route that the client does not know',
      refuse(503),
      (client) => client.request({ method: 'POST', path: '/new' }),
      'Check this before you call it again.',
    ],
  ])('after %s says that the outcome is unknown, and what to do', async (_, reply, call, sentence) => {
    const error = await caught(call(makeClient({ fetch: stubFetch(reply), maxRetries: 0 })), MultilocalError);
    expect(error.outcome).toBe('unknown');
    expect(error.message).toContain(`It is unknown whether the write happened. ${sentence}`);
  });

  it('after a read says nothing of it', async () => {
    const error = await caught(get(makeClient({ fetch: stubFetch(refuse(503)), maxRetries: 0 })), MultilocalError);
    expect(error.message).not.toContain('unknown');
  });
});

describe('sentAt', () => {
  const START = Date.parse('2026-11-21T09:00:00Z');

  function clocked(...script: Reply[]) {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    onTestFinished(() => void vi.useRealTimers());
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
