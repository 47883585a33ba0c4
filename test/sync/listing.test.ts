import { describe, expect, it } from 'vitest';
import { ConnectionError, RateLimitError } from '../../src/index.js';
import type { RunEvent } from '../../src/sync/change.js';
import { Copy } from '../../src/sync/copy.js';
import { completeListing, type ListingStore } from '../../src/sync/listing.js';
import type { SyncArticle, SyncSource } from '../../src/sync/source.js';
import type { ListingState } from '../../src/sync/store.js';
import { BEGINNING } from '../../src/sync/walk.js';

const at = (second: number) => `2026-01-01T00:00:00.${String(second).padStart(6, '0')}Z`;
const articles = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index): SyncArticle => {
    return { id: from + index, status: 'published', updated_at: at(from + index) };
  });

interface Setup {
  /** What each listing shows; the last one also shows it to later listings. */
  listings: readonly (readonly SyncArticle[])[];
  known: readonly number[];
  /** What `total` says beyond the articles. */
  surplus?: number;
  pageSize?: number;
  cursor?: string;
  bulle_id?: string;
  allowMassDeletion?: boolean;
  /** Articles that exist although no listing shows them. */
  hidden?: readonly SyncArticle[];
  /** What the store holds of an earlier listing. */
  saved?: ListingState;
  /** What the list fails with at its second page. */
  failure?: Error;
  isStored?: boolean;
}

async function run(setup: Setup) {
  const { listings, known, surplus = 0, pageSize = 1000, cursor, hidden = [], isStored = true } = setup;
  const requests: string[] = [];
  const announced: unknown[] = [];
  const saves: (ListingState | null)[] = [];
  let shown = -1;
  const source: SyncSource<SyncArticle> = {
    bulle_id: setup.bulle_id,
    list: async ({ updated_since, offset }) => {
      requests.push(updated_since);
      if (setup.failure && requests.length === 2) throw setup.failure;
      if (updated_since === BEGINNING && shown < listings.length - 1) shown++;
      const later = (listings[Math.max(0, shown)] ?? []).filter(({ updated_at }) => updated_at > updated_since);
      const page = later.slice(offset, offset + pageSize);
      return { articles: page, total: later.length + surplus, limit: pageSize, offset };
    },
    get: async (id) => {
      requests.push(`${id}`);
      return hidden.find((article) => article.id === id) ?? 'missing';
    },
    announce: (plan) => void announced.push(plan),
    mask: (text) => text,
  };
  const store: ListingStore = { load: () => setup.saved ?? null, save: (state) => void saves.push(state) };
  const copy = new Copy<SyncArticle>(cursor, setup.bulle_id);
  await copy.fill(known);
  const changes: RunEvent<SyncArticle>[] = [];
  let error: unknown;
  try {
    const listing = completeListing(source, copy, setup.allowMassDeletion ?? false, isStored ? store : undefined);
    for await (const change of listing) changes.push(change);
  } catch (thrown) {
    error = thrown;
  }
  const idsOf = (type: string) =>
    changes.flatMap((change) => (change.type === type && 'id' in change ? change.id : []));
  return { changes, deleted: idsOf('delete'), error, requests, announced, saves };
}

const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('missing articles', () => {
  it('are requested one by one up to 50, although `total` promises more', async () => {
    const { deleted, error, requests } = await run({
      listings: [articles(51, 200)],
      known: ids(1, 200),
      surplus: 1,
      cursor: at(0),
    });
    expect(error).toBeUndefined();
    expect(deleted).toEqual(ids(1, 50));
    // Two more pages have to show what `total` promised: the last article, and what follows it.
    expect(requests).toEqual([BEGINNING, at(199), at(199), ...ids(1, 50).map(String)]);
  });

  it('beyond 50 are not believed while `total` promises more, before anything else is requested', async () => {
    const { error, requests } = await run({ listings: [articles(52, 200)], known: ids(1, 200), surplus: 1 });
    expect(error).toMatchObject({ code: 'sync_stalled', cursor: at(199) });
    expect(String(error)).toContain('51 known articles are missing, but `total` is more than the list has');
    expect(requests).toHaveLength(3);
  });

  it('of which the second listing shows all but 50 are requested one by one', async () => {
    const [hidden] = articles(7, 7);
    const { deleted, error } = await run({
      listings: [articles(52, 200), articles(51, 200)],
      known: ids(1, 200),
      hidden: hidden ? [hidden] : [],
    });
    expect(error).toBeUndefined();
    expect(deleted).toEqual(ids(1, 50).filter((id) => id !== 7));
  });

  it('that have moved to another location are taken offline', async () => {
    const { changes } = await run({
      listings: [articles(1, 3).map((article) => ({ ...article, bulle_id: 'lyon' }))],
      known: ids(1, 4),
      cursor: at(9),
      bulle_id: 'lyon',
      hidden: articles(4, 4).map((article) => ({ ...article, bulle_id: 'paris' })),
    });
    const told = changes.map((change) => ('id' in change ? [change.type, change.id] : change.type));
    expect(told).toEqual(['page', ['unpublish', 4], 'page', 'checkpoint']);
  });

  it('beyond 50 in both listings are sampled from the first to the last', async () => {
    const { deleted, requests } = await run({ listings: [articles(101, 300)], known: ids(1, 300) });
    expect(deleted.toSorted((a, b) => a - b)).toEqual(ids(1, 100));
    expect(requests).toEqual([BEGINNING, BEGINNING, ...ids(1, 50).map((place) => `${2 * place - 1}`)]);
  });

  it('of a resumed second listing are those of the first one, without what the store lost and got since', async () => {
    const state = { bulle_id: null, isFirst: true, position: at(150), ids: ids(61, 150), missing: ids(1, 60) };
    const saved = { ...state, savedAt: new Date().toISOString() };
    const known = [...ids(6, 200), 1000];
    const { deleted, requests } = await run({ listings: [articles(61, 200)], known, saved });
    expect(deleted.toSorted((a, b) => a - b)).toEqual(ids(6, 60));
    // No third listing, and a sample of 50.
    expect([requests[0], requests.length]).toEqual([at(150), 51]);
  });
});

