import { join, normalize, resolve } from 'node:path';
import { articlesOf, Service, type Write } from '@multilocal/test/sync/service';
import fc from 'fast-check';
import type { Article, ArticleStore, PlanError } from 'multilocal';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { directoryStore, fileJournal } from '../src/node.js';
import { disk } from './disk.js';

// Other files of the thread have loaded the modules that shall get this disk, and those that follow shall not.
vi.hoisted(() => vi.resetModules());
vi.mock('node:fs/promises', async () => (await import('./disk.js')).disk.module);
vi.mock('node:timers/promises', () => ({ setTimeout: async () => {} }));
afterAll(() => {
  for (const name of ['fs', 'timers']) vi.doUnmock(`node:${name}/promises`);
  vi.resetModules();
});

const runs = Number(process.env.FUZZ_RUNS ?? 30);
const FOLDER = 'content';
const article = (id: number, updated_at = '2026-01-01T00:00:00Z'): Article => {
  return { id, title: 'T', status: 'published', created_at: '2026-01-01T00:00:00Z', updated_at };
};
const versions = () =>
  [...disk.files]
    .filter(([path]) => /\d+\.json$/.test(path))
    .map(([, text]) => JSON.parse(text) as Article)
    .map(({ id, updated_at }) => `${id}@${updated_at}`)
    .sort();

beforeEach(() => disk.reset());

/** The store without its lease, which costs no article if the power is cut. */
function storeOf(): ArticleStore {
  const { lease: _, ...store } = directoryStore(FOLDER);
  return store;
}

const LISTING = { bulle_id: null, isFirst: false, missing: null };

describe('what cannot be stored', () => {
  it.each([
    [{ id: '../x' }, 'id'],
    [{ id: undefined }, 'id'],
    [{ updated_at: null }, 'updated_at'],
  ])('%j: an InvalidRequestError, and no file', async (wrong, name) => {
    const store = storeOf();
    const put = async () => store.put({ ...article(1), ...wrong } as never);
    await expect(put()).rejects.toMatchObject({ code: 'invalid_request', issues: [{ path: [name] }] });
    const remove = async () => store.remove('../x' as never);
    await expect(remove()).rejects.toMatchObject({ code: 'invalid_request', issues: [{ path: ['id'] }] });
    expect(disk.files.size).toBe(0);
  });
});

describe('directoryStore on Windows', () => {
  // A handle that was opened for reading cannot be flushed there, and a folder cannot be opened.
  it.each(['EISDIR', 'EPERM'])('a sync saves its cursor although folders fail with %s', async (code) => {
    disk.windows = code;
    const service = new Service({ pageSize: 2 });
    service.write({ kind: 'create', picks: [1, 2, 3] });
    const articles = articlesOf(service);
    const { cursor } = await articles.syncTo(storeOf());
    expect(cursor).not.toBeNull();
    expect(await storeOf().loadCursor()).toBe(cursor);
    expect(versions()).toEqual(service.online);
    expect(await articles.syncTo(storeOf(), { reconcile: true })).toMatchObject({ cursor });
  });

  it.each(['EPERM', 'EACCES', 'EBUSY'])(
    'an article that a reader has open for a moment is replaced (%s)',
    async (code) => {
      const store = storeOf();
      await store.put(article(1));
      disk.inUse.set(join(FOLDER, '1.json'), { code, times: 3 });
      await store.put(article(1, '2026-01-02T00:00:00Z'));
      expect(versions()).toEqual(['1@2026-01-02T00:00:00Z']);
      disk.inUse.set(join(FOLDER, '1.json'), { code, times: 3 });
      await store.remove(1);
      expect(versions()).toEqual([]);
    },
  );

  it('an article whose file stays open fails with the code of the system, and the old version stays', async () => {
    const store = storeOf();
    await store.put(article(1));
    disk.inUse.set(join(FOLDER, '1.json'), { code: 'EBUSY', times: Number.POSITIVE_INFINITY });
    await expect(store.put(article(1, '2026-01-02T00:00:00Z'))).rejects.toMatchObject({
      code: 'configuration',
      cause: { code: 'EBUSY' },
    });
    expect(versions()).toEqual(['1@2026-01-01T00:00:00Z']);
    expect([...disk.files.keys()]).toEqual([join(FOLDER, '1.json')]);
  });

  it('other failures are not retried', async () => {
    const store = storeOf();
    disk.inUse.set(join(FOLDER, '1.json'), { code: 'ENOSPC', times: 1 });
    await expect(store.put(article(1))).rejects.toMatchObject({ cause: { code: 'ENOSPC' } });
  });
});

