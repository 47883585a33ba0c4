// The number of requests that a job costs: a key has 1000 a day.

import { createMockApi } from 'multilocal/mock/server';
import { beforeEach, expect, it, vi } from 'vitest';
import { Client, memoryStore, type PostCreateParams } from '../../src/index.js';
import { freshUrl } from '../support/clients.js';
import { turned } from '../support/clock.js';

beforeEach(() => void vi.useFakeTimers());

function open() {
  const api = createMockApi({ baseUrl: freshUrl(), rateLimit: { perMinute: 60, perDay: 1000 } });
  const fetch: typeof globalThis.fetch = (input, init) => api.handle(new Request(input, init));
  const options = { apiKey: api.keys.sphere, baseUrl: api.baseUrl, fetch };
  /** Counts the requests of some work. The clock goes on until the work has ended. */
  const count = async (work: () => PromiseLike<unknown>) => {
    const before = api.requests.length;
    await turned(work());
    return api.requests.length - before;
  };
  return { api, options, client: new Client(options), count };
}

it('connecting sends 1 request', async () => {
  const { options, count } = open();
  expect(await count(() => Client.connect(options))).toBe(1);
});

it('a full sync of 12 pages sends 12 requests, and a sync with nothing new sends 1', async () => {
  const { api, client, count } = open();
  // The last page is half full.
  while (api.articles.all().length < 11.5 * 50) api.articles.add();
  const store = memoryStore();
  expect(await count(() => client.articles.syncTo(store))).toBe(12);
  expect(await count(() => client.articles.syncTo(store))).toBe(1);
});

it('a report that is ready after 90 s takes 6 requests', async () => {
  const { api, client, count } = open();
  const params = {
    type: 'fiche',
    fiche_ids: [api.ids.fiche],
    date_start: '2026-10-01',
    date_end: '2026-10-31',
  } as const;
  expect(await count(() => client.reports.createAndWait(params))).toBe(6);
});

it('the first check of a post sends 2 requests, and the second check sends none', async () => {
  const { api, client, count } = open();
  const post = {
    content: 'La brioche du dimanche',
    platforms: ['facebook'],
    bulle_id: api.ids.bulle,
  } satisfies PostCreateParams;
  const check = () => client.posts.check(post);
  expect([await count(check), await count(check)]).toEqual([2, 0]);
});
