import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Client, type MemoryStore, memoryStore, type SyncToOptions } from '../../src/index.js';
import { articlesOf, held, Service, type Write } from '../sync/service.js';

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

/** A service with this history, and its articles. `end` makes happen what has not happened. */
function live({ pageSize, before, during }: { pageSize: number; before: Write[]; during: Write[][] }) {
  const service = new Service({ pageSize });
  const queue = [...during];
  const happen = (writes: readonly Write[]) => {
    for (const one of writes) service.write(one);
  };
  happen(before);
  service.beforeAnswer = () => {
    // A walk that does not end asks for ever: this many pages are more than any of these histories needs.
    if (service.requests.length > 600) throw new Error('more than 600 requests: the walk does not end');
    happen(queue.shift() ?? []);
  };
  return { service, articles: articlesOf(service, { maxRetries: 0 }), end: () => happen(queue.splice(0).flat()) };
}

/** A run that is ended after so many events, as a crash would end it: nothing after the last event is stored. */
async function interruptedRun(articles: Client['articles'], store: MemoryStore, events: number): Promise<void> {
  let left = events;
  const params = { cursor: await store.loadCursor(), known: store.ids(), allowMassDeletion: true };
  for await (const event of articles.sync(params)) {
    if (left-- === 0) return;
    if (event.type === 'upsert') await store.put(event.article);
    else if (event.type === 'checkpoint') await store.saveCursor(event.cursor);
    else await store.remove(event.id);
  }
}

describe('sync, whatever happens on the service and to the run', () => {
  it.each<[title: string, kinds: Write['kind'][], last: SyncToOptions]>([
    ['without a reconcile, unless articles are deleted', ['touch', 'publish', 'unpublish'], {}],
    ['after a reconcile', ['touch', 'publish', 'unpublish', 'delete', 'delete'], { reconcile: true }],
  ])('ends with a store equal to the list %s', async (_, kinds, last) => {
    await fc.assert(
      fc.asyncProperty(fc.record(history(...kinds)), async ({ interruptions, ...rest }) => {
        const { service, articles, end } = live(rest);
        const store = memoryStore();
        for (const events of interruptions) await interruptedRun(articles, store, events);
        await articles.syncTo(store, { allowMassDeletion: true });
        end();
        await articles.syncTo(store, { ...last, allowMassDeletion: true });
        expect(held(store)).toEqual(service.online);
      }),
      { numRuns: runs },
    );
  });

  it('delivers each version once and in order through changes()', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(history('touch', 'unpublish', 'delete')), async (given) => {
        const versions: string[] = [];
        for await (const { id, updated_at } of live(given).articles.changes({ status: 'all' })) {
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
