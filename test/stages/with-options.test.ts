import { describe, expect, it, vi } from 'vitest';
import { MAX_RETRIES } from '../../src/core/config.js';
import { Client, memoryStore, RateLimitError, WaitTimeoutError } from '../../src/index.js';
import { BODIES } from '../spec/bodies.js';
import { caught, makeClient, rejection } from '../support/clients.js';
import { ARTICLE, LIST, SPHERE_IDENTITY } from '../support/fixtures.js';
import { hang, json, type Reply, refuse, stubFetch } from '../support/stub-fetch.js';

function setUp(...script: Reply[]) {
  const fetch = stubFetch(...(script.length > 0 ? script : [json(ARTICLE)]));
  return { client: makeClient({ fetch }), fetch };
}

describe('the options of a view', () => {
  it('are the defaults of its calls, not of the client, and give way to those of a call, except undefined', async () => {
    const { client, fetch } = setUp(refuse(503, 'x', { 'retry-after': '0' }));
    const once = client.withOptions({ maxRetries: 0 });
    expect(once).toBeInstanceOf(Client);
    const sent = async (view: Client, options = {}) => {
      const before = fetch.calls.length;
      await rejection(view.articles.get(42, options));
      return fetch.calls.length - before;
    };
    expect([await sent(once), await sent(client)]).toEqual([1, MAX_RETRIES + 1]);
    expect([await sent(once, { maxRetries: 1 }), await sent(once, { maxRetries: undefined })]).toEqual([2, 1]);
  });

  it('validation', async () => {
    const { client } = setUp(json({ ...ARTICLE, id: 'x' }));
    expect(await client.withOptions({ validation: 'off' }).articles.get(42)).toMatchObject({ id: 'x' });
    await rejection(client.articles.get(42));
  });

  it('headers are merged by name without case: client, views, call', async () => {
    const fetch = stubFetch(json(ARTICLE));
    const of = 'client';
    const client = makeClient({ fetch, headers: { 'X-A': of, 'X-B': of, 'X-C': of, 'X-D': of } });
    const view = client
      .withOptions({ headers: { 'x-b': 'one', 'X-C': 'one', 'x-d': null } })
      .withOptions({ headers: { 'X-c': 'two', 'x-e': 'two', 'x-b': undefined } });
    await view.articles.get(42, { headers: { 'X-C': 'call', 'x-f': 'call', 'x-e': undefined } });
    const expected = { 'x-a': 'client', 'x-b': 'one', 'x-c': 'call', 'x-e': 'two', 'x-f': 'call' };
    expect(fetch.calls[0]?.headers).toMatchObject(expected);
    expect(fetch.calls[0]?.headers).not.toHaveProperty('x-d');
  });

  it('fetchOptions and extra are merged by name', async () => {
    const fetch = stubFetch(json(LIST));
    const client = makeClient({ fetch, fetchOptions: { cache: 'no-store', integrity: 'client' } });
    const view = client
      .withOptions({ fetchOptions: { integrity: 'one', keepalive: true }, extra: { a: 1, b: 1 } })
      .withOptions({ fetchOptions: { keepalive: false }, extra: { b: 2, c: 2 } });
    await view.articles.list({ status: 'all' }, { fetchOptions: { mode: 'cors' }, extra: { c: 3 } });
    expect(fetch.calls[0]?.init).toMatchObject({ cache: 'no-store', integrity: 'one', keepalive: false, mode: 'cors' });
    expect(fetch.calls[0]?.url.search).toBe('?a=1&b=2&c=3&status=all');
  });

  it('are copied, also the headers', async () => {
    const { client, fetch } = setUp();
    const options = { headers: { 'x-a': '1' } };
    const view = client.withOptions(options);
    options.headers['x-a'] = '2';
    await view.articles.get(42);
    expect(fetch.calls[0]?.headers['x-a']).toBe('1');
  });

  it('apply to health, me and request', async () => {
    const { client, fetch } = setUp(json(SPHERE_IDENTITY));
    const view = client.withOptions({ headers: { 'x-a': '1' }, validation: 'off' });
    await view.health();
    await view.me();
    await view.request({ method: 'GET', path: '/x' });
    expect(fetch.calls.map(({ headers }) => headers['x-a'])).toEqual(['1', '1', '1']);
    expect(client.identity).toEqual(SPHERE_IDENTITY);
  });
});

describe('a chain of views', () => {
  it('keeps all settings in any order', async () => {
    const options = { headers: { 'x-a': '1' } };
    const chains: ((client: Client) => PromiseLike<unknown>)[] = [
      (client) => client.withOptions(options).forBulle('b-1').forFiche('f-1').articles.list(),
      (client) => client.forFiche('f-1').forBulle('b-1').withOptions(options).articles.list(),
      (client) => client.dryRun.withOptions(options).forBulle('b-1').articles.list(),
      (client) => client.withOptions(options).dryRun.forBulle('b-1').articles.list(),
    ];
    for (const chain of chains) {
      const { client, fetch } = setUp(json(LIST));
      await chain(client);
      expect(fetch.calls[0]?.url.search).toBe('?bulle_id=b-1');
      expect(fetch.calls[0]?.headers['x-a']).toBe('1');
    }
  });

  it('shares identity and budget', async () => {
    const client = makeClient({ fetch: stubFetch(json(SPHERE_IDENTITY)), rateLimit: { perMinute: 2, maxWait: 0 } });
    const view = client.withOptions({ maxRetries: 0 });
    await view.me();
    expect(client.identity).toBe(view.identity);
    await client.me();
    expect((await view.budget()).minute).toEqual({ limit: 2, used: 2, left: 0 });
    await caught(view.me(), RateLimitError);
  });
});

