import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testArticleStore } from 'multilocal/mock';
import { directoryStore } from 'multilocal/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Article,
  type ArticleStore,
  Client,
  ConfigurationError,
  InvalidRequestError,
  memoryStore,
} from '../../src/index.js';
import { makeArticles, rejection } from '../support/clients.js';
import { LIST } from '../support/fixtures.js';
import { json, stubFetch } from '../support/stub-fetch.js';
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

describe('an invalid store', () => {
  const requests: string[] = [];
  const fetch = async (input: RequestInfo | URL) => {
    requests.push(String(input));
    if (/\/articles\/\d+$/.test(String(input)))
      return new Response('{"detail":"Article introuvable."}', { status: 404 });
    return Response.json({ articles: [], total: 0, limit: 50, offset: 0 });
  };
  const { articles } = new Client({ apiKey: 'test-key', baseUrl: 'https://s.test', fetch, rateLimit: false });
  beforeEach(() => {
    requests.length = 0;
  });

  const METHODS = ['loadCursor', 'saveCursor', 'ids', 'put', 'remove'];
  const mustBe = (name: string) => `\`store.${name}\` must be a method.`;
  // Found late, a run would have stored half of a change; and a cursor saved after articles that were not. No ids and no
  // answer look alike, and a Set holds 3 and '3' apart: an article taken offline would stay on the site.
  it.each<[name: string, store: unknown, message: string, options?: object]>([
    ...[undefined, 'content', new Map()].map((store): [string, unknown, string] => [
      String(store),
      store,
      mustBe('loadCursor'),
    ]),
    ...METHODS.flatMap((name) =>
      [undefined, null, {}, 'x'].map((value): [string, unknown, string] => [
        `${name} that is ${value}`,
        storeOf({ [name]: value }),
        mustBe(name),
      ]),
    ),
    ...[undefined, null, ['1', '2'], [1n], [undefined]].flatMap((ids): [string, unknown, string][] => [
      ['ids() without numbers', storeOf({ ids: () => ids }), '`known` must hold numeric ids.'],
      ['a promise without numbers', storeOf({ ids: async () => ids }), '`known` must hold numeric ids.'],
    ]),
    ['a misspelled option', memoryStore(), 'articles.syncTo: `reconsile` is an unknown', { reconsile: true }],
  ])('%s: is refused by name, before anything is sent', async (_, store, message, options = {}) => {
    const error = await articles.syncTo(store as never, options).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toMatch(/^articles\.sync(To)?: /);
    expect(error.message).toContain(message);
    expect(requests).toEqual([]);
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
    await articles.syncTo(new Shelf());
    expect(requests).toHaveLength(1);
  });

  it('a promise of ids is accepted', async () => {
    const { deleted } = await articles.syncTo(storeOf({ ids: async () => [1, 2] }), { allowMassDeletion: true });
    expect(deleted).toBe(2);
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

const failureOf = async (action: unknown): Promise<Error> => {
  try {
    await action;
  } catch (error) {
    return error as Error;
  }
  throw new Error('did not fail');
};

describe('directoryStore', () => {
  it('writes one readable JSON file per article', async () => {
    await directoryStore(folder).put(article(7));
    expect(JSON.parse(await readFile(join(folder, '7.json'), 'utf8'))).toEqual(article(7));
  });

  it.each(['ids', 'versions'] as const)('leaves no unfinished file; %s removes those of a crash', async (list) => {
    const store = directoryStore(folder);
    await writeFile(join(folder, '.9.json.0c9c2b6e-6b3a-4b57-8d9c-0f4f3c1f7a11.tmp'), '{"half"');
    await store.loadCursor();
    await (list === 'ids' ? idsOf(store) : versionsOf(store));
    await store.put(article(1));
    await store.saveCursor('c');
    expect((await readdir(folder)).sort()).toEqual(['1.json', 'cursor.json']);
  });

  it('keeps unfinished files that a run may be writing', async () => {
    const unfinished = '.9.json.0c9c2b6e-6b3a-4b57-8d9c-0f4f3c1f7a11.tmp';
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

  it('ignores files that are not articles', async () => {
    await writeFile(join(folder, 'notes.json'), '{}');
    await writeFile(join(folder, '.9.json.dead.tmp'), '{"half"');
    const store = directoryStore(folder);
    await store.put(article(5));
    expect(await idsOf(store)).toEqual([5]);
  });

  it('refuses an id that would lead out of the folder', async () => {
    const store = directoryStore(folder);
    await expect(store.put({ ...article(1), id: '../x' as unknown as number })).rejects.toThrow('integer');
    await expect(Promise.resolve().then(() => store.remove('../x' as unknown as number))).rejects.toThrow('integer');
  });

  it('reports a folder that cannot be used', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(directoryStore(file).loadCursor()).rejects.toThrow('ENOTDIR');
  });

  it('keeps articles and cursor for the next process', async () => {
    const store = directoryStore(folder);
    await store.put(article(3));
    await store.saveCursor('then');
    const again = directoryStore(folder);
    expect(await again.loadCursor()).toBe('then');
    expect(await idsOf(again)).toEqual([3]);
  });

  it('removes only temporary files of its own, and a folder of such a name is no failure', async () => {
    const uuid = '0c9c2b6e-6b3a-4b57-8d9c-0f4f3c1f7a11';
    const own = ['.9.json', '.-9.json', '.cursor.json', '.listing.json', '.owner.json', '.state.json'].map(
      (name) => `${name}.${uuid}.tmp`,
    );
    const foreign = [
      'mine.tmp',
      '.tmp',
      '.9.json.tmp',
      '.9.json.backup.tmp',
      `9.json.${uuid}.tmp`,
      `.notes.json.${uuid}.tmp`,
      `.9.json.${uuid}.tmp.bak`,
    ];
    const folders = ['folder.tmp', `.8.json.${uuid}.tmp`];
    for (const name of [...own, ...foreign]) await writeFile(join(folder, name), 'x');
    for (const name of folders) await mkdir(join(folder, name));
    const store = directoryStore(folder);
    await store.loadCursor();
    expect(await idsOf(store)).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual([...foreign, ...folders].sort());
  });

  /** The ways to use each file of the store beside the articles. */
  const usesOf = (store: ArticleStore): Record<string, (() => unknown)[]> => ({
    'cursor.json': [() => store.loadCursor(), () => store.saveCursor('c')],
    'listing.json': [() => store.loadListing?.(), () => store.saveListing?.({ ...LISTING, position: 'a', ids: [] })],
    'state.json': [
      () => store.loadState?.(),
      () => store.saveState?.({ refreshedAt: null, reconciledAt: null, version: 'a' }),
    ],
  });
  const LISTED = '"position":"a","bulle_id":null,"isFirst":false,"missing":null';
  const CURSORS = [
    '',
    '{\n  "cursor": "2026-01-',
    'x',
    'null',
    '"2026-01-01T00:00:00Z"',
    '{"Cursor":"a"}',
    '{"cursor":1}',
  ];
  const LISTINGS = ['', '{"pos', 'null', `{${LISTED}}`, `{${LISTED},"ids":["1"]}`, `{${LISTED},"ids":[],"position":1}`];
  const STATES = [
    '',
    '{"refreshedAt":null,"reconciledAt":null}',
    '{"refreshedAt":1,"reconciledAt":null,"version":"a"}',
  ];
  it.each([
    ['cursor.json', 'next run then lists all articles', CURSORS],
    ['listing.json', 'complete listing then starts again', LISTINGS],
    ['state.json', 'copy is then updated', STATES],
  ])('a damaged %s: the error names the file and says what to do: the %s', async (name, what, texts) => {
    const file = join(folder, name);
    const store = directoryStore(folder);
    for (const text of ['', ...texts]) {
      await writeFile(file, text);
      const error = await failureOf(usesOf(store)[name]?.[0]?.());
      expect(error, text).toBeInstanceOf(ConfigurationError);
      expect(error.message).toContain(`directoryStore: ${file} is damaged. Delete the file. The `);
      expect(error.message.endsWith(`${what}. Nothing is lost.`)).toBe(true);
    }
  });

  it('after the damaged cursor.json is deleted, a run updates the folder', async () => {
    const { service, articles } = threeArticles();
    await articles.syncTo(directoryStore(folder));
    service.write({ kind: 'delete', picks: [0] });
    await writeFile(join(folder, 'cursor.json'), '');
    const requests = service.requests.length;
    const error = await failureOf(articles.syncTo(directoryStore(folder)));
    expect(error).toMatchObject({ code: 'configuration', outcome: 'not_applied' });
    expect(service.requests.length).toBe(requests);
    await rm(join(folder, 'cursor.json'));
    await articles.syncTo(directoryStore(folder));
    expect(await idsOf(directoryStore(folder))).toEqual([2, 3]);
  });

  it('ignores numbers that cannot be ids', async () => {
    const names = ['99999999999999999999', '9007199254740992', '-9007199254740992', '007', '-0', '1.5', '1e3', '0x1'];
    for (const name of names) await writeFile(join(folder, `${name}.json`), `{"id":${Number(name)}}`);
    const store = directoryStore(folder);
    await store.put(article(9007199254740991));
    await store.put(article(-3));
    expect(await idsOf(store)).toEqual([-3, 9007199254740991]);
    expect(await versionsOf(store)).toHaveLength(2);
  });

  it('a folder with the name of an article file is ignored, and named when the article is stored', async () => {
    await mkdir(join(folder, '7.json'));
    const store = directoryStore(folder);
    expect(await idsOf(store)).toEqual([]);
    expect(await versionsOf(store)).toEqual([]);
    const message = `directoryStore: ${join(folder, '7.json')} is a folder, but the store needs this name for a file. Move or rename the folder.`;
    for (const action of [() => store.put(article(7)), () => store.remove(7)]) {
      const error = await failureOf(action());
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error.message).toBe(message);
    }
  });

  it.each(['cursor.json', 'listing.json', 'state.json'])('a folder with the name %s is named', async (name) => {
    await mkdir(join(folder, name));
    for (const use of usesOf(directoryStore(folder))[name] ?? []) {
      const error = await failureOf(use());
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error.message).toContain(`${join(folder, name)} is a folder`);
    }
  });

  it.each([
    ['empty', ''],
    ['cut off', '{"id": 2, "updated_at": "2026-01-01T00:00:00Z", "title'],
    ['of another article', JSON.stringify(article(3))],
    ['null', 'null'],
    ['the figures of a year', '{"year":2,"visitors":1200}'],
  ])('a file that is %s is no article, and is never removed', async (_, text) => {
    const store = directoryStore(folder);
    await store.put(article(1));
    await writeFile(join(folder, '2.json'), text);
    expect(await versionsOf(store)).toEqual([[1, '2026-01-01T00:00:00Z']]);
    expect(await idsOf(store)).toEqual([1]);
    await store.remove(2);
    expect(await readFile(join(folder, '2.json'), 'utf8')).toBe(text);
  });

  // Files are renamed when they are complete, so a cut-off one was never written by this store.
  it.each([
    ['an object', '{"mine":1}'],
    ['a list', '[1,2,3]'],
    ['notes', 'my notes'],
    ['another article', JSON.stringify(article(3))],
    ['cut off', '{"id": 2, "title": "T'],
  ])('does not replace the file of somebody else by an article: %s', async (_, text) => {
    const { articles } = threeArticles();
    const file = join(folder, '2.json');
    await writeFile(file, text);
    const error = await failureOf(articles.syncTo(directoryStore(folder)));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toBe(
      `directoryStore: ${file} is not the article 2, but the store needs this name for it. Move or rename the file.`,
    );
    expect(await readFile(file, 'utf8')).toBe(text);
    await rm(file);
    await articles.syncTo(directoryStore(folder));
    expect(await idsOf(directoryStore(folder))).toEqual([1, 2, 3]);
  });

  it('replaces an empty file, because nothing gets lost', async () => {
    await writeFile(join(folder, '7.json'), '\n');
    await directoryStore(folder).put(article(7));
    expect(await idsOf(directoryStore(folder))).toEqual([7]);
  });

  it('keeps the files of others in the first run and in a complete listing', async () => {
    const { articles } = threeArticles();
    for (const year of [2023, 2024, 2025]) await writeFile(join(folder, `${year}.json`), `{"year":${year}}`);
    expect(await articles.syncTo(directoryStore(folder))).toMatchObject({ upserted: 3, deleted: 0 });
    expect(await articles.syncTo(directoryStore(folder), { reconcile: true })).toMatchObject({ deleted: 0 });
    expect((await readdir(folder)).filter((name) => name.startsWith('20'))).toHaveLength(3);
  });

  it('the version of an article file without updated_at is empty', async () => {
    await writeFile(join(folder, '2.json'), '{"id":2}');
    expect(await versionsOf(directoryStore(folder))).toEqual([[2, '']]);
  });

  it('removes the state of a finished listing', async () => {
    const store = directoryStore(folder);
    await store.saveListing?.({ ...LISTING, position: 'a', ids: [] });
    expect(await readdir(folder)).toEqual(['listing.json']);
    await store.saveListing?.(null);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a saved listing that is none', () => {
  it.each([
    ['ids', 5],
    ['ids', ['1']],
    ['missing', 7],
    ['position', null],
  ])('%s: %j ends the run with a typed error', async (name, value) => {
    const listing = { bulle_id: null, isFirst: true, position: 'b', ids: [1], missing: null, [name]: value };
    const store = { ...memoryStore(), ids: () => [1], loadListing: () => listing as never };
    const run = makeArticles({ fetch: stubFetch(json(LIST)) }).syncTo(store, { reconcile: true });
    expect(await rejection(run)).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: ['store', 'loadListing'] }],
    });
  });
});
