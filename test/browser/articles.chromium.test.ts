// What `ArticlesClient` owes to the browser: its `fetch`, headers, signals and timers. What it does with statuses and
// parameters is the same everywhere. A service worker of msw stands in the way of the requests of this page.
import { setupWorker } from 'msw/browser';
import { createMockApi } from 'multilocal/mock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Article,
  ArticlesClient,
  type ArticlesClientOptions,
  type ClientEvent,
  ConnectionError,
  InvalidResponseError,
  isMultilocalError,
  PermissionDeniedError,
  TimeoutError,
} from '../../src/articles.js';
import { caught, rejection } from '../support/clients.js';

const api = createMockApi();
const worker = setupWorker(...api.handlers);
beforeAll(async () => {
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' });
});
afterEach(async () => {
  // An aborted request may still be on its way: it arrives before this one, and not in the next test.
  await fetch(`${api.baseUrl}/api/v2/health`);
  api.reset();
});
afterAll(async () => {
  worker.stop();
  // No later page of this browser is to have a service worker in the way of its requests.
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
});

const online = () => api.articles.all().filter(({ status }) => status === 'published');
const firstOnline = () => online()[0]?.id ?? 0;
const idsOf = (articles: readonly Article[]) => articles.map(({ id }) => id).sort();

const file = new URL('../../dist/browser/multilocal-articles.min.js', import.meta.url);
const built = (await import(/* @vite-ignore */ file.href)) as typeof import('../../src/articles.js');

describe.each([
  ['of the sources', ArticlesClient],
  ['of the build for browsers', built.ArticlesClient],
])('ArticlesClient %s in Chromium', (_, Articles) => {
  /** With every permission on the whole brand. */
  const connect = (options: Partial<ArticlesClientOptions> = {}) =>
    new Articles({ apiKey: api.keys.sphere, baseUrl: api.baseUrl, ...options });

  it('lists one page, filtered, and sends the key and nothing else that a preflight would have to allow', async () => {
    const { articles, total } = await connect().list({ status: 'published', bulle_id: api.ids.bulle });
    const expected = online().filter(({ bulle_id }) => bulle_id === api.ids.bulle);
    expect([total, idsOf(articles)]).toEqual([expected.length, idsOf(expected)]);
    await rejection(connect({ apiKey: undefined }).list());
    expect(api.requests.map(({ headers }) => headers)).toEqual([
      { accept: 'application/json', 'x-api-key': '***' },
      { accept: 'application/json' },
    ]);
  });

  it('gets one as the service shows it, beside the response', async () => {
    const { data, response } = await connect().get(firstOnline()).withResponse();
    expect(data).toEqual(api.articles.get(firstOnline()));
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  });

  it.each([[{ rendered_url: 'https://www.example.com/blog/seigle' }], [undefined]])(
    'confirms with %j, as JSON',
    async (params) => {
      const confirmed = await connect().confirm(firstOnline(), params);
      expect(confirmed).toMatchObject({ confirmation_source: 'pingback' });
      expect(api.requests).toMatchObject([{ body: params ?? {}, headers: { 'content-type': 'application/json' } }]);
    },
  );

  it('goes through all changes, each once, oldest first, over pages', async () => {
    const seen: Article[] = [];
    for await (const article of connect().changes()) seen.push(article);
    expect(idsOf(seen)).toEqual(idsOf(online()));
    const times = seen.map(({ updated_at }) => updated_at);
    expect(times).toEqual([...times].sort());
    expect(api.requests.length).toBeGreaterThan(1);
  });

  it('a refusal is typed, keeps the words of the service, and does not show the key that they repeat', async () => {
    const { sphere } = api.keys;
    api.fail({ operation: 'articles.get', status: 403, detail: `La clé ${sphere} est refusée.` });
    const error = await caught(connect().get(1), PermissionDeniedError);
    expect(error).toMatchObject({ status: 403, operation: 'articles.get', path: '/articles/1', attempts: 1 });
    expect(error.detail).toContain('est refusée');
    expect(isMultilocalError(error)).toBe(true);
    expect(`${error} ${error.stack} ${JSON.stringify(error)}`).not.toContain(sphere);
  });

  it('a failed connection is one', async () => {
    api.fail({ operation: 'articles.get', network: true });
    const error = await caught(connect({ maxRetries: 0 }).get(1), ConnectionError);
    expect(error).not.toBeInstanceOf(TimeoutError);
  });

  it.each([{ status: 503 }, { network: true }])('repeats a read after %j', async (fault) => {
    api.fail({ operation: 'articles.get', ...fault });
    expect((await connect().get(firstOnline())).id).toBe(firstOnline());
    expect(api.requests).toHaveLength(2);
  });

  it('waits as long as Retry-After says', async () => {
    api.fail({ operation: 'articles.list', status: 429, headers: { 'retry-after': '1' } });
    const delays: number[] = [];
    const onEvent = (event: ClientEvent) => {
      if (event.type === 'retry') delays.push(event.delay);
    };
    await connect({ onEvent }).list();
    expect(delays).toEqual([1000]);
    expect(api.requests.map(({ status }) => status)).toEqual([429, 200]);
  });

  const never = { operation: 'articles.get', delay: Number.POSITIVE_INFINITY };
  const backoff = { operation: 'articles.get', status: 503, headers: { 'retry-after': '30' } };

  it.each([
    ['timeout ends an attempt, which is repeated', { ...never, times: 2 }, { timeout: 200, maxRetries: 1 }, 2],
    ['totalTimeout ends the waits too', backoff, { totalTimeout: 300 }, 1],
  ])('%s, and then a TimeoutError', async (_, fault, options, attempts) => {
    api.fail(fault);
    expect((await caught(connect(options).get(1), TimeoutError)).attempts).toBe(attempts);
  });

  it('an abort before sends nothing', async () => {
    const reason = new Error('left');
    expect(await rejection(connect().get(1, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(api.requests).toEqual([]);
  });

  it.each([
    ['a request', never],
    ['a backoff', backoff],
  ])('an abort ends %s with its reason, at once', async (_, fault) => {
    api.fail(fault);
    const leaving = new AbortController();
    const reason = new Error('left');
    const call = rejection(connect().get(1, { signal: leaving.signal }));
    await expect.poll(() => api.requests.length).toBe(1);
    // The answer, where there is one, arrives meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 50));
    leaving.abort(reason);
    expect(await call).toBe(reason);
    expect(api.requests).toHaveLength(1);
  });

  it.each([
    ['of another shape', { articles: 'none', total: 0, limit: 50, offset: 0 }, [{ path: ['articles'] }]],
    ['that is no JSON', '<html>', []],
  ])('refuses an answer %s, and says what came', async (_, body, issues) => {
    api.fail({ operation: 'articles.list', status: 200, body });
    const error = await caught(connect().list(), InvalidResponseError);
    expect(error).toMatchObject({ status: 200, body, ...(issues.length > 0 && { issues }) });
  });
});