describe('a signal of a view', () => {
  const reason = new Error('assez');

  it.each(['view', 'inner view', 'call'])(
    'the first of all that aborts ends the call: that of the %s',
    async (which) => {
      const { client, fetch } = setUp(hang);
      const names = ['view', 'inner view', 'call'];
      const controllers = names.map(() => new AbortController());
      const [outer, inner, own] = controllers.map(({ signal }) => signal);
      const spies = controllers.map(({ signal }) => vi.spyOn(signal, 'removeEventListener'));
      const view = client.withOptions({ signal: outer }).forBulle('b-1').withOptions({ signal: inner });
      const ended = rejection(view.articles.get(42, { signal: own }));
      await expect.poll(() => fetch.calls).toHaveLength(1);
      controllers[names.indexOf(which)]?.abort(reason);
      expect(await ended).toBe(reason);
      for (const spy of spies) expect(spy).toHaveBeenCalledOnce();
    },
  );

  it.each([{ signal: new AbortController().signal }, { signal: null as never }, {}])(
    'that has aborted refuses a call with %j',
    async (options) => {
      const { client, fetch } = setUp();
      const view = client.withOptions({ signal: AbortSignal.abort(reason) }).withOptions(options);
      for (const call of [
        view.articles.get(42, options),
        view.articles.waitUntilWritten(42, options),
        view.images.upload({ file: new Blob(['x']) }, options),
      ]) {
        expect(await rejection(call)).toBe(reason);
      }
      expect(fetch.calls).toHaveLength(0);
    },
  );

  const report = { type: 'fiche', fiche_ids: ['f-1'], date_start: '2026-10-01', date_end: '2026-10-31' } as const;
  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['waitUntilWritten', (client) => client.articles.waitUntilWritten(42)],
    ['createAndWait', (client) => client.reports.createAndWait({ ...report, report_name: 'x' })],
    ['a sync whose store another run has', (client) => client.articles.syncTo(busyStore())],
  ])('ends the wait of %s', async (_, work) => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const order = { report_id: 'r-1', status: 'processing', fiche_count: 1 };
    const reply: Reply = (seen, at) => {
      if (seen.url.pathname.endsWith('/reports')) return json(seen.method === 'GET' ? [] : order)(seen, at);
      return json({ ...ARTICLE, content_html: '' })(seen, at);
    };
    const fetch = stubFetch(reply);
    const view = makeClient({ fetch, validation: 'off' }).withOptions({ signal: controller.signal });
    const ended = rejection(work(view));
    await vi.advanceTimersByTimeAsync(900);
    const sent = fetch.calls.length;
    controller.abort(reason);
    expect(await ended).toBe(reason);
    expect(fetch.calls).toHaveLength(sent);
  });

  it('ends posts.check, but not the reads that other checks share', async () => {
    const replies: ((value: Response) => void)[] = [];
    const fetch = stubFetch(() => new Promise<Response>((resolve) => replies.push(resolve)));
    const client = makeClient({ fetch });
    const controller = new AbortController();
    const post = { content: 'a', platforms: ['gmb'], bulle_id: 'b-1' } as const;
    const aborted = rejection(client.withOptions({ signal: controller.signal }).posts.check({ ...post }));
    const other = client.posts.check({ ...post });
    await expect.poll(() => replies).toHaveLength(2);
    controller.abort(reason);
    expect(await aborted).toBe(reason);
    const answers = fetch.calls.map(({ url }) =>
      url.pathname.endsWith('connections') ? [] : BODIES['platforms.limits'],
    );
    for (const [index, resolve] of replies.entries()) resolve(Response.json(answers[index]));
    expect(await other).toMatchObject({ ok: false });
    expect(fetch.calls).toHaveLength(2);
  });
});

/** A store whose lease another run has. */
function busyStore() {
  return { ...memoryStore(), lease: () => null };
}

it('a timeout of a view is that of each attempt, and not of a whole wait', async () => {
  vi.useFakeTimers();
  const { client, fetch } = setUp(hang, json({ ...ARTICLE, content_html: '' }));
  const view = client.withOptions({ timeout: 5_000, maxRetries: 0 });
  const ended = caught(view.articles.waitUntilWritten(42, { pollInterval: 1_000, timeout: 600_000 }), WaitTimeoutError);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(fetch.calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(594_000);
  expect(fetch.calls.length).toBeGreaterThan(50);
  await vi.advanceTimersByTimeAsync(1_002);
  await ended;
});