it('the lock of a journal, whose file another program has open at the end, is free for the next run', async () => {
  const path = resolve(FOLDER, 'journal.json');
  await disk.module.mkdir(resolve(FOLDER));
  for (const times of [3, Number.POSITIVE_INFINITY]) {
    const release = await fileJournal(path).hold?.();
    disk.inUse.set(`${path}.lock`, { code: 'EBUSY', times });
    await release?.();
    expect(disk.files.size, `in use ${times} times`).toBe(Number.isFinite(times) ? 0 : 1);
    disk.inUse.clear();
  }
  expect(await fileJournal(path).save('{}', null)).toBe(true);
  expect([...disk.files.keys()]).toEqual([path]);
});

// The disk of the tests has no hard links.
it.each<[string, () => unknown, code?: string]>([
  ['an article', () => storeOf().put(article(1))],
  ['a cursor', () => storeOf().saveCursor('x')],
  ['a reservation', () => directoryStore(FOLDER).lease?.()],
  ['a journal and its lock', () => fileJournal(join(FOLDER, 'journal.json')).save('{}', null), 'journal_unusable'],
])('%s on a full disk leaves no file, and the error says what to do', async (_, write, code = 'configuration') => {
  for (const path of [FOLDER, resolve(FOLDER)]) await disk.module.mkdir(path);
  disk.full = true;
  const error = (await Promise.resolve(write()).catch((thrown) => thrown)) as PlanError;
  expect(error).toMatchObject({ code, cause: { code: 'ENOSPC' } });
  expect(`${error.message} ${error.hint}`).toContain('The disk is full. Make room');
  expect([...disk.files.keys()]).toEqual([]);
  disk.full = false;
  await write();
  expect(disk.files.size).toBe(1);
});

describe('a sync into a folder', () => {
  const service = new Service({ pageSize: 100 });
  service.write({ kind: 'create', picks: Array.from({ length: 80 }, () => 1) });
  const sync = () => articlesOf(service).syncTo(storeOf());

  it('writes and flushes up to 8 files side by side, before the folder and the cursor', async () => {
    expect(await sync()).toMatchObject({ upserted: 80 });
    expect(disk.handles).toEqual({ open: 0, most: 8 });
    const lastArticle = disk.log.findLastIndex((line) => /^rename .*\d+\.json$/.test(line));
    const cursor = disk.log.findIndex((line) => line.startsWith('open ') && line.includes('.cursor.json.'));
    expect(disk.log.slice(0, lastArticle + 1).filter((line) => line.startsWith('sync '))).toHaveLength(80);
    expect(disk.log.slice(lastArticle + 1, cursor)).toEqual([`sync ${normalize(FOLDER)}`]);
    expect(versions()).toEqual(service.online);
  });

  it('on a full disk, ends when no write runs any more, without an unfinished file and without a cursor', async () => {
    disk.inUse.set(join(FOLDER, '2.json'), { code: 'ENOSPC', times: 1 });
    await expect(sync()).rejects.toMatchObject({ code: 'configuration', cause: { code: 'ENOSPC' } });
    expect(disk.handles.open).toBe(0);
    const changes = disk.log.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(disk.log).toHaveLength(changes);
    expect([...disk.files.keys()].filter((name) => !/\d\.json$/.test(name) || name.endsWith('.tmp'))).toEqual([]);
    await sync();
    expect(versions()).toEqual(service.online);
  });
});

