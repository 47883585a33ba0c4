import { beforeEach, describe, expect, it } from 'vitest';
import { type Article, type ArticleStore, Client, type MemoryStore, memoryStore } from '../../src/index.js';
import { Service } from './service.js';

let service: Service;
let client: Client;
let store: MemoryStore;
let calls: string[];

beforeEach(() => {
  service = new Service({ pageSize: 3 });
  for (let id = 1; id <= 8; id++) {
    service.write({ kind: 'create', picks: [1] });
    service.tick();
  }
  client = new Client({ apiKey: 'k', baseUrl: 'https://s.test', fetch: service.fetch, rateLimit: false });
  store = memoryStore();
  calls = [];
});

/** A store that refuses single articles. */
function inBulk(changes: Partial<ArticleStore> = {}): ArticleStore {
  return {
    ...store,
    put: () => {
      throw new Error('a store with putMany gets no single article');
    },
    putMany: async (articles) => {
      calls.push(`put ${articles.map(({ id }) => id)}`);
      for (const article of articles) await store.put(article);
    },
    remove: (id) => {
      calls.push(`remove ${id}`);
      return store.remove(id);
    },
    saveCursor: (cursor) => {
      calls.push('cursor');
      return store.saveCursor(cursor);
    },
    ...changes,
  };
}

const held = () => [...store.articles.values()].map(({ id, updated_at }) => `${id}@${updated_at}`).sort();

describe('putMany', () => {
  it('gets each page once, before the cursor', async () => {
    const result = await client.articles.syncTo(inBulk());
    expect(calls).toEqual(['put 1,2,3', 'cursor', 'put 4,5', 'cursor', 'put 6,7', 'cursor', 'put 8', 'cursor']);
    expect(result).toMatchObject({ upserted: 8, done: true });
    expect(held()).toEqual(service.online);
  });

  it('is not called without an article; removals follow one by one', async () => {
    await client.articles.syncTo(inBulk());
    calls.length = 0;
    await client.articles.syncTo(inBulk());
    expect(calls).toEqual([]);
    service.write({ kind: 'unpublish', picks: [0, 1] });
    await client.articles.syncTo(inBulk());
    expect(calls).toEqual(['remove 1', 'remove 2', 'cursor']);
    service.write({ kind: 'delete', picks: [4] });
    service.write({ kind: 'touch', picks: [5] });
    calls.length = 0;
    await client.articles.syncTo(inBulk(), { reconcile: true });
    expect(calls).toEqual(['put 7', 'remove 5', 'cursor']);
    expect(held()).toEqual(service.online);
  });

  it('gets the last version of an article that a page lists twice, and none that the page removes again', async () => {
    await client.articles.syncTo(inBulk());
    const at = (second: number) => `2026-01-02T00:00:0${second}.000000+00:00`;
    const version = (id: number, second: number, status: string): Article => {
      return { id, status, updated_at: at(second), title: 'T', created_at: at(0) };
    };
    const changes = [
      version(1, 1, 'published'),
      version(1, 2, 'published'),
      version(2, 3, 'published'),
      version(2, 4, 'draft'),
      version(3, 5, 'draft'),
      version(3, 6, 'published'),
    ];
    service.options.mangle = () => ({ articles: changes, total: 6, limit: 50, offset: 0 });
    calls.length = 0;
    await client.articles.syncTo(inBulk());
    expect(calls).toEqual(['put 1,3', 'remove 2', 'cursor']);
    expect(store.articles.get(1)?.updated_at).toBe(at(2));
    expect(store.articles.get(3)?.updated_at).toBe(at(6));
  });

  it('that fails ends the run: nothing of the page is counted, and the cursor stays', async () => {
    const counts: number[] = [];
    const onProgress = ({ upserted }: { upserted: number }) => counts.push(upserted);
    let pages = 0;
    const failing = inBulk({
      putMany: async () => {
        if (++pages === 2) throw new Error('disk full');
      },
    });
    await expect(client.articles.syncTo(failing, { onProgress })).rejects.toThrow('disk full');
    expect(Math.max(...counts)).toBe(3);
    expect(calls).toEqual(['cursor']);
    await client.articles.syncTo(inBulk(), { reconcile: true });
    expect(held()).toEqual(service.online);
  });

  it('is not called if the store has commit', async () => {
    const pages: number[] = [];
    const commit: ArticleStore['commit'] = ({ upserts }) => pages.push(upserts.length) > 0;
    await client.articles.syncTo(inBulk({ commit }));
    expect(pages).toEqual([3, 2, 2, 1]);
    expect(calls).toEqual([]);
  });
});
