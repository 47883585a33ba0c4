import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientEvent, memoryStore } from '../../src/index.js';
import { makeArticles, makeClient, makePage, rejection } from '../support/clients.js';
import { ARTICLE, KEY, LIST, PUBLICATION } from '../support/fixtures.js';
import { fail, hang, json, type Reply, refuse, stubFetch } from '../support/stub-fetch.js';
import { unhandledIn } from '../support/unhandled.js';

const recorder = () => {
  const events: ClientEvent[] = [];
  return {
    events,
    onEvent: (event: ClientEvent) => void events.push(event),
    types: () => events.map(({ type }) => type),
  };
};
const call = expect.any(Number);
const duration = expect.any(Number);
const base = { call, operation: 'articles.get', method: 'GET', path: '/articles/42' };
const now = { 'retry-after': '0' };

describe('the observer is told of', () => {
  it('each attempt and each retry, with its delay and the code of the failure', async () => {
    const { events, onEvent } = recorder();
    const fetch = stubFetch(refuse(503, 'x', now), fail('ECONNREFUSED'), json(ARTICLE));
    vi.spyOn(Math, 'random').mockReturnValue(1);
    await makeArticles({ fetch, onEvent, maxRetries: 2 }).get(42);
    expect(new Set(events.map((event) => event.call)).size).toBe(1);
    expect(events).toEqual([
      { type: 'request', ...base, attempt: 1 },
      { type: 'response', ...base, attempt: 1, status: 503, duration },
      { type: 'retry', ...base, attempt: 1, delay: 0, code: 'service_unavailable' },
      { type: 'request', ...base, attempt: 2 },
      { type: 'failure', ...base, attempt: 2, code: 'connection', duration },
      { type: 'retry', ...base, attempt: 2, delay: expect.any(Number), code: 'connection' },
      { type: 'request', ...base, attempt: 3 },
      { type: 'response', ...base, attempt: 3, status: 200, duration },
      { type: 'end', ...base, attempt: 3, attempts: 3, status: 200, duration, outcome: 'not_applied', code: undefined },
    ]);
  });

  it('a timeout that is not retried', async () => {
    const { events, types, onEvent } = recorder();
    await rejection(makeArticles({ fetch: stubFetch(hang), onEvent, timeout: 10, maxRetries: 0 }).get(42));
    expect(types()).toEqual(['request', 'failure', 'end']);
    expect(events[1]).toMatchObject({ code: 'timeout' });
    expect(events[2]).toMatchObject({ code: 'timeout', status: undefined, outcome: 'not_applied' });
  });

  it('nothing when nothing is sent', async () => {
    const { types, onEvent } = recorder();
    const api = makeArticles({ fetch: stubFetch(json(ARTICLE)), onEvent });
    await rejection(api.get(Number.NaN));
    await rejection(api.get(42, { signal: AbortSignal.abort() }));
    expect(types()).toEqual([]);
  });
});

describe('the end of a call', () => {
  const ends = (events: readonly ClientEvent[]) => events.filter((event) => event.type === 'end');

  it.each<[string, Reply[], object, object]>([
    ['a write', [json(PUBLICATION)], {}, { outcome: 'applied', status: 200, code: undefined, attempts: 1 }],
    ['a refused write', [refuse(422)], {}, { outcome: 'not_applied', status: 422, code: 'unprocessable_entity' }],
    ['a broken write', [fail('ECONNRESET')], {}, { outcome: 'unknown', status: undefined, code: 'connection' }],
    ['another shape', [json({})], {}, { outcome: 'applied', status: 200, code: 'invalid_response', attempts: 1 }],
    ['an abort', [hang], { isAborted: true }, { outcome: 'unknown', code: 'aborted', attempts: 1 }],
  ])('%s: outcome, status, code and attempts', async (_, replies, { isAborted }: { isAborted?: boolean }, expected) => {
    const { events, onEvent } = recorder();
    const client = makeClient({ fetch: stubFetch(...replies), onEvent, maxRetries: 0 });
    await client.articles.publish(42, {}, isAborted ? { signal: AbortSignal.timeout(20) } : {}).catch(() => {});
    expect(ends(events)).toEqual([expect.objectContaining(expected)]);
    expect(events.at(-1)?.type).toBe('end');
  });

  it('comes after the client has refused the response of another server', async () => {
    const { events, onEvent } = recorder();
    await rejection(makePage({ fetch: stubFetch(json(LIST)), onEvent }).latest());
    expect(ends(events)).toMatchObject([{ code: 'configuration', status: 200 }]);
  });

  it('comes once for each page of an iteration', async () => {
    const { events, onEvent } = recorder();
    const page = (id: number) => json({ ...LIST, articles: [{ ...ARTICLE, id }], total: 3 });
    const fetch = stubFetch(page(1), page(2), page(3));
    await makeClient({ fetch, onEvent })
      .articles.list({}, { extra: { limit: 1 } })
      .toArray();
    expect(ends(events)).toHaveLength(fetch.calls.length);
    expect(new Set(events.map(({ call }) => call)).size).toBe(fetch.calls.length);
  });

  it('gives each call a number that no other client of the process uses', async () => {
    const { events, onEvent } = recorder();
    vi.resetModules();
    const other = await import('../../src/index.js');
    const options = { apiKey: KEY, baseUrl: 'https://other.test', fetch: stubFetch(json(ARTICLE)), onEvent };
    const clients = [makeClient(options), new other.Client(options)];
    await Promise.all(clients.flatMap(({ articles }) => [articles.get(42), articles.get(42)]));
    expect(new Set(events.map(({ call }) => call)).size).toBe(4);
  });

  it('makes failure rates countable from events alone', async () => {
    const replies = [json(ARTICLE), refuse(404), refuse(503, 'x', now), fail('ECONNRESET'), json({}), hang];
    const { events, onEvent } = recorder();
    const client = makeClient({ fetch: stubFetch(...replies), onEvent, maxRetries: 1, timeout: 20 });
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const calls: string[] = [];
    for (let call = 0; call < 5; call++) {
      const ended = client.articles.get(42).then(() => 'ok');
      calls.push(await ended.catch(({ code }) => code));
    }
    await rejection(client.articles.get(Number.NaN));
    expect(ends(events).map(({ code = 'ok' }) => code)).toEqual(calls);
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(count('request')).toBe(count('response') + count('failure'));
    expect(count('request')).toBe(ends(events).reduce((sum, { attempts }) => sum + attempts, 0));
  });
});

