// What every iteration does at each step: it ends with a signal, and its errors show the line of the caller.
import { describe, expect, it, vi } from 'vitest';
import { type Client, memoryStore, type RequestOptions, TimeoutError } from '../../src/index.js';
import { makeClient, makePage, rejection } from '../support/clients.js';
import { ARTICLE, SPHERE_IDENTITY } from '../support/fixtures.js';
import { json, refuse, stubFetch } from '../support/stub-fetch.js';

const FICHES = ['f-1', 'f-2'].map((id) => ({ id, service_area: false }));
const identity = { ...SPHERE_IDENTITY, gmb_fiches: FICHES };
const REVIEW = { review_id: 'r-1', rating: 5 };
const reviews = { reviews: [REVIEW, { ...REVIEW, review_id: 'r-2' }], filtered_count: 2, total_pages: 1, page: 1 };
const later = { ...ARTICLE, id: 43, updated_at: '2099-01-01T00:00:00Z' };
const articles = { articles: [ARTICLE, later], total: 2, limit: 50, offset: 0 };

type Walk = (client: Client, options: RequestOptions, page: ReturnType<typeof makePage>) => AsyncIterable<unknown>;

const WALKS: [name: string, walk: Walk, body: unknown][] = [
  ['posts.list', (c, options) => c.posts.list({}, options), [{ id: 1 }, { id: 2 }]],
  ['posts.list().pages()', (c, options) => c.posts.list({}, options).pages(), [{ id: 1 }, { id: 2 }]],
  ['bulles.list', (c, options) => c.bulles.list(options), [{ id: 'a' }, { id: 'b' }]],
  ['reviews.list', (c, options) => c.reviews.list({ fiche_id: 'f-1' }, options), reviews],
  ['reviews.all', (c, options) => c.reviews.all({}, options), reviews],
  ['reviews.summaries', (c, options) => c.reviews.summaries(options), { status_counts: {} }],
  ['articles.list', (c, options) => c.articles.list({}, options), articles],
  ['articles.changes', (c, options) => c.articles.changes({}, options), articles],
  ['articles.sync', (c, options) => c.articles.sync({}, options), articles],
  ['ArticlesClient.latest', (_, options, page) => page.latest({}, options), articles],
];

function clients(body: unknown) {
  const fetch = stubFetch(json(body, { headers: { 'x-multilocal-proxy': '1' } }));
  const client = makeClient({ fetch, identity, validation: 'off', rateLimit: false });
  return { fetch, client, page: makePage({ fetch, validation: 'off' }) };
}

describe.each(WALKS)('%s', (name, walk, body) => {
  it.each(['call', 'view', 'view of a view'])('gives nothing after the signal of the %s has aborted', async (place) => {
    if (name === 'ArticlesClient.latest' && place !== 'call') return;
    // After each item, the last included.
    for (const most of name.endsWith('pages()') ? [1] : [1, 2]) {
      const { client, page, fetch } = clients(body);
      const controller = new AbortController();
      const { signal } = controller;
      const view = place === 'call' ? client : client.withOptions({ signal });
      const given = place === 'view of a view' ? view.withOptions({ signal: new AbortController().signal }) : view;
      const items = walk(given, place === 'call' ? { signal } : {}, page)[Symbol.asyncIterator]();
      for (let index = 0; index < most; index++) expect((await items.next()).done).toBe(false);
      const sent = fetch.calls.length;
      controller.abort(new Error('shutdown'));
      expect(await rejection(items.next())).toBe(signal.reason);
      expect((await items.next()).done).toBe(true);
      expect(fetch.calls).toHaveLength(sent);
    }
  });
});

it('syncTo ends with the reason of a signal that aborts while the last article is stored', async () => {
  const { client } = clients(articles);
  const controller = new AbortController();
  const store = memoryStore();
  const put = (article: typeof ARTICLE) => {
    store.put(article);
    if (article.id === later.id) controller.abort(new Error('shutdown'));
  };
  const run = client.articles.syncTo({ ...store, put }, {}, { signal: controller.signal });
  expect(await rejection(run)).toBe(controller.signal.reason);
});

it('an error of the package that is the reason of a signal ends an iteration over all listings too', async () => {
  const reason = new TimeoutError('shutdown');
  const controller = new AbortController();
  const fetch = stubFetch((...given) => {
    controller.abort(reason);
    return json(reviews)(...given);
  });
  const onFailure = vi.fn();
  const options = { signal: controller.signal, onFailure };
  const walk = async () => {
    for await (const _ of makeClient({ fetch, identity }).reviews.all({}, options));
  };
  expect(await rejection(walk())).toBe(reason);
  expect(onFailure).not.toHaveBeenCalled();
});

it('leaves nothing at a signal that many iterations had', { tags: 'long' }, async () => {
  const { client } = clients([{ id: 1 }]);
  const { signal } = new AbortController();
  let listeners = 0;
  signal.addEventListener = () => void listeners++;
  signal.removeEventListener = () => void listeners--;
  for (let index = 0; index < 200; index++) await client.posts.list({}, { signal }).toArray();
  expect(listeners).toBe(0);
});

const ORDER = { type: 'fiche', fiche_ids: ['f-1'], date_start: '2026-10-01', date_end: '2026-10-31' } as const;

const CALLS: [name: string, call: (client: Client) => PromiseLike<unknown>][] = [
  ...WALKS.slice(0, -1).map(
    ([name, walk]) => [name, (client: Client) => all(walk(client, {}, makePage()))] as (typeof CALLS)[number],
  ),
  ['toArray', (client) => client.posts.list().toArray()],
  ['findRecent', (client) => client.posts.findRecent({ content: 'a', since: new Date() })],
  ['posts.check', (client) => client.posts.check({ content: 'a', platforms: ['facebook'], bulle_id: 'b' })],
  ['waitUntilWritten', (client) => client.articles.waitUntilWritten(1)],
  ['reports.wait', (client) => client.reports.wait({ report_name: 'a' })],
  ['createAndWait', (client) => client.reports.createAndWait(ORDER)],
  ['createAndWaitAll', (client) => all(client.reports.createAndWaitAll([ORDER]), ({ error }) => Promise.reject(error))],
  ['syncTo', (client) => client.articles.syncTo(memoryStore())],
];

async function all<Item>(items: AsyncIterable<Item>, use: (item: Item) => unknown = () => {}): Promise<void> {
  for await (const item of items) await use(item);
}

it.each(CALLS)('the stack of an error of %s shows the caller', async (_, call) => {
  const client = makeClient({ fetch: stubFetch(refuse(404)), identity });
  const error = (await rejection(
    (async function theCaller() {
      await call(client);
    })(),
  )) as Error;
  expect(error.stack).toContain(`${error.name}: ${error.message}`);
  expect(error.stack).toContain('theCaller');
});

it('the stack of an error of a later page shows the caller', async () => {
  const client = makeClient({ fetch: stubFetch(json([{ id: 1 }]), refuse(404)), validation: 'off' });
  const error = await rejection(
    (async function theCaller() {
      for await (const _ of client.posts.list({ limit: 1 }));
    })(),
  );
  expect((error as Error).stack).toContain('theCaller');
});
