import { join } from 'node:path';
import type { RateLimitStore, TakeRequest } from 'multilocal';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type MockServer, startMockServer } from '../../src/mock/server.js';
import { environmentOf, example } from './run.js';
import { bundle, startWorkerd, temporaryFolder, type Workerd, workerd } from './workerd.js';

const DAY = 86_400_000;

let server: MockServer;
beforeEach(async () => {
  server = await startMockServer();
  return () => server.close();
});

interface Limits {
  perMinute: number;
  perDay: number;
}

/**
 * Returns a function that starts three Workers, always on the same disk. `one` has the objects, and `other` uses them
 * from an isolate of its own. `store` calls the methods of the store.
 */
async function prepare({ perMinute, perDay }: Limits): Promise<() => Promise<Workerd>> {
  const folder = await temporaryFolder();
  await bundle(join(folder, 'worker.js'), { entryPoints: [join(example('worker-limiter'), 'worker.ts')] });
  await bundle(join(folder, 'store.js'), { stdin: { contents: STORE, resolveDir: example('worker-limiter') } });
  const bindings = (limiters: string) => `bindings = [
    (name = "MULTILOCAL_API_KEY", fromEnvironment = "MULTILOCAL_API_KEY"),
    (name = "MULTILOCAL_BASE_URL", fromEnvironment = "MULTILOCAL_BASE_URL"),
    (name = "PER_MINUTE", json = "${perMinute}"),
    (name = "PER_DAY", json = "${perDay}"),
    (name = "LIMITERS", durableObjectNamespace = ${limiters}),
  ],`;
  const code = (file: string) => `modules = [(name = "worker", esModule = embed "${file}")],`;
  const here = `"KeyLimiter"`;
  const there = `(className = "KeyLimiter", serviceName = "one")`;
  const objects = `
    durableObjectNamespaces = [(className = "KeyLimiter", uniqueKey = "key-limiter", enableSql = true)],
    durableObjectStorage = (localDisk = "disk"),`;
  const workers = {
    one: code('worker.js') + bindings(here) + objects,
    other: code('worker.js') + bindings(there),
    store: code('store.js') + bindings(there),
  };
  return () => startWorkerd(folder, workers, environmentOf(server));
}

/** A Worker that lets the test call the store. Like the client, it responds without waiting for `settle`. */
const STORE = `
  import { durableStore } from './key-limiter.ts';
  export default {
    async fetch(request, { LIMITERS }) {
      const [method, ...args] = await request.json();
      const answer = durableStore(LIMITERS)[method](...args);
      return Response.json(method === 'settle' ? null : ((await answer) ?? null));
    },
  };
`;

/** The store of the example, for callers outside of workerd. */
function storeOf({ urls }: Workerd): Required<RateLimitStore> {
  const call =
    (method: keyof RateLimitStore) =>
    async (...args: unknown[]) => {
      const response = await fetch(`${urls.store}`, { method: 'POST', body: JSON.stringify([method, ...args]) });
      expect(response.status).toBe(200);
      return response.json();
    };
  return { take: call('take'), settle: call('settle'), hold: call('hold'), count: call('count') };
}

const request = (id: string): TakeRequest => {
  return { id, windows: [[DAY, 1]], maxWait: DAY, timeout: DAY };
};

describe.skipIf(workerd === undefined)('in workerd', () => {
  it('gives two Workers together the limit of the minute', async () => {
    const start = await prepare({ perMinute: 3, perDay: 1000 });
    const { urls } = await start();
    const places = ['one', 'other', 'one', 'other', 'one', 'other', 'one', 'other'];
    const responses = await Promise.all(places.map((place) => fetch(`${urls[place]}/articles`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    expect(server.api.requests.map(({ path }) => path)).toEqual(Array(3).fill('/api/v2/articles'));

    for (const response of responses) {
      if (response.ok) expect((await response.json()) as string[]).not.toHaveLength(0);
      else expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('shows the requests of both Workers in the budget, and keeps them when it is killed', async () => {
    const start = await prepare({ perMinute: 60, perDay: 3 });
    const first = await start();
    for (const place of ['one', 'other', 'one']) {
      expect((await fetch(`${first.urls[place]}/articles`)).status).toBe(200);
    }
    const spent = { day: { limit: 3, used: 3, left: 0 } };
    for (const place of ['one', 'other']) {
      expect(await (await fetch(`${first.urls[place]}/budget`)).json()).toMatchObject(spent);
    }
    await first.kill();

    const second = await start();
    for (const place of ['one', 'other']) {
      expect(await (await fetch(`${second.urls[place]}/budget`)).json()).toMatchObject(spent);
      expect((await fetch(`${second.urls[place]}/articles`)).status).toBe(429);
    }
    expect(server.api.requests).toHaveLength(3);
  });

  it('lets a waiting call go when a place is given back', async () => {
    const start = await prepare({ perMinute: 60, perDay: 1000 });
    const store = storeOf(await start());
    expect(await store.take('key', request('first'))).toEqual({ state: 'go', ms: 0 });
    expect(await store.take('key', request('second'))).toMatchObject({ state: 'wait' });
    expect(await store.count('key', [DAY])).toEqual({ used: [1], waiting: 1 });
    // Another key has an object of its own.
    expect(await store.count('other key', [DAY])).toEqual({ used: [0], waiting: 0 });

    await store.settle('key', 'first', 'unsent');
    await vi.waitFor(async () => expect(await store.count('key', [DAY])).toEqual({ used: [0], waiting: 1 }), 30_000);
    expect(await store.take('key', request('second'))).toEqual({ state: 'go', ms: 0 });
    expect(await store.count('key', [DAY])).toEqual({ used: [1], waiting: 0 });
  });

  it('keeps calls in flight, the queue and a pause when it is killed', async () => {
    const start = await prepare({ perMinute: 60, perDay: 1000 });
    const first = await start();
    const before = storeOf(first);
    await before.take('key', request('first'));
    await before.take('key', request('second'));
    await before.hold('held', DAY);
    await first.kill();

    const after = storeOf(await start());
    expect(await after.count('key', [DAY])).toEqual({ used: [1], waiting: 1 });
    expect(await after.take('key', request('first'))).toEqual({ state: 'go', ms: 0 });
    expect(await after.take('held', { ...request('third'), maxWait: 0 })).toMatchObject({ state: 'refused' });
  });
});
