// Runs key-limiter.ts of the guide in workerd.
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { beforeEach, describe, expect, it } from 'vitest';
import { blocksOf } from '../docs/blocks.js';
import { environmentOf, root } from './run.js';
import { bundle, startWorkerd, temporaryFolder, type Workerd, workerd } from './workerd.js';

let server: MockServer;
beforeEach(async () => {
  server = await startMockServer();
  return () => server.close();
});

/** A Worker that lists articles, or shows the budget. */
const WORKER = `
  import { Client, RateLimitError } from 'multilocal';
  import { durableStore } from './key-limiter.ts';
  export { KeyLimiter } from './key-limiter.ts';

  let client;
  export default {
    async fetch({ url }, { MULTILOCAL_API_KEY: apiKey, MULTILOCAL_BASE_URL: baseUrl, LIMITERS, LIMITS }) {
      const store = durableStore(LIMITERS);
      client ??= new Client({ apiKey, baseUrl, rateLimit: { store, maxWait: 0, onStoreError: 'throw', ...LIMITS } });
      try {
        return Response.json(await (url.endsWith('/budget') ? client.budget() : client.articles.list()));
      } catch (error) {
        return new Response(error.message, { status: error instanceof RateLimitError ? 429 : 500 });
      }
    },
  };
`;

/** Returns a function that starts two Workers, always on the same disk. `one` has the objects, and `other` uses them. */
async function prepare(limits: { perMinute: number; perDay: number }): Promise<() => Promise<Workerd>> {
  const folder = await temporaryFolder();
  const file = blocksOf('docs/guides/limits-in-workers.md').find(({ code }) => code.startsWith('// key-limiter.ts'));
  await writeFile(join(folder, 'key-limiter.ts'), file?.code ?? '');
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  await bundle(join(folder, 'worker.js'), { stdin: { contents: WORKER, resolveDir: folder } });
  const worker = (limiters: string) => `
    modules = [(name = "worker", esModule = embed "worker.js")],
    bindings = [
      (name = "MULTILOCAL_API_KEY", fromEnvironment = "MULTILOCAL_API_KEY"),
      (name = "MULTILOCAL_BASE_URL", fromEnvironment = "MULTILOCAL_BASE_URL"),
      (name = "LIMITS", json = ${JSON.stringify(JSON.stringify(limits))}),
      (name = "LIMITERS", durableObjectNamespace = ${limiters}),
    ],`;
  const objects = `
    durableObjectNamespaces = [(className = "KeyLimiter", uniqueKey = "key-limiter", enableSql = true)],
    durableObjectStorage = (localDisk = "disk"),`;
  const workers = {
    one: worker('"KeyLimiter"') + objects,
    other: worker('(className = "KeyLimiter", serviceName = "one")'),
  };
  return () => startWorkerd(folder, workers, environmentOf(server));
}

describe.skipIf(workerd === undefined)('in workerd', () => {
  it('gives two Workers together the limit of the minute', async () => {
    const start = await prepare({ perMinute: 3, perDay: 1000 });
    const { urls } = await start();
    const places = ['one', 'other', 'one', 'other', 'one', 'other', 'one', 'other'];
    const responses = await Promise.all(places.map((place) => fetch(`${urls[place]}/`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    expect(server.api.requests.map(({ path }) => path)).toEqual(Array(3).fill('/api/v2/articles'));
  });

  it('shows the requests of both Workers in the budget, and keeps them when it is killed', async () => {
    const start = await prepare({ perMinute: 60, perDay: 3 });
    const first = await start();
    for (const place of ['one', 'other', 'one']) expect((await fetch(`${first.urls[place]}/`)).status).toBe(200);
    await first.kill();

    const { urls } = await start();
    for (const place of ['one', 'other']) {
      const budget = await (await fetch(`${urls[place]}/budget`)).json();
      expect(budget).toMatchObject({ day: { limit: 3, used: 3, left: 0 } });
      expect((await fetch(`${urls[place]}/`)).status).toBe(429);
    }
    expect(server.api.requests).toHaveLength(3);
  });
});
