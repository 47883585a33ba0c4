import type { MockControl } from '@multilocal/mock/types';
import { createMockApi } from 'multilocal/mock';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ArticlesClient } from '../../src/articles.js';
import { Client, type ClientOptions, memoryStore } from '../../src/index.js';

const options = { rateLimit: false, maxRetries: 1 } as const;
let server: MockServer;
beforeAll(async () => {
  server = await startMockServer({ port: 0 });
});
afterAll(() => server.close());

interface Place {
  api: MockControl;
  connect(options?: ClientOptions): Client;
}

/** The mock in this process, and the same over real HTTP. */
const places: [string, () => Place][] = [
  [
    'in process',
    () => {
      const api = createMockApi();
      const { baseUrl, handle } = api;
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const response = await handle(new Request(input, init));
        if (response.type === 'error') throw new TypeError('fetch failed');
        return response;
      };
      return { api, connect: (more) => new Client({ apiKey: api.keys.sphere, baseUrl, fetch, ...options, ...more }) };
    },
  ],
  [
    'over HTTP',
    () => {
      const { api, url: baseUrl } = server;
      api.reset();
      return { api, connect: (more) => new Client({ apiKey: api.keys.sphere, baseUrl, ...options, ...more }) };
    },
  ],
];

describe.each(places)('articles against the mock, %s', (_, open) => {
  let api: MockControl;
  let connect: Place['connect'];
  let client: Client;
  beforeEach(() => {
    ({ api, connect } = open());
    client = connect();
  });

  it('connects and knows the kind of its key', async () => {
    await client.me();
    expect(client.scope).toEqual({ kind: 'sphere' });
    const bubble = connect({ apiKey: api.keys.bulle });
    await bubble.me();
    expect(bubble.scope).toMatchObject({ kind: 'bulle', bulle: { id: api.ids.bulle } });
  });

  it('reads brand, locations, connections and limits', async () => {
    expect(await client.health()).toMatchObject({ status: 'ok', api_version: '2.0' });
    expect((await client.spheres.list()).map(({ id }) => id)).toEqual([api.ids.sphere]);
    expect((await client.bulles.list()).length).toBeGreaterThanOrEqual(12);
    expect(await client.bulles.get(api.ids.bulle)).toMatchObject({ id: api.ids.bulle, gmb_fiches_count: 1 });
    expect(
      (await client.forBulle(api.ids.bulle).connections.list()).every(({ bulle_id }) => bulle_id === api.ids.bulle),
    ).toBe(true);
    expect(Object.keys((await client.platforms.limits()).character_limits)).toHaveLength(9);
  });

  it('copies every published article with one request per page, then sends one request if nothing is new', async () => {
    const store = memoryStore();
    const first = await client.articles.syncTo(store);
    const online = api.articles.all().filter(({ status }) => status === 'published');
    expect([...store.articles.keys()].sort()).toEqual(online.map(({ id }) => id).sort());
    expect(first.requests).toBe(Math.ceil(api.articles.all().length / 50));
    expect(await client.articles.syncTo(store)).toMatchObject({ upserted: 0, unpublished: 0, deleted: 0, requests: 1 });
  });

  it('shows one change, one article taken offline and one deleted as exactly these three', async () => {
    const store = memoryStore();
    await client.articles.syncTo(store);
    const [changed, offline, deleted] = [...store.articles.keys()] as [number, number, number];
    api.articles.touch(changed, { title: 'Nouveau titre' });
    api.articles.unpublish(offline);
    api.articles.remove(deleted);
    const second = await client.articles.syncTo(store, { reconcile: true });
    expect(second).toMatchObject({ upserted: 1, unpublished: 1, deleted: 1 });
    expect(store.articles.get(changed)?.title).toBe('Nouveau titre');
    expect(store.articles.has(offline) || store.articles.has(deleted)).toBe(false);
  });

  it('creates an article, waits for its text, edits, rehearses, publishes and confirms it', async () => {
    const { created, generating } = await client.forBulle(api.ids.bulle).articles.create({
      title: 'Le pain de seigle',
      target_keyword: 'pain de seigle',
    });
    expect(generating).toBe(true);
    const [{ id }] = created as [{ id: number }];
    const polls: number[] = [];
    const article = await client.articles.waitUntilWritten(id, {
      pollInterval: 1,
      onPoll: ({ polls: count }) => {
        polls.push(count);
        if (count === 3) api.advance(120_000);
      },
    });
    expect(polls).toEqual([1, 2, 3]);
    expect(article.content_html).toContain('<');
    expect(await client.articles.update(id, { category: 'Pains' })).toMatchObject({ updated_fields: ['category'] });

    const before = api.snapshot();
    expect(await client.articles.publish(id, { dry_run: true })).toMatchObject({ dry_run: true });
    expect(await client.dryRun.articles.publish(id)).toMatchObject({ dry_run: true });
    expect(api.snapshot()).toEqual(before);

    expect(await client.articles.publish(id)).toMatchObject({ scheduled: false, article_id: id });
    await expect(client.articles.update(id, { title: 'Trop tard' })).rejects.toMatchObject({ code: 'conflict' });
    const rendered_url = 'https://www.example.com/blog/seigle';
    expect(await client.articles.confirm(id, { rendered_url })).toMatchObject({ confirmation_source: 'pingback' });
    expect(api.articles.confirmation(id)?.rendered_url).toBe(rendered_url);
  });

  it('never publishes twice: a lost response ends the call with outcome unknown, after one request', async () => {
    const draft = api.articles.all().find(({ status, content_html }) => status === 'draft' && content_html) as {
      id: number;
    };
    for (const fault of [{ status: 500 }, { status: 502 }, { status: 503 }, { network: true }]) {
      const count = api.requests.length;
      api.fail({ operation: 'articles.publish', applied: true, ...fault });
      await expect(client.articles.publish(draft.id)).rejects.toMatchObject({ outcome: 'unknown', attempts: 1 });
      expect(api.requests.length).toBe(count + 1);
      api.reset();
    }
  });

  it('gives up waiting with the id of the article', async () => {
    const { created } = await client
      .forBulle(api.ids.bulle)
      .articles.create({ title: 'Brioche', target_keyword: 'brioche' });
    const [{ id }] = created as [{ id: number }];
    await expect(client.articles.waitUntilWritten(id, { pollInterval: 5, timeout: 30 })).rejects.toMatchObject({
      code: 'wait_timeout',
      id,
    });
  });

  it('continues after a temporary failure of a poll, but not after a permanent one', async () => {
    const id = (api.articles.all()[0] as { id: number }).id;
    api.fail({ operation: 'articles.get', status: 503, times: 4 });
    const quick = connect({ maxRetries: 0 });
    expect(await quick.articles.waitUntilWritten(id, { pollInterval: 1 })).toMatchObject({ id });
    await expect(quick.articles.waitUntilWritten(999_999, { pollInterval: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('says which location is out of scope, and which does not exist', async () => {
    const bubble = connect({ apiKey: api.keys.bulle });
    await expect(bubble.articles.list({ bulle_id: api.ids.otherBulle })).rejects.toMatchObject({
      code: 'bulle_out_of_scope',
    });
    await expect(client.bulles.get('nowhere')).rejects.toMatchObject({ code: 'bulle_not_found', bulle_id: 'nowhere' });
  });

  it('serves ArticlesClient', async () => {
    const { origin, pathname } = new URL(api.baseUrl);
    const fetch = ((input, init) => api.handle(new Request(input, init))) satisfies typeof globalThis.fetch;
    const articles = new ArticlesClient({
      apiKey: api.keys.readOnly,
      baseUrl: `${origin}${pathname}`,
      fetch,
    });
    const titles: unknown[] = [];
    for await (const { title } of articles.changes({ bulle_id: api.ids.bulle })) titles.push(title);
    expect(titles.length).toBe((await articles.list({ status: 'published', bulle_id: api.ids.bulle })).total);
    expect(api.requests.some(({ path }) => path.endsWith('/me'))).toBe(false);
  });
});
