// A store with `concurrency` gets the changes of a page side by side.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Article, type ArticleStore, type Client, memoryStore } from '../../src/index.js';
import { articlesOf, held, Service, type Write } from './service.js';

let service: Service;
let articles: Client['articles'];
let store: ReturnType<typeof memoryStore>;
let calls: string[];
/** Number of calls of `put` and `remove` that have not ended, and the largest number so far. */
let open: { now: number; most: number };

const write = (kind: Write['kind'], ...picks: number[]) => service.write({ kind, picks });
const turn = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  service = new Service({ pageSize: 6 });
  write('create', 1, 1, 1, 1, 1);
  service.tick();
  write('create', 1, 1, 1);
  articles = articlesOf(service);
  store = memoryStore();
  calls = [];
  open = { now: 0, most: 0 };
});

/** A store whose calls take some turns of the event loop, the later ones fewer. */
function slow(changes: Partial<ArticleStore> = {}): ArticleStore {
  const during = async (call: string, work: () => unknown) => {
    open.most = Math.max(open.most, ++open.now);
    try {
      for (let turns = 0; turns < 9 - (calls.length % 8); turns++) await turn();
      await work();
      calls.push(call);
    } finally {
      open.now--;
    }
  };
  return {
    ...store,
    put: (article) => during(`put ${article.id}`, () => store.put(article)),
    remove: (id) => during(`remove ${id}`, () => store.remove(id)),
    saveCursor: (cursor) => {
      calls.push(`cursor with ${open.now} open`);
      return store.saveCursor(cursor);
    },
    ...changes,
  };
}

describe('concurrency', () => {
  it.each([
    [undefined, 1],
    [1, 1],
    [3, 3],
    [32, 6],
  ])('%s: at most %s calls at the same time, and all of them before the cursor', async (concurrency, most) => {
    const result = await articles.syncTo(slow({ ...(concurrency && { concurrency }) }));
    expect(open).toEqual({ now: 0, most });
    const puts = (...ids: number[]) => ids.map((id) => `put ${id}`);
    expect([calls.slice(0, 6).sort(), calls[6]]).toEqual([puts(1, 2, 3, 4, 5, 6), 'cursor with 0 open']);
    expect([calls.slice(7, 9).sort(), calls[9]]).toEqual([puts(7, 8), 'cursor with 0 open']);
    expect(result).toMatchObject({ upserted: 8, done: true });
    expect(held(store)).toEqual(service.online);
  });

  it('removes side by side too', async () => {
    await articles.syncTo(slow());
    service.tick();
    write('unpublish', 0, 1);
    write('delete', 4);
    write('touch', 5);
    open.most = 0;
    const result = await articles.syncTo(slow({ concurrency: 8 }), { reconcile: true });
    expect(result).toMatchObject({ upserted: 1, unpublished: 2, deleted: 1 });
    expect(open.most).toBe(2);
    expect(held(store)).toEqual(service.online);
  });

  it('stores only the last change of an article that a page lists twice', async () => {
    await articles.syncTo(slow());
    const at = (second: number) => `2026-01-02T00:00:0${second}.000000+00:00`;
    const version = (id: number, second: number, status: string): Article => {
      return { id, status, updated_at: at(second), title: 'T', created_at: at(0) };
    };
    const [online, draft] = ['published', 'draft'] as const;
    const [one, two] = [version(1, 1, online), version(2, 3, online)];
    const three = [version(3, 5, draft), version(3, 6, online)];
    const changes = [one, version(1, 2, online), two, version(2, 4, draft), ...three];
    service.options.mangle = () => ({ articles: changes, total: 6, limit: 50, offset: 0 });
    calls.length = 0;
    await articles.syncTo(slow({ concurrency: 8 }));
    expect([calls.slice(0, 3).sort(), calls[3]]).toEqual([['put 1', 'put 3', 'remove 2'], 'cursor with 0 open']);
    expect(store.articles.get(1)?.updated_at).toBe(at(2));
    expect(store.articles.get(3)?.updated_at).toBe(at(6));
  });

  it('after an error, no further call starts, the others end first, and the cursor stays', async () => {
    const counts: number[] = [];
    const whole = slow({ concurrency: 2 });
    const failing: ArticleStore = {
      ...whole,
      put: async (article) => {
        if (article.id === 2) throw new Error('disk full');
        await whole.put(article);
      },
    };
    const run = articles.syncTo(failing, { onProgress: ({ upserted }) => counts.push(upserted) });
    await expect(run).rejects.toThrow('disk full');
    expect(open.now).toBe(0);
    expect(calls).toEqual(['put 1']);
    expect(Math.max(0, ...counts)).toBe(0);
    expect(await store.loadCursor()).toBeNull();
    await articles.syncTo(slow({ concurrency: 2 }));
    expect(held(store)).toEqual(service.online);
  });

  it('throws the error that came first', async () => {
    let failed = 0;
    const put = async ({ id }: Article) => {
      for (let turns = 0; turns < 9 - id; turns++) await turn();
      throw new Error(`error ${++failed}`);
    };
    await expect(articles.syncTo(slow({ concurrency: 4, put }))).rejects.toThrow('error 1');
    expect(failed).toBe(4);
  });

  it('is not used if the store has commit', async () => {
    const pages: number[] = [];
    const commit: ArticleStore['commit'] = ({ upserts }) => pages.push(upserts.length) > 0;
    await articles.syncTo(slow({ concurrency: 8, commit }));
    expect(pages).toEqual([6, 2]);
    expect(calls).toEqual([]);
  });
});
