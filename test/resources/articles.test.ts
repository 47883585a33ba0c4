// The client against the mock over real HTTP, from the first read to the published page.
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { beforeEach, expect, it } from 'vitest';
import { Client, memoryStore } from '../../src/index.js';

let server: MockServer;
let client: Client;
beforeEach(async () => {
  server = await startMockServer({ port: 0 });
  client = new Client({ apiKey: server.api.keys.sphere, baseUrl: server.url, rateLimit: false });
  return () => server.close();
});

it('reads brand, locations, connections and limits, and knows the kind of its key', async () => {
  const { api, url: baseUrl } = server;
  await client.me();
  expect(client.scope).toEqual({ kind: 'sphere' });
  const bubble = new Client({ apiKey: api.keys.bulle, baseUrl });
  await bubble.me();
  expect(bubble.scope).toMatchObject({ kind: 'bulle', bulle: { id: api.ids.bulle } });
  expect((await client.spheres.list()).map(({ id }) => id)).toEqual([api.ids.sphere]);
  expect((await client.bulles.list()).length).toBeGreaterThanOrEqual(12);
  const connections = await client.forBulle(api.ids.bulle).connections.list();
  expect(connections.every(({ bulle_id }) => bulle_id === api.ids.bulle)).toBe(true);
  expect(Object.keys((await client.platforms.limits()).character_limits)).toHaveLength(9);
});

it('copies every published article, then only what changed, went offline or was deleted', async () => {
  const { api } = server;
  const store = memoryStore();
  const first = await client.articles.syncTo(store);
  const online = api.articles.all().filter(({ status }) => status === 'published');
  expect([...store.articles.keys()].sort()).toEqual(online.map(({ id }) => id).sort());
  expect(first.requests).toBe(Math.ceil(api.articles.all().length / 50));
  const [changed, offline, deleted] = [...store.articles.keys()] as [number, number, number];
  api.articles.touch(changed, { title: 'Nouveau titre' });
  api.articles.unpublish(offline);
  api.articles.remove(deleted);
  const second = await client.articles.syncTo(store, { reconcile: true });
  expect(second).toMatchObject({ upserted: 1, unpublished: 1, deleted: 1 });
  expect(store.articles.get(changed)?.title).toBe('Nouveau titre');
  expect(store.articles.has(offline) || store.articles.has(deleted)).toBe(false);
  expect(await client.articles.syncTo(store)).toMatchObject({ upserted: 0, unpublished: 0, deleted: 0, requests: 1 });
});

it('creates an article, waits for its text, edits, rehearses, publishes and confirms it', async () => {
  const { api } = server;
  const draft = { title: 'Le pain de seigle', target_keyword: 'pain de seigle' };
  const { created, generating } = await client.forBulle(api.ids.bulle).articles.create(draft);
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

  // A lost response ends the call with outcome unknown, after one request.
  for (const fault of [{ status: 500 }, { network: true }]) {
    const count = api.requests.length;
    api.fail({ operation: 'articles.publish', ...fault });
    await expect(client.articles.publish(id)).rejects.toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(api.requests.length).toBe(count + 1);
  }
  expect(await client.articles.publish(id)).toMatchObject({ scheduled: false, article_id: id });
  await expect(client.articles.update(id, { title: 'Trop tard' })).rejects.toMatchObject({ code: 'conflict' });
  const rendered_url = 'https://www.example.com/blog/seigle';
  expect(await client.articles.confirm(id, { rendered_url })).toMatchObject({ confirmation_source: 'pingback' });
  expect(api.articles.confirmation(id)?.rendered_url).toBe(rendered_url);
});
