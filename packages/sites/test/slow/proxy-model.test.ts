// The proxy against the mock: whatever changes, the copy answers what the service answers, byte for byte.
import fc from 'fast-check';
import { Client, memoryStore } from 'multilocal';
import { createMockApi, type MockControl } from 'multilocal/mock/server';
import { describe, expect, it, vi } from 'vitest';
import { articlesProxy } from '../../src/proxy/index.js';
import { LIST, PROXY, useVirtualTime } from '../proxy/helpers.js';

useVirtualTime();

const DAY = 86_400_000;
const runs = Number(process.env.FUZZ_RUNS ?? 20);

const pick = fc.nat(1_000);
const change = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    status: fc.constantFrom('published' as const, 'draft' as const),
    pick,
  }),
  fc.record({ kind: fc.constantFrom('touch', 'rename', 'unpublish', 'publish', 'move', 'remove', 'same'), pick }),
  fc.record({ kind: fc.constant('process' as const), pick }),
);
const query = fc.record(
  {
    status: fc.constant('published'),
    /** Which article's timestamp. */
    updated_since: pick,
    since: pick,
    bulle: pick,
    offset: fc.nat(30),
    limit: fc.integer({ min: 1, max: 100 }),
  },
  { requiredKeys: [] },
);
const step = fc.record({
  changes: fc.array(change, { maxLength: 4 }),
  isDayOver: fc.boolean(),
  queries: fc.array(query, { maxLength: 3 }),
  id: pick,
});

function of<Item>(items: readonly Item[], number: number): Item {
  return items[number % items.length] as Item;
}

function apply(
  api: MockControl,
  { kind, pick: number, ...rest }: { kind: string; pick: number; status?: 'published' | 'draft' },
) {
  const all = api.articles.all();
  const { id } = of(all, number);
  const { articles } = api;
  if (kind === 'add')
    articles.add({ title: `Article ${number}`, bulle_id: of([...LOCATIONS(api), null], number), ...rest });
  if (kind === 'touch') articles.touch(id);
  if (kind === 'rename') articles.touch(id, { title: `${number}`, category: of(['Pains', null], number) });
  if (kind === 'publish') articles.touch(id, { status: 'published' });
  if (kind === 'move') articles.touch(id, { bulle_id: of([...LOCATIONS(api), null], number) });
  if (kind === 'unpublish') articles.unpublish(id);
  if (kind === 'remove' && all.length > 5) articles.remove(id);
  // Many articles with one timestamp, as a migration leaves them.
  if (kind === 'same') {
    const { updated_at } = articles.touch(id);
    for (const other of all.slice(0, number % 12)) articles.touch(other.id, { updated_at });
  }
}

const LOCATIONS = (api: MockControl) => [api.ids.bulle, api.ids.otherBulle];

function parametersOf(
  api: MockControl,
  { updated_since, since, bulle, ...rest }: Partial<Record<string, string | number>>,
) {
  const all = api.articles.all();
  const parameters = {
    ...rest,
    ...(updated_since !== undefined && { updated_since: of(all, Number(updated_since)).updated_at }),
    ...(since !== undefined && { since: of(all, Number(since)).published_at ?? '2026-01-01' }),
    ...(bulle !== undefined && { bulle_id: of(LOCATIONS(api), Number(bulle)) }),
  };
  return new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
}

/** The mock, and proxies as visitors see them: all share a store, and each was started in another process. */
function start() {
  vi.setSystemTime('2026-11-14T09:30:00Z');
  const api = createMockApi({ now: '2026-11-14T09:30:00Z', rateLimit: false });
  const fetch = (input: RequestInfo | URL, init?: RequestInit) => api.handle(new Request(input, init));
  const client = new Client({ apiKey: api.keys.sphere, baseUrl: api.baseUrl, fetch, rateLimit: false });
  const options = {
    client,
    store: memoryStore(),
    refresh: 0,
    perDay: Number.POSITIVE_INFINITY,
    allowMassDeletion: true,
  };
  const proxies = [articlesProxy(options)];
  const visit = async (path: string, number: number) => {
    const response = await of(proxies, number)(new Request(`${PROXY}${LIST}${path}`));
    // White space before the JSON marks a response of a proxy.
    return { status: response.status, body: (await response.text()).trimStart() };
  };
  const ask = async (path: string) => {
    const headers = { 'x-api-key': api.keys.sphere };
    const response = await api.handle(new Request(`${api.baseUrl}/api/v2/articles${path}`, { headers }));
    return { status: response.status, body: await response.text() };
  };
  return { api, visit, ask, addProcess: () => proxies.push(articlesProxy(options)) };
}

describe('whatever happens to the articles', () => {
  it('the copy answers as the service does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { api, visit, ask, addProcess } = start();
        // A deletion shows at the next listing only.
        let isOwed = false;
        await visit('', 0);
        for (const { changes, isDayOver, queries, id: number } of steps) {
          for (const one of changes) {
            if (one.kind === 'process') addProcess();
            else apply(api, one);
            if (one.kind === 'remove') isOwed = true;
          }
          if (isDayOver) {
            await vi.advanceTimersByTimeAsync(DAY);
            await visit('', number);
            isOwed = false;
          }
          if (isOwed) continue;
          for (const one of queries) {
            const path = `?${parametersOf(api, one)}`;
            expect(await visit(path, number), path).toEqual(await ask(path));
          }
          const { id, status } = of(api.articles.all(), number);
          const got = await visit(`/${id}`, number);
          if (status === 'published') expect(got).toEqual(await ask(`/${id}`));
          else expect(got.status).toBe(404);
        }
      }),
      { numRuns: runs },
    );
  });
});
