import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Article,
  type ArticleStore,
  type Client,
  InvalidRequestError,
  type MemoryStore,
  memoryStore,
  type StorePage,
  SyncConflictError,
} from '../../src/index.js';
import { LEASE } from '../../src/sync/lease.js';
import { LEASE_POLL } from '../../src/sync/run.js';
import { articlesOf, committing, held, type Service, serviceWith } from './service.js';

let service: Service;
let articles: Client['articles'];
let store: MemoryStore;
let pages: StorePage<Article>[];

beforeEach(() => {
  service = serviceWith(Array(8).fill(1));
  articles = articlesOf(service);
  store = memoryStore();
  pages = [];
});

const refuse = () => {
  throw new Error('a store with commit gets no single change');
};

/** A store whose only way to change is `commit`. */
function transactional(changes: Partial<ArticleStore> = {}): ArticleStore {
  return {
    ...store,
    put: refuse,
    remove: refuse,
    saveCursor: refuse,
    commit: (page) => {
      pages.push(page);
      return committing(store)(page);
    },
    ...changes,
  };
}

const shapes = () =>
  pages.map(({ upserts, removals, cursor, previous }) => ({
    upserts: upserts.map(({ id }) => id),
    removals,
    moves: cursor !== previous,
  }));

describe('commit', () => {
  it('gets each page once, with its cursor and the one before it, and nothing if nothing is new', async () => {
    const result = await articles.syncTo(transactional());
    expect(shapes()).toEqual([
      { upserts: [1, 2, 3], removals: [], moves: true },
      { upserts: [4, 5], removals: [], moves: true },
      { upserts: [6, 7], removals: [], moves: true },
      { upserts: [8], removals: [], moves: true },
    ]);
    expect(pages.map(({ previous }) => previous)).toEqual([null, ...pages.slice(0, -1).map(({ cursor }) => cursor)]);
    expect(result).toMatchObject({ upserted: 8, cursor: pages.at(-1)?.cursor, done: true });
    expect(held(store)).toEqual(service.online);
    pages.length = 0;
    await articles.syncTo(transactional());
    expect(pages).toEqual([]);
  });

  it('gets unpublished articles as removals, and deletions at the end of a listing under the same cursor', async () => {
    await articles.syncTo(transactional());
    service.write({ kind: 'delete', picks: [0, 0] });
    pages.length = 0;
    expect(await articles.syncTo(transactional(), { reconcile: true })).toMatchObject({ deleted: 2 });
    expect(shapes()).toEqual([
      { upserts: [], removals: [1], moves: false },
      { upserts: [], removals: [2], moves: false },
    ]);
    service.write({ kind: 'unpublish', picks: [0] });
    pages.length = 0;
    expect(await articles.syncTo(transactional())).toMatchObject({ unpublished: 1 });
    expect(shapes()).toEqual([{ upserts: [], removals: [3], moves: true }]);
    expect(held(store)).toEqual(service.online);
  });

  it('stores the pages of a listing without a cursor, and the cursor at its end', async () => {
    await store.put({ ...(await articles.get(1)), id: 99 });
    const result = await articles.syncTo(transactional(), { allowMassDeletion: true });
    expect(result).toMatchObject({ upserted: 8, deleted: 1 });
    expect(pages.slice(0, -1).every(({ cursor, previous }) => cursor === null && previous === null)).toBe(true);
    expect(pages.at(-1)).toMatchObject({ upserts: [], removals: [], previous: null, cursor: result.cursor });
    expect(held(store)).toEqual(service.online);
  });

  it('counts an article only after its page is stored', async () => {
    const counts: number[] = [];
    const failing = transactional({ commit: () => Promise.reject(new Error('disk full')) });
    const onProgress = ({ upserted }: { upserted: number }) => counts.push(upserted);
    await expect(articles.syncTo(failing, { onProgress })).rejects.toThrow('disk full');
    expect(counts).toEqual([]);
    await articles.syncTo(transactional(), { onProgress });
    expect(Math.max(...counts)).toBe(8);
  });

  it('that returns false ends the run, which overwrites nothing and asks no further', async () => {
    const overtaken = transactional();
    service.beforeAnswer = () => {
      if (service.requests.length === 2) store.saveCursor('2026-01-01T00:00:00.000007+00:00');
    };
    const error = await articles.syncTo(overtaken).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(SyncConflictError);
    expect(error).toMatchObject({ code: 'sync_conflict', operation: 'articles.syncTo', outcome: 'not_applied' });
    expect(error.message).toMatch(/^articles\.syncTo: /);
    expect(service.requests).toHaveLength(2);
    expect([...store.articles.keys()]).toEqual([1, 2, 3]);
    expect(await store.loadCursor()).toBe('2026-01-01T00:00:00.000007+00:00');
  });

  it.each([undefined, null, 1, 'true'])('that returns %s is refused', async (value) => {
    const careless = transactional({ commit: async () => value as unknown as boolean });
    const error = await articles.syncTo(careless).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toBe('articles.syncTo: `store.commit` must return true or false.');
  });
});

