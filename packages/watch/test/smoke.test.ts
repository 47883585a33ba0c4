import { Client } from 'multilocal';
import { createMockApi } from 'multilocal/mock/server';
import { memoryCursor, watch, watchPlan } from 'multilocal/watch';
import { it, vi } from 'vitest';

it('smoke', async () => {
  vi.useFakeTimers();
  const api = createMockApi({ baseUrl: 'http://localhost' });
  const client = new Client({ apiKey: api.keys.sphere, baseUrl: 'http://localhost', fetch: api.handle });
  const cursor = memoryCursor();
  console.log(await watchPlan(client));
  const run = async () => {
    const found: string[] = [];
    for await (const event of watch(client, { cursor, once: true }))
      found.push(`${event.type} ${event.id} ${event.at}`);
    return found;
  };
  console.log(await run(), api.requests.length, (await cursor.load())!.length);
  console.log(await run(), api.requests.length);
  api.reviews.add({});
  api.posts.add({});
  api.articles.add?.({});
  await vi.advanceTimersByTimeAsync(24 * 3600_000);
  console.log(await run(), api.requests.length, (await cursor.load())!.length);
  vi.useRealTimers();
});
