// testArticleStore accepts a store with and without the optional methods, and rejects every store with a defect.
import { type Article, type ArticleStore, memoryStore, type StorePage } from 'multilocal';
import { describe, expect, it, test } from 'vitest';
import { testArticleStore } from '../src/index.js';

type Commit = (page: StorePage<Article>) => Promise<boolean>;

/** A store in memory with every optional method. */
function wholeStore() {
  const store = memoryStore();
  let cursor: string | null = null;
  let lease: object | null = null;
  const commit: Commit = async (page) => {
    if (cursor !== page.previous) return false;
    // Fails before anything has changed.
    JSON.stringify(page.upserts);
    for (const article of page.upserts) store.put(article);
    for (const id of page.removals) store.remove(id);
    cursor = page.cursor;
    return true;
  };
  return {
    ...store,
    loadCursor: (): string | null => cursor,
    saveCursor: (value: string): void => {
      cursor = value;
    },
    commit,
    lease: async () => {
      if (lease) return null;
      const own = {};
      lease = own;
      return () => {
        if (lease === own) lease = null;
      };
    },
  };
}

describe('accepts', () => {
  it('a store with every optional method, also as a promise', () => testArticleStore(async () => wholeStore()));

  it('a store with the required methods only', () =>
    testArticleStore(() => {
      const { loadCursor, saveCursor, ids, put, remove } = wholeStore();
      return { loadCursor, saveCursor, ids, put, remove };
    }));
});

type Whole = ReturnType<typeof wholeStore>;

type Page = StorePage<Article>;
type Defect = (store: Whole) => object;
/** Another `commit`. */
const committing =
  (commit: (page: Page, store: Whole) => boolean | Promise<boolean>): Defect =>
  (store) => ({ commit: async (page: Page) => commit(page, store) });

const early: Defect = committing((page, { commit, saveCursor, loadCursor }) => {
  if (loadCursor() !== page.previous || page.cursor === null) return commit(page);
  saveCursor(page.cursor);
  JSON.stringify(page.upserts);
  saveCursor(page.previous ?? '');
  return commit({ ...page, previous: page.previous ?? '' });
});

const racing: Defect = committing(async (page, { commit, loadCursor }) => {
  if (loadCursor() !== page.previous) return false;
  await new Promise((resolve) => setTimeout(resolve));
  return commit({ ...page, previous: loadCursor() });
});

const forgetful: Defect = ({ all, put }) => {
  const first = new Map<number, Article>();
  return {
    put: (article: Article) => {
      if (!first.has(article.id)) first.set(article.id, article);
      return put(article);
    },
    all: () => Array.from(all(), (article) => first.get(article.id) ?? article),
  };
};

const putsFirst: Defect = committing((page, { commit, put }) => {
  for (const article of page.upserts) put(article);
  return commit(page);
});

const leased: Defect = committing(async (page, { commit, lease }) => {
  const end = await lease();
  end?.();
  return end !== null && commit(page);
});

const strict: Defect = ({ articles, remove }) => {
  return { remove: (id: number) => (articles.has(id) ? remove(id) : Promise.reject(new Error('no such article'))) };
};
const keeping: Defect = ({ articles, put }) => {
  return { put: (article: Article) => (articles.has(article.id) ? undefined : put(article)) };
};
const dated: Defect = ({ saveCursor }) => ({
  saveCursor: (value: string) => saveCursor(new Date(value).toISOString()),
});
const short: Defect = ({ articles }) => ({ ids: () => [...articles.keys()].slice(0, 1_000) });
const listed: Defect = ({ saveListing }) => ({ saveListing: (state: never) => state && saveListing?.(state) });

const endless: Defect = ({ lease }) => ({ lease: async () => (await lease()) && (() => {}) });
const blind = committing((page, { commit, loadCursor }) => commit({ ...page, previous: loadCursor() }));
const adding = committing((page, { commit }) => commit({ ...page, removals: [] }));
const moving = committing((page, { commit }) => page.cursor !== page.previous && commit(page));

test.each<[string, Defect, RegExp]>([
  ['with ids that are texts', ({ articles }) => ({ ids: () => [...articles.keys()].map(String) }), /Number\(id\)/],
  ['whose ids return nothing', () => ({ ids: () => undefined }), /must return an iterable/],
  ['whose ids end after 1000', short, /\[10000,1,10000\]/],
  ['that starts with a cursor', ({ loadCursor }) => ({ loadCursor: () => loadCursor() ?? '' }), /empty store/],
  ['that makes a Date of its cursor', dated, /must keep the text unchanged/],
  ['that does not remove', () => ({ remove: () => {} }), /after `remove`/],
  ['whose remove fails for an unknown id', strict, /no such article/],
  ['whose put keeps the old version', keeping, /`versions`/],
  ['that never forgets a listing', listed, /`loadListing` after/],
  ['whose commit does not compare', blind, /expected false/],
  ['whose commit stores articles before it compares', putsFirst, /refused `commit`, which must change nothing/],
  ['whose commit forgets the removals', adding, /removal/],
  ['whose commit takes an equal cursor for a conflict', moving, /expected true, got false/],
  ['whose commit moves the cursor before a failure', early, /failed `commit`, which must change nothing/],
  ['whose commit compares too early', racing, /four commits at the same time/],
  ['whose all keeps old versions', forgetful, /`all` must return each article as it was put last/],
  ['whose state is not kept', () => ({ saveState: () => {} }), /`loadState` after `saveState`/],
  ['whose lease is never refused', () => ({ lease: () => () => {} }), /while another run has the store/],
  ['whose lease never ends', endless, /again after the reservation has ended/],
  ['whose commit depends on the lease', leased, /must not depend on `lease`/],
])('rejects a store %s', async (_, defect, message) => {
  const make = () => {
    const store = wholeStore();
    return { ...store, ...defect(store) } as ArticleStore;
  };
  await expect(testArticleStore(make)).rejects.toThrow(message);
});