describe('a lease', () => {
  /** A lease that another run has for so many attempts. */
  function leased(busy: number) {
    const log: string[] = [];
    const lease = async () => {
      log.push('ask');
      return busy-- > 0 ? null : () => void log.push('end');
    };
    return { log, store: transactional({ lease }) };
  }

  it('is taken before the cursor is read, and ended after the run', async () => {
    const { log, store: target } = leased(0);
    const loadCursor = () => {
      log.push('cursor');
      return store.loadCursor();
    };
    await articles.syncTo({ ...target, loadCursor });
    expect(log).toEqual(['ask', 'cursor', 'end']);
  });

  it('is ended after an error too, and an error of its end is ignored', async () => {
    const { log, store: target } = leased(0);
    const failing = { ...target, ids: () => Promise.reject(new Error('no table')) as never };
    await expect(articles.syncTo(failing)).rejects.toThrow('no table');
    expect(log).toEqual(['ask', 'end']);
    const throwing = transactional({
      lease: () => () => {
        throw new Error('connection lost');
      },
    });
    expect(await articles.syncTo(throwing)).toMatchObject({ done: true });
    const patience = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    expect(await articles.syncTo({ ...store, lease: () => () => new Promise(() => {}) })).toMatchObject({ done: true });
    expect(patience.mock.calls).toEqual([[LEASE]]);
    patience.mockRestore();
  });

  it('that another run has: the run waits, and sends nothing', async () => {
    vi.useFakeTimers();
    const { log, store: target } = leased(3);
    const run = articles.syncTo(target);
    await vi.advanceTimersByTimeAsync(2 * LEASE_POLL);
    expect(log).toEqual(['ask', 'ask', 'ask']);
    expect(service.requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(LEASE_POLL);
    expect(await run).toMatchObject({ upserted: 8, done: true });
  });

  it('that another run has at the deadline: the run ends without a request', async () => {
    const { store: target } = leased(1);
    await store.saveCursor('c');
    const counts = { upserted: 0, unpublished: 0, deleted: 0, requests: 0 };
    expect(await articles.syncTo(target, { deadline: 0 })).toEqual({ ...counts, cursor: 'c', done: false });
    expect(service.requests).toEqual([]);
  });

  describe('of a run that takes long', () => {
    beforeEach(() => void vi.useFakeTimers());

    /** A run whose service needs a minute for each page. */
    const slowly = (target: ArticleStore) => {
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const response = await service.fetch(input, init);
        await new Promise((resolve) => setTimeout(resolve, 60_000));
        return response;
      };
      return articlesOf(service, { timeout: 600_000, fetch }).syncTo(target);
    };

    it('is renewed, so that a second run waits however long the first one takes', async () => {
      const first = slowly(store);
      await vi.advanceTimersByTimeAsync(90_000);
      const before = service.requests.length;
      const second = slowly(store);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(service.requests.length - before).toBe(0);
      await vi.advanceTimersByTimeAsync(600_000);
      expect(await first).toMatchObject({ upserted: 8, done: true });
      expect(await second).toMatchObject({ upserted: 0, done: true });
    });

    it.each([
      ['another run has', async () => false, LEASE / 3],
      ['cannot be renewed in time', () => Promise.reject(new Error('no database')), LEASE],
      ['hangs when it is renewed', () => new Promise<boolean>(() => {}), LEASE],
    ])('that %s ends the run', async (_, renew, after) => {
      const over = vi.fn();
      void slowly({ ...store, lease: () => Object.assign(() => {}, { renew }) }).catch(over);
      await vi.advanceTimersByTimeAsync(after - 1_000);
      expect(over).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(2_000);
      expect([over.mock.calls, store.articles.size]).toEqual([[[expect.any(SyncConflictError)]], 0]);
    });

    it('that was taken while the machine slept lets nothing be stored', async () => {
      const put = vi.fn(store.put);
      const loadCursor = () => {
        // While a machine sleeps, no timer of it fires.
        vi.setSystemTime(Date.now() + 60_000);
        return store.loadCursor();
      };
      const lease = () => Object.assign(() => {}, { renew: () => false });
      const run = articles.syncTo({ ...store, put, loadCursor, lease });
      await expect(run).rejects.toBeInstanceOf(SyncConflictError);
      expect(put).not.toHaveBeenCalled();
    });
  });

  it('that another run has: an abort ends the wait', async () => {
    const { store: target } = leased(1);
    const reason = new Error('enough');
    await expect(articles.syncTo(target, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(service.requests).toEqual([]);
  });
});
