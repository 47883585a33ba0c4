import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testArticleStore } from 'multilocal/mock';
import { directoryStore } from 'multilocal/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Article,
  type ArticleStore,
  ConfigurationError,
  InvalidRequestError,
  memoryStore,
} from '../../src/index.js';
import { caught } from '../support/clients.js';
import { articlesOf, Service } from './service.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'multilocal-'));
});
afterEach(() => rm(folder, { recursive: true }));

const article = (id: number, title = 'T'): Article => {
  return { id, title, status: 'published', created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
};

const LISTING = { bulle_id: null, isFirst: false, position: 'a', ids: [], missing: null };

async function idsOf(store: ArticleStore): Promise<number[]> {
  const ids: number[] = [];
  for await (const id of store.ids()) ids.push(id);
  return ids.sort((a, b) => a - b);
}

async function versionsOf(store: ArticleStore) {
  const versions: (readonly [number, string])[] = [];
  for await (const version of store.versions?.() ?? []) versions.push(version);
  return versions;
}

/** A service with three articles, and what a client has of it. */
function threeArticles() {
  const service = new Service({ pageSize: 4 });
  service.write({ kind: 'create', picks: [1, 2, 3] });
  return { service, articles: articlesOf(service) };
}

/** A store around what a careless one gives. */
const storeOf = (changes: object) => ({ ...memoryStore(), ...changes }) as unknown as ArticleStore;

/** A service without articles. */
function emptyService() {
  const service = new Service({ pageSize: 50 });
  return { service, articles: articlesOf(service) };
}

describe('an invalid store', () => {
  const mustBe = (name: string, what = 'must be a method') => `\`store.${name}\` ${what}.`;
  const numeric = '`known` must hold numeric ids.';
  const whole = mustBe('concurrency', 'must be an integer, 1 or more');
  const listing = (changes: object) => {
    const position = { bulle_id: null, isFirst: true, position: 'b', ids: [1], missing: null, ...changes };
    return storeOf({ ids: () => [1], loadListing: () => position });
  };
  // Found late, a run would have stored half of a change; and a cursor saved after articles that were not. No ids and no
  // answer look alike, and a Set holds 3 and '3' apart: an article taken offline would stay on the site.
  it.each<[name: string, store: unknown, message: string]>([
    ['that is missing', undefined, mustBe('loadCursor')],
    ['that is a Map', new Map(), mustBe('loadCursor')],
    ...['loadCursor', 'saveCursor', 'ids', 'put', 'remove', 'commit', 'lease'].map(
      (name): [string, unknown, string] => [`whose ${name} is no method`, storeOf({ [name]: {} }), mustBe(name)],
    ),
    ['without ids', storeOf({ ids: () => undefined }), numeric],
    ['with a promise of no ids', storeOf({ ids: async () => null }), numeric],
    ['with ids that are texts', storeOf({ ids: () => ['1', '2'] }), numeric],
    ['with ids that are bigint', storeOf({ ids: async () => [1n] }), numeric],
    ...[0, 1.5, Number.NaN, Infinity, '8', null].map((concurrency): [string, unknown, string] => [
      `with concurrency ${concurrency}`,
      storeOf({ concurrency }),
      whole,
    ]),
    ...[{ ids: 5 }, { ids: ['1'] }, { missing: 7 }, { position: null }].map((fields): [string, unknown, string] => [
      `with a saved listing that has ${JSON.stringify(fields)}`,
      listing(fields),
      '`store.loadListing`',
    ]),
  ])('%s: is refused by name, before anything is sent', async (_, store, message) => {
    const { service, articles } = emptyService();
    const error = await caught(articles.syncTo(store as never, { reconcile: true }), InvalidRequestError);
    expect(error.message).toMatch(/^articles\.sync(To)?: /);
    expect(error.message).toContain(message);
    expect(service.requests).toEqual([]);
  });

  it('methods of a class are found', async () => {
    class Shelf {
      readonly #store = memoryStore();
      loadCursor = () => this.#store.loadCursor();
      saveCursor(cursor: string) {
        return this.#store.saveCursor(cursor);
      }
      ids() {
        return this.#store.ids();
      }
      put(stored: Article) {
        return this.#store.put(stored);
      }
      remove(id: number) {
        return this.#store.remove(id);
      }
    }
    const { service, articles } = emptyService();
    await articles.syncTo(new Shelf());
    expect(service.requests).toHaveLength(1);
  });

  it('a promise of ids is accepted', async () => {
    const result = await emptyService().articles.syncTo(storeOf({ ids: async () => [1, 2] }));
    expect(result.deleted).toBe(2);
  });
});

it.each([undefined, '', 7])('directoryStore(%j) is refused at once', (path) => {
  expect(() => directoryStore(path as string)).toThrow('directoryStore: the path of a folder is required.');
});

// packages/mock/test/article-store.test.ts runs it on directoryStore.
it('memoryStore passes the tests of every store', () => testArticleStore(() => memoryStore()));

describe.each([
  ['memoryStore', () => memoryStore()],
  ['directoryStore', () => directoryStore(join(folder, 'made', 'when', 'missing'))],
])('%s', (_, create) => {
  it('is used by syncTo, which counts, and saves the cursor only once if nothing is new', async () => {
    const { service, articles } = threeArticles();
    const store = create();
    const progress: number[] = [];
    const first = await articles.syncTo(store, { onProgress: ({ upserted }) => progress.push(upserted) });
    expect(first).toMatchObject({ upserted: 3, unpublished: 0, deleted: 0, requests: 1 });
    expect(progress).toEqual([1, 2, 3, 3]);
    service.write({ kind: 'unpublish', picks: [0] });
    service.write({ kind: 'delete', picks: [1] });
    service.write({ kind: 'create', picks: [1] });
    // The listing, and the article that was missing in it.
    const counts = { upserted: 1, unpublished: 1, deleted: 1, requests: 2 };
    expect(await articles.syncTo(store, { reconcile: true })).toMatchObject(counts);
    expect(await idsOf(store)).toEqual([3, 4]);
    const saved: string[] = [];
    const idle = await articles.syncTo({ ...store, saveCursor: async (cursor) => void saved.push(cursor) });
    expect(saved).toEqual([]);
    const none = { upserted: 0, unpublished: 0, deleted: 0, requests: 1 };
    expect(idle).toEqual({ ...none, cursor: await store.loadCursor(), done: true });
  });
});

describe('directoryStore', () => {
  const uuid = '0c9c2b6e-6b3a-4b57-8d9c-0f4f3c1f7a11';

  it('keeps one readable JSON file per article and the cursor for the next process, and no other file', async () => {
    const store = directoryStore(folder);
    await store.put(article(7));
    await store.saveCursor('then');
    await store.saveListing?.(LISTING);
    expect((await readdir(folder)).sort()).toEqual(['7.json', 'cursor.json', 'listing.json']);
    await store.saveListing?.(null);
    expect((await readdir(folder)).sort()).toEqual(['7.json', 'cursor.json']);
    expect(JSON.parse(await readFile(join(folder, '7.json'), 'utf8'))).toEqual(article(7));
    const again = directoryStore(folder);
    expect([await again.loadCursor(), await idsOf(again)]).toEqual(['then', [7]]);
  });

  it.each([
    ['ids', idsOf],
    ['versions', versionsOf],
  ])('%s removes the unfinished files of a crash, and no others', async (_, list) => {
    const own = ['9', '-9', 'cursor', 'listing', 'owner', 'state'].map((name) => `.${name}.json.${uuid}.tmp`);
    const foreign = [
      'mine.tmp',
      '.tmp',
      '.9.json.tmp',
      '.9.json.backup.tmp',
      `9.json.${uuid}.tmp`,
      `.notes.json.${uuid}.tmp`,
      `.9.json.${uuid}.tmp.bak`,
      'notes.json',
    ];
    const folders = ['folder.tmp', `.8.json.${uuid}.tmp`];
    for (const name of [...own, ...foreign]) await writeFile(join(folder, name), '{"half"');
    for (const name of folders) await mkdir(join(folder, name));
    const store = directoryStore(folder);
    await store.loadCursor();
    expect(await list(store)).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual([...foreign, ...folders].sort());
  });

  it('keeps unfinished files that a run may be writing', async () => {
    const unfinished = `.9.json.${uuid}.tmp`;
    await writeFile(join(folder, unfinished), '{"half"');
    // A program that only reads, beside a run.
    await idsOf(directoryStore(folder));
    await versionsOf(directoryStore(folder));
    // A run that has begun to write, and lists the folder at a draft, or because the program reads.
    const store = directoryStore(folder);
    await store.loadCursor();
    await store.put(article(1));
    await idsOf(store);
    expect((await readdir(folder)).sort()).toEqual([unfinished, '1.json']);
  });

  it('reports a folder that cannot be used', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(directoryStore(file).loadCursor()).rejects.toThrow('ENOTDIR');
  });

  it('ignores numbers that cannot be ids', async () => {
    const names = ['99999999999999999999', '9007199254740992', '-9007199254740992', '007', '-0', '1.5', '1e3', '0x1'];
    for (const name of names) await writeFile(join(folder, `${name}.json`), `{"id":${Number(name)}}`);
    const store = directoryStore(folder);
    for (const id of [9007199254740991, -3, 7]) await store.put(article(id));
    expect(await idsOf(store)).toEqual([-3, 7, 9007199254740991]);
    expect(await versionsOf(store)).toHaveLength(3);
  });

  const STATE = { refreshedAt: null, reconciledAt: null, version: 'a' };
  /** The ways to use each file of the store. */
  const usesOf = (store: ArticleStore): Record<string, (() => unknown)[]> => ({
    '7.json': [() => store.put(article(7)), () => store.remove(7)],
    'cursor.json': [() => store.loadCursor(), () => store.saveCursor('c')],
    'listing.json': [() => store.loadListing?.(), () => store.saveListing?.(LISTING)],
    'state.json': [() => store.loadState?.(), () => store.saveState?.(STATE)],
  });
  const failureOf = (use: () => unknown) => caught((async () => use())(), ConfigurationError);

  const LISTED = '"position":"a","bulle_id":null,"isFirst":false,"missing":null';
  it.each([
    [
      'cursor.json',
      'next run then lists all articles',
      ['{\n  "cursor": "2026-01-', 'null', '"2026-01-01T00:00:00Z"', '{"Cursor":"a"}', '{"cursor":1}'],
    ],
    [
      'listing.json',
      'complete listing then starts again',
      ['null', `{${LISTED}}`, `{${LISTED},"ids":["1"]}`, `{${LISTED},"ids":[],"position":1}`],
    ],
    [
      'state.json',
      'copy is then updated',
      ['{"refreshedAt":null,"reconciledAt":null}', '{"refreshedAt":1,"reconciledAt":null,"version":"a"}'],
    ],
  ])('a damaged %s: the error names the file and says what to do: the %s', async (name, what, texts) => {
    const file = join(folder, name);
    const [load] = usesOf(directoryStore(folder))[name] ?? [];
    for (const text of ['', ...texts]) {
      await writeFile(file, text);
      const { message } = await failureOf(() => load?.());
      expect(message, text).toContain(`${file} is damaged. Delete the file. The `);
      expect(message.endsWith(`${what}. Nothing is lost.`)).toBe(true);
    }
  });

  it('after the damaged cursor.json is deleted, a run updates the folder', async () => {
    const { service, articles } = threeArticles();
    await articles.syncTo(directoryStore(folder));
    service.write({ kind: 'delete', picks: [0] });
    await writeFile(join(folder, 'cursor.json'), '');
    const requests = service.requests.length;
    const error = await failureOf(() => articles.syncTo(directoryStore(folder)));
    expect(error).toMatchObject({ code: 'configuration', outcome: 'not_applied' });
    expect(service.requests.length).toBe(requests);
    await rm(join(folder, 'cursor.json'));
    await articles.syncTo(directoryStore(folder));
    expect(await idsOf(directoryStore(folder))).toEqual([2, 3]);
  });

  it.each(['7.json', 'cursor.json', 'listing.json', 'state.json'])('a folder named %s is no file', async (name) => {
    await mkdir(join(folder, name));
    const store = directoryStore(folder);
    expect([await idsOf(store), await versionsOf(store)]).toEqual([[], []]);
    for (const use of usesOf(store)[name] ?? []) {
      expect((await failureOf(use)).message).toBe(
        `${join(folder, name)} is a folder, but the store needs this name for a file. Move or rename the folder.`,
      );
    }
  });

  // Files are renamed when they are complete, so a cut-off one was never written by this store.
  it.each([
    ['cut off', '{"id": 2, "updated_at": "2026-01-01T00:00:00Z", "title'],
    ['of another article', JSON.stringify(article(3))],
    ['null', 'null'],
    ['a list', '[1,2,3]'],
    ['the figures of a year', '{"year":2,"visitors":1200}'],
  ])('a file that is %s is no article: it is neither removed nor replaced', async (_, text) => {
    const { articles } = threeArticles();
    const store = directoryStore(folder);
    const file = join(folder, '2.json');
    await writeFile(file, text);
    expect([await idsOf(store), await versionsOf(store)]).toEqual([[], []]);
    await store.remove(2);
    expect((await failureOf(() => articles.syncTo(store))).message).toBe(
      `${file} is not the article 2, but the store needs this name for it. Move or rename the file.`,
    );
    expect(await readFile(file, 'utf8')).toBe(text);
    await rm(file);
    await articles.syncTo(directoryStore(folder));
    expect(await idsOf(store)).toEqual([1, 2, 3]);
  });

  it('replaces an empty file, because nothing gets lost', async () => {
    await writeFile(join(folder, '7.json'), '\n');
    const store = directoryStore(folder);
    expect([await idsOf(store), await versionsOf(store)]).toEqual([[], []]);
    await store.put(article(7));
    expect(await idsOf(store)).toEqual([7]);
  });

  it('the version of an article file without updated_at is empty', async () => {
    await writeFile(join(folder, '2.json'), '{"id":2}');
    expect(await versionsOf(directoryStore(folder))).toEqual([[2, '']]);
  });
});
