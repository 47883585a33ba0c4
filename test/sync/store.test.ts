import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Article, type ArticleStore, Client, InvalidRequestError, memoryStore } from '../../src/index.js';
import { directoryStore } from '../../src/node.js';
import { Service } from './service.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'multilocal-'));
});
afterEach(() => rm(folder, { recursive: true }));

const article = (id: number, title = 'T'): Article => {
  return { id, title, status: 'published', created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
};

async function idsOf(store: ArticleStore): Promise<number[]> {
  const ids: number[] = [];
  for await (const id of store.ids()) ids.push(id);
  return ids.sort((a, b) => a - b);
}

/** A store around what a careless one gives. */
const storeOf = (changes: object) => ({ ...memoryStore(), ...changes }) as unknown as ArticleStore;

describe('a store that cannot be', () => {
  const requests: string[] = [];
  const fetch = async (input: RequestInfo | URL) => {
    requests.push(String(input));
    if (/\/articles\/\d+$/.test(String(input)))
      return new Response('{"detail":"Article introuvable."}', { status: 404 });
    return Response.json({ articles: [], total: 0, limit: 50, offset: 0 });
  };
  const { articles } = new Client({ apiKey: 'k', baseUrl: 'https://s.test', fetch, rateLimit: false });
  beforeEach(() => {
    requests.length = 0;
  });

  it.each([undefined, 'content', new Map()])('%s: is refused by name, before anything is sent', async (store) => {
    const error = await articles.syncTo(store as never).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toBe('articles.syncTo: store.loadCursor: expected a method');
    expect(requests).toEqual([]);
  });

  // Found late, a run would have stored half of a change; and a cursor saved after articles that were not.
  it.each(['loadCursor', 'saveCursor', 'ids', 'put', 'remove'])('one without the method %s: the same', async (name) => {
    for (const value of [undefined, null, {}, 'x']) {
      const error = await articles.syncTo(storeOf({ [name]: value })).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error.message).toBe(`articles.syncTo: store.${name}: expected a method`);
    }
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

  // No ids and no answer look alike, and an article taken offline would stay on the site.
  it.each([undefined, null])('ids() that forgets its return (%s): refused before anything is sent', async (ids) => {
    for (const given of [ids, Promise.resolve(ids)]) {
      const error = await articles.syncTo(storeOf({ ids: () => given })).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error.message).toBe('articles.syncTo: known: expected numeric ids');
    }
    expect(requests).toEqual([]);
  });

  // A Set holds 3 and '3' apart: an article taken offline would stay, and all would look deleted.
  it.each([
    ['texts', ['1', '2']],
    ['bigints', [1n]],
    ['nothing', [undefined]],
  ])('ids that are %s: refused before anything is sent', async (_, ids) => {
    const error = await articles.syncTo(storeOf({ ids: () => ids })).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toContain('known: expected numeric ids');
    expect(requests).toEqual([]);
  });

  it('a misspelt option is refused as one of syncTo', async () => {
    const error = await articles.syncTo(memoryStore(), { reconsile: true } as object).catch((thrown) => thrown);
    expect(error.message).toBe('articles.syncTo: reconsile: unknown parameter; did you mean `reconcile`?');
    expect(requests).toEqual([]);
  });

  it('ids in a promise are waited for all the same', async () => {
    const { deleted } = await articles.syncTo(storeOf({ ids: async () => [1, 2] }), { allowMassDeletion: true });
    expect(deleted).toBe(2);
  });
});

it.each([undefined, '', 7])('directoryStore(%j) is refused at once', (path) => {
  expect(() => directoryStore(path as string)).toThrow('directoryStore: expected a path');
});

describe.each([
  ['memoryStore', () => memoryStore()],
  ['directoryStore', () => directoryStore(join(folder, 'made', 'when', 'missing'))],
])('%s', (_, create) => {
  it('begins empty, without a cursor', async () => {
    const store = create();
    expect(await store.loadCursor()).toBeNull();
    expect(await idsOf(store)).toEqual([]);
  });

  it('puts, replaces and removes; removing what is not there is no error', async () => {
    const store = create();
    await store.put(article(1));
    await store.put(article(1, 'New'));
    await store.put(article(2));
    await store.remove(2);
    await store.remove(3);
    expect(await idsOf(store)).toEqual([1]);
  });

  it('gives the cursor back to the letter', async () => {
    const store = create();
    await store.saveCursor('2026-01-01T00:00:00.000001+00:00');
    expect(await store.loadCursor()).toBe('2026-01-01T00:00:00.000001+00:00');
  });

  it('is driven by syncTo, which counts and saves the cursor once where nothing is new', async () => {
    const service = new Service({ pageSize: 4 });
    service.write({ kind: 'create', picks: [1, 2, 3] });
    const client = new Client({ apiKey: 'k', baseUrl: 'https://s.test', fetch: service.fetch, rateLimit: false });
    const store = create();
    const progress: number[] = [];
    const first = await client.articles.syncTo(store, { onProgress: ({ upserted }) => progress.push(upserted) });
    expect(first).toMatchObject({ upserted: 3, unpublished: 0, deleted: 0, requests: 1 });
    expect(progress).toEqual([1, 2, 3, 3]);
    service.write({ kind: 'unpublish', picks: [0] });
    service.write({ kind: 'delete', picks: [1] });
    service.write({ kind: 'create', picks: [1] });
    expect(await client.articles.syncTo(store, { reconcile: true })).toMatchObject({
      upserted: 1,
      unpublished: 1,
      deleted: 1,
      // The listing, and the article that was missing in it.
      requests: 2,
    });
    expect(await idsOf(store)).toEqual([3, 4]);
    const idle = await client.articles.syncTo(store);
    expect(idle).toEqual({ upserted: 0, unpublished: 0, deleted: 0, requests: 1, cursor: await store.loadCursor() });
  });
});

describe('directoryStore', () => {
  it('writes one readable JSON file an article', async () => {
    await directoryStore(folder).put(article(7));
    expect(JSON.parse(await readFile(join(folder, '7.json'), 'utf8'))).toEqual(article(7));
  });

  it('leaves no temporary file, and takes away those that a crash left', async () => {
    const store = directoryStore(folder);
    await writeFile(join(folder, '.9.json.0c9c2b6e-6b3a-4b57-8d9c-0f4f3c1f7a11.tmp'), '{"half"');
    await store.put(article(1));
    await store.loadCursor();
    await store.saveCursor('c');
    expect((await readdir(folder)).sort()).toEqual(['1.json', 'cursor.json']);
  });

  it('takes no file for an article that is none', async () => {
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

  it('says so when the folder cannot be used', async () => {
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
});