describe('what a listing costs', () => {
  it('is announced once, after its first page', async () => {
    const { announced } = await run({ listings: [articles(1, 9)], known: [1], pageSize: 3 });
    expect(announced).toEqual([{ total: 9, requests: 3, canResume: true }]);
  });

  it.each([
    [1, 1, 0],
    [3, 3, 0],
    [4, 3, 1],
    [5, 3, 1],
    [6, 3, 2],
    [3, 1, 2],
  ])('for %i articles on pages of %i: %i more requests', async (count, pageSize, requests) => {
    const { announced } = await run({ listings: [articles(1, count)], known: [1], pageSize, isStored: false });
    expect(announced).toEqual([{ total: count, requests, canResume: false }]);
  });
});

describe('the state of a listing', () => {
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
  const hour = 3_600_000;
  const saved: ListingState = {
    bulle_id: null,
    isFirst: false,
    position: at(4),
    ids: [1, 2, 3, 4],
    missing: null,
    savedAt: ago(23 * hour),
  };
  const listed = { listings: [articles(1, 9)], known: ids(1, 9), cursor: at(9), pageSize: 3 };
  const exceeded = new RateLimitError('no room', { status: 429 });

  it.each<[string, Error, Partial<Setup>, Partial<ListingState>]>([
    ['the budget', exceeded, {}, {}],
    ['an abort', new Error('deadline'), {}, {}],
    ['the budget, for one location', exceeded, { bulle_id: 'lyon' }, { bulle_id: 'lyon' }],
  ])('is saved if %s ends the listing', async (_, failure, setup, expected) => {
    const { error, saves } = await run({ ...listed, ...setup, failure });
    expect(error).toBe(failure);
    expect(saves).toEqual([
      { ...saved, position: at(2), ids: [1, 2, 3], savedAt: expect.stringMatching(/^\d{4}-.*Z$/), ...expected },
    ]);
    expect(Date.now() - Date.parse(String(saves[0]?.savedAt))).toBeLessThan(hour);
  });

  it('says that the listing began without a cursor', async () => {
    const { cursor: _, ...setup } = listed;
    expect((await run({ ...setup, failure: exceeded })).saves).toMatchObject([{ isFirst: true }]);
  });

  it('stays as it was after a failure of the service', async () => {
    const failure = new ConnectionError('cut', {});
    expect(await run({ ...listed, saved, failure })).toMatchObject({ error: failure, saves: [] });
  });

  it.each<[string, Partial<Setup>, string]>([
    ['too many articles are missing', { listings: [[]] }, 'mass_deletion'],
    ['the list cannot be walked', { listings: [articles(5, 9).reverse()] }, 'sync_stalled'],
  ])('is forgotten if %s', async (_, setup, code) => {
    const known = ids(1, 20);
    expect(await run({ ...listed, known, saved, ...setup })).toMatchObject({ error: { code }, saves: [null] });
  });

  it('gives a resumed first listing its cursor, also if nothing follows its position', async () => {
    const first = { ...saved, isFirst: true, position: at(9), ids: ids(1, 9) };
    const { cursor: _, ...setup } = listed;
    expect((await run({ ...setup, saved: first })).changes).toContainEqual({ type: 'checkpoint', cursor: at(9) });
  });

  it('is forgotten when the listing is done, and not written where there was none', async () => {
    expect((await run({ ...listed, saved })).saves).toEqual([null]);
    expect((await run(listed)).saves).toEqual([]);
  });

  it.each<[string, Partial<ListingState>, Partial<Setup>, string]>([
    ['resumed', {}, {}, at(4)],
    ['resumed for its location', { bulle_id: 'lyon' }, { bulle_id: 'lyon' }, at(4)],
    ['not resumed for another location', { bulle_id: 'lyon' }, { bulle_id: 'paris' }, BEGINNING],
    ['not resumed for all locations', { bulle_id: 'lyon' }, {}, BEGINNING],
    ['not resumed with a cursor if it began without', { isFirst: true }, {}, BEGINNING],
    ['not resumed from a position that cannot be read', { position: 'there' }, {}, BEGINNING],
    ['not resumed after more than a day', { savedAt: ago(25 * hour) }, {}, BEGINNING],
    ['not resumed without a date, as of earlier versions', { savedAt: undefined }, {}, BEGINNING],
    ['not resumed with a date that cannot be read', { savedAt: 'hier' }, {}, BEGINNING],
    ['not resumed with a date more than a day ahead', { savedAt: ago(-25 * hour) }, {}, BEGINNING],
  ])('is %s', async (_, state, setup, first) => {
    const { requests, deleted } = await run({ ...listed, saved: { ...saved, ...state }, ...setup });
    expect(requests[0]).toBe(first);
    expect(deleted).toEqual([]);
  });
});