describe('an incremental sync into a folder', () => {
  const service = new Service({ pageSize: 20 });
  const sync = () => articlesOf(service).syncTo(storeOf());
  const cursorOnly = [`readFile ${join(FOLDER, 'cursor.json')}`];

  it('reads only the cursor and the files that it replaces, unless an article goes offline', async () => {
    service.write({ kind: 'create', picks: [1, 2, 3] });
    await sync();
    disk.reads.length = 0;
    expect(await sync()).toMatchObject({ requests: 1 });
    expect(disk.reads).toEqual(cursorOnly);

    service.write({ kind: 'touch', picks: [0] });
    service.write({ kind: 'create', picks: [1] });
    disk.reads.length = 0;
    expect(await sync()).toMatchObject({ upserted: 2, requests: 1 });
    const replaced = ['1.json', '4.json'].map((name) => `readFile ${join(FOLDER, name)}`);
    expect(disk.reads).toEqual([...cursorOnly, ...replaced]);

    service.write({ kind: 'unpublish', picks: [0] });
    disk.reads.length = 0;
    expect(await sync()).toMatchObject({ unpublished: 1, requests: 1 });
    expect(disk.reads.slice(0, 2)).toEqual([...cursorOnly, `readdir ${normalize(FOLDER)}`]);
    expect(versions()).toEqual(service.online);
  });
});

describe('a disk that loses power at any instant', { tags: 'long' }, () => {
  const write: fc.Arbitrary<Write> = fc.record({
    kind: fc.constantFrom('create', 'touch', 'publish', 'unpublish', 'delete'),
    picks: fc.array(fc.nat(60), { minLength: 1, maxLength: 9 }),
  });
  const writes = fc.array(write, { maxLength: 6 });
  const cut = fc.record({ names: fc.array(fc.boolean(), { maxLength: 40 }), text: fc.constantFrom(0, 0.5, 1) });

  it('has whole articles, all that the cursor covers, and after a later run all articles of the service', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 6 }),
        fc.array(fc.record({ writes, changes: fc.nat(60), budget: fc.nat(8), cut, reconcile: fc.boolean() }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (pageSize, attempts) => {
          disk.reset();
          const service = new Service({ pageSize });
          service.write({ kind: 'create', picks: [1, 2, 3, 4, 5, 6, 7] });
          let budget = Number.POSITIVE_INFINITY;
          const fetch: typeof globalThis.fetch = async (...args) =>
            budget-- > 0 ? service.fetch(...args) : Response.json({ detail: 'Trop de requêtes.' }, { status: 429 });
          const articles = articlesOf(service, { fetch, maxRetries: 0 });
          const run = (reconcile: boolean) => articles.syncTo(storeOf(), { reconcile, allowMassDeletion: true });
          for (const attempt of attempts) {
            for (const each of attempt.writes) service.write(each);
            disk.left = attempt.changes;
            budget = attempt.budget;
            await run(attempt.reconcile).catch((error) => {
              if (error.code !== 'rate_limit') expect(error.message).toBe('the power is cut');
            });
            disk.cut(attempt.cut);
            budget = Number.POSITIVE_INFINITY;
            const stored = versions();
            const cursor = (await storeOf().loadCursor()) ?? '';
            const covered = [...service.articles.values()].filter(({ updated_at }) => updated_at <= cursor);
            for (const { id, status, updated_at } of covered) {
              expect(stored.includes(`${id}@${updated_at}`), `${id} is ${status}`).toBe(status === 'published');
            }
          }
          await run(false);
          // The first one finishes a listing that the budget ended: what was deleted behind it, only the next one sees.
          await run(true);
          await run(true);
          expect(versions()).toEqual(service.online);
        },
      ),
      { numRuns: runs },
    );
  });

  it('a saved listing covers only articles that are on the disk', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), cut, fc.nat(40), cut, async (first, firstCut, second, secondCut) => {
        disk.reset();
        for (const [changes, power] of [[first, firstCut] as const, [second, secondCut] as const]) {
          const store = storeOf();
          const ids = [...((await store.loadListing?.())?.ids ?? [])];
          disk.left = changes;
          try {
            for (let id = ids.length + 1; id <= 4; id++) {
              await store.put(article(id));
              ids.push(id);
              await store.saveListing?.({ ...LISTING, position: `p${id}`, ids });
            }
          } catch (error) {
            expect(String(error)).toContain('the power is cut');
          }
          disk.cut(power);
          const kept = (await storeOf().loadListing?.()) ?? null;
          const count = kept?.ids.length ?? 0;
          const covered = ids.slice(0, count);
          expect(kept).toEqual(count > 0 ? { ...LISTING, position: `p${count}`, ids: covered } : null);
          expect(versions()).toEqual(expect.arrayContaining(covered.map((id) => `${id}@${article(id).updated_at}`)));
        }
      }),
      { numRuns: runs },
    );
  });
});