describe('a wait in the limiter’s line', () => {
  beforeEach(() => void vi.useFakeTimers());

  it('is reported with the expected delay', async () => {
    const { events, onEvent, types } = recorder();
    const client = makeClient({ fetch: stubFetch(json(ARTICLE)), onEvent, rateLimit: { perMinute: 1 } });
    await client.articles.get(42);
    const second = client.articles.get(42);
    await vi.advanceTimersByTimeAsync(61_000);
    await second;
    expect(types()).toEqual(['request', 'response', 'end', 'wait', 'request', 'response', 'end']);
    expect(events[3]).toEqual({ type: 'wait', ...base, attempt: 1, delay: 60_000 });
  });
});

describe('an observer that fails', () => {
  const reject = async () => Promise.reject(new Error('observer'));
  it.each<[string, () => unknown]>([
    ['throws', () => expect.unreachable()],
    ['is async and rejects', reject],
  ])('changes neither a call, a wait nor a sync: it %s', async (_, fail) => {
    // Not `vi.fn`, which would handle the rejection.
    const told: string[] = [];
    const telling = (name: string) => () => {
      told.push(name);
      return fail() as never;
    };
    const [onEvent, onPoll, onProgress] = [telling('event'), telling('poll'), telling('progress')];
    const unhandled = await unhandledIn(async () => {
      const fetch = stubFetch(refuse(503, 'x', now), json(ARTICLE));
      expect(await makeClient({ fetch, onEvent }).articles.get(42)).toEqual(ARTICLE);
      expect([fetch.calls.length, told.length]).toEqual([2, 6]);
      const written = stubFetch(json({ ...ARTICLE, content_html: '' }), json(ARTICLE));
      const options = { pollInterval: 1, onPoll };
      expect(await makeClient({ fetch: written }).articles.waitUntilWritten(42, options)).toEqual(ARTICLE);
      const store = memoryStore();
      const listing = stubFetch(json(LIST), json({ ...LIST, articles: [] }));
      const { articles } = makeClient({ fetch: listing });
      expect(await articles.syncTo(store, { onProgress })).toMatchObject({ upserted: 1 });
      expect(store.articles.get(42)).toEqual(ARTICLE);
    });
    expect(new Set(told)).toEqual(new Set(['event', 'poll', 'progress']));
    expect(unhandled).toEqual([]);
  });

  it('cannot change the next request through its event', async () => {
    const onEvent = (event: ClientEvent) => {
      Object.assign(event, { path: '/evil', method: 'DELETE', operation: 'evil', attempt: 99 });
    };
    const fetch = stubFetch(refuse(503, 'x', now), json(ARTICLE));
    await makeClient({ fetch, onEvent }).articles.get(42);
    expect(fetch.calls.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual(
      Array(2).fill('GET /api/v2/articles/42'),
    );
  });
});

it('events of a view go to the observer of its client', async () => {
  const { events, onEvent } = recorder();
  const client = makeClient({ fetch: stubFetch(json({ ...PUBLICATION, would_publish: true })), onEvent });
  await client.forBulle('b-1').dryRun.articles.publish(42);
  expect(events.map(({ operation }) => operation)).toEqual(Array(3).fill('articles.publish'));
});
