import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Client, type MemoryStore, memoryStore } from '../../src/index.js';
import { Service, type Write } from '../sync/service.js';

const runs = Number(process.env.FUZZ_RUNS ?? 150);

const picks = fc.array(fc.nat(60), { minLength: 1, maxLength: 9 });
const write = (...kinds: Write['kind'][]) => fc.record({ kind: fc.constantFrom(...kinds), picks });
const history = (...kinds: Write['kind'][]) => ({
  pageSize: fc.integer({ min: 2, max: 6 }),
  before: fc.array(write('create', ...kinds), { minLength: 1, maxLength: 12 }),
  /** What happens before each answer, `[]` for nothing. */
  during: fc.array(fc.array(write('create', ...kinds), { maxLength: 2 }), { maxLength: 30 }),
  /** After how many events each run is ended from outside; the last runs to its end. */
  interruptions: fc.array(fc.nat(12), { maxLength: 4 }),
});

function connect(service: Service): Client {
  return new Client({
    apiKey: 'test-key',
    baseUrl: 'https://service.test',
    fetch: service.fetch,
    rateLimit: false,
    maxRetries: 0,
  });
}

/** A run that is ended after so many events, as a crash would end it: nothing after the last event is stored. */
async function interruptedRun(client: Client, store: MemoryStore, events: number): Promise<void> {
  let left = events;
  const params = { cursor: await store.loadCursor(), known: store.ids(), allowMassDeletion: true };
  for await (const event of client.articles.sync(params)) {
    if (left-- === 0) return;
    if (event.type === 'upsert') await store.put(event.article);
    else if (event.type === 'checkpoint') await store.saveCursor(event.cursor);
    else await store.remove(event.id);
  }
}

function held(store: MemoryStore): string[] {
  return [...store.articles.values()].map(({ id, updated_at }) => `${id}@${updated_at}`).sort();
}

/** A walk that does not end asks for ever: this many pages are more than any of these histories needs. */
function guard(service: Service, limit: number): void {
  if (service.requests.length > limit) throw new Error(`more than ${limit} requests: the walk does not end`);
}

describe('sync, whatever happens on the service and to the run', () => {
  it('ends with a store equal to the list without a reconcile, unless articles are deleted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record(history('touch', 'publish', 'unpublish')),
        async ({ pageSize, before, during, interruptions }) => {
          const service = new Service({ pageSize });
          for (const one of before) service.write(one);
          const queue = [...during];
          service.beforeAnswer = () => {
            guard(service, 600);
            for (const one of queue.shift() ?? []) service.write(one);
          };
          const client = connect(service);
          const store = memoryStore();
          for (const events of interruptions) await interruptedRun(client, store, events);
          await client.articles.syncTo(store);
          for (const rest of queue.splice(0)) for (const one of rest) service.write(one);
          await client.articles.syncTo(store);
          expect(held(store)).toEqual(service.online);
        },
      ),
      { numRuns: runs },
    );
  });

  it('ends with a store equal to the list after a reconcile, including deletions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record(history('touch', 'publish', 'unpublish', 'delete', 'delete')),
        async ({ pageSize, before, during, interruptions }) => {
          const service = new Service({ pageSize });
          for (const one of before) service.write(one);
          const queue = [...during];
          service.beforeAnswer = () => {
            guard(service, 600);
            for (const one of queue.shift() ?? []) service.write(one);
          };
          const client = connect(service);
          const store = memoryStore();
          for (const events of interruptions) await interruptedRun(client, store, events);
          await client.articles.syncTo(store, { allowMassDeletion: true });
          for (const rest of queue.splice(0)) for (const one of rest) service.write(one);
          await client.articles.syncTo(store, { reconcile: true, allowMassDeletion: true });
          expect(held(store)).toEqual(service.online);
        },
      ),
      { numRuns: runs },
    );
  });

  it('delivers each version once and in order through changes()', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(history('touch', 'unpublish', 'delete')), async ({ pageSize, before, during }) => {
        const service = new Service({ pageSize });
        for (const one of before) service.write(one);
        const queue = [...during];
        service.beforeAnswer = () => {
          guard(service, 600);
          for (const one of queue.shift() ?? []) service.write(one);
        };
        const versions: string[] = [];
        for await (const { id, updated_at } of connect(service).articles.changes({ status: 'all' })) {
          versions.push(`${updated_at}#${id}`);
        }
        expect(new Set(versions).size).toBe(versions.length);
        const times = versions.map((version) => version.slice(0, version.indexOf('#')));
        expect(times).toEqual([...times].sort());
      }),
      { numRuns: runs },
    );
  });
});
