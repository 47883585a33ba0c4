import * as z from 'zod/mini';
import { issuesOf } from '../core/issues.js';
import { type RequestOptions, requestOptionFields } from '../core/options.js';
import { invalid } from '../core/request.js';
import * as s from '../core/schema.js';
import type { Change } from '../sync/change.js';
import { NUMERIC_IDS, type StoredArticles } from '../sync/copy.js';
import type { RunStore, SyncOptions } from '../sync/events.js';
import { leaseInProcess } from '../sync/lease.js';
import type { SliceOptions } from '../sync/slice.js';
import type { CopyState, ListingState, Store, StoredVersion, SyncProgress } from '../sync/store.js';
import type { Article } from './articles-reads-schema.js';

/**
 * One change to apply to a copy of the articles. `upsert`: store this published article. `unpublish`: remove this
 * article, which is offline now. `delete`: remove this article, which no longer exists. `checkpoint`: store the cursor.
 * A run that starts from it loses nothing.
 */
export type SyncEvent = Change<Article>;

/**
 * Where `articles.syncTo` stores the articles of a site. Each method may be asynchronous (`ids` and `versions` as async
 * generators). A crash between two calls loses nothing, because the client calls `saveCursor` after it has stored
 * everything that the cursor covers. `put` and `remove` must be idempotent. With `commit`, a page and its cursor are
 * stored together. `testArticleStore` of `multilocal/mock` checks a store of your own.
 */
export interface ArticleStore extends Store<Article> {}

/**
 * An {@link ArticleStore} whose articles can be read, as `articlesProxy` needs it: `memoryStore`, `directoryStore`,
 * `sqlStore`, or a store of your own with `all`.
 */
export interface ReadableArticleStore extends ArticleStore {
  /** Returns the stored articles in any order, each as it was put last. */
  all(): Iterable<Article> | AsyncIterable<Article>;
}

/** Options of `articles.syncTo`. Request options may be among them. */
export interface SyncToOptions extends Omit<SyncOptions, 'cursor' | 'known'>, SliceOptions, RequestOptions {
  /**
   * Called after every event, and after the first page of a complete listing with its cost. May be async. Errors and
   * rejections are ignored.
   */
  onProgress?: ((progress: SyncProgress) => unknown) | undefined;
}

/** A store in memory, for tests and for servers that sync when they start. */
export interface MemoryStore extends ReadableArticleStore {
  /** The stored articles by id. */
  readonly articles: ReadonlyMap<number, Article>;
  /** Returns the stored articles. */
  all(): Iterable<Article>;
}

/**
 * Creates a store in memory. Its content is lost when the process ends. A second run waits for the first one.
 * @example
 * const store = memoryStore();
 * await client.articles.syncTo(store);
 * console.log(store.articles.size);
 */
export function memoryStore(): MemoryStore {
  const articles = new Map<number, Article>();
  let cursor: string | null = null;
  let listing: ListingState | null = null;
  let state: CopyState | null = null;
  return {
    articles,
    loadCursor: () => cursor,
    saveCursor: (value) => {
      cursor = value;
    },
    ids: () => articles.keys(),
    put: (article) => {
      articles.set(article.id, article);
    },
    remove: (id) => {
      articles.delete(id);
    },
    *versions() {
      for (const { id, updated_at } of articles.values()) yield [id, updated_at] as const;
    },
    lease: leaseInProcess(),
    all: () => articles.values(),
    loadState: () => state,
    saveState: (value) => {
      state = value;
    },
    loadListing: () => listing,
    saveListing: (state) => {
      listing = state;
    },
  };
}

/** A method that turns out to be missing during a run would leave a change half done. */
const STORE_METHODS = ['loadCursor', 'saveCursor', 'ids', 'put', 'remove'] as const satisfies (keyof ArticleStore)[];
const OPTIONAL_METHODS = ['commit', 'lease'] as const satisfies (keyof ArticleStore)[];

/** @throws {InvalidRequestError} if a store lacks a method, or has a `concurrency` that is not a positive integer. */
export function checkStore(store: ArticleStore, operation: string): void {
  const methods = Object(store) as Partial<ArticleStore>;
  const missing =
    STORE_METHODS.find((name) => typeof methods[name] !== 'function') ??
    OPTIONAL_METHODS.find((name) => methods[name] !== undefined && typeof methods[name] !== 'function');
  if (missing) throw invalid([{ path: ['store', missing], message: 'must be a method' }], { operation });
  const { concurrency = 1 } = methods;
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw invalid([{ path: ['store', 'concurrency'], message: 'must be an integer, 1 or more' }], { operation });
}

/** What a run needs of a store. `hasVersions`: whether the run compares every article with the stored version. */
export function runStoreOf(store: ArticleStore, hasVersions: boolean, operation: string): RunStore {
  const load: StoredArticles['load'] = async () => {
    const known = await (hasVersions ? versionsOf(store) : store.ids());
    // Nothing is not an empty list: articles that went offline would stay in the store.
    if (!known) throw invalid([{ path: ['known'], message: NUMERIC_IDS }], { operation });
    return known;
  };
  return { stored: { hasVersions, load }, listing: listingStoreOf(store, operation) };
}

/** The versions in a store. A store without `versions` gets every listed article again. */
async function versionsOf(store: ArticleStore): Promise<NonNullable<SyncOptions['known']>> {
  if (store.versions) return store.versions();
  const ids = await store.ids();
  return ids && withoutVersion(ids);
}

async function* withoutVersion(ids: Iterable<number> | AsyncIterable<number>): AsyncGenerator<StoredVersion> {
  for await (const id of ids) yield [id, ''];
}

/** The methods of a store that keep the position of a listing, if the store has them. */
function listingStoreOf(store: ArticleStore, operation: string): RunStore['listing'] {
  if (!store.loadListing || !store.saveListing) return undefined;
  const load = async () => {
    const state = (await store.loadListing?.()) ?? null;
    const message = 'must return a state that `saveListing` got, or null';
    if (state && issuesOf(listingSchema, state))
      throw invalid([{ path: ['store', 'loadListing'], message }], { operation });
    return state;
  };
  return { load, save: (part) => store.saveListing?.(part) };
}

const listingSchema = s.object({
  bulle_id: z.nullable(s.string),
  isFirst: s.boolean,
  position: s.string,
  ids: s.list(s.integer),
  missing: z.nullable(s.list(s.integer)),
});

const cursor = z.optional(z.nullable(s.string));

const syncFields = {
  bulle_id: s.target,
  reconcile: z.optional(s.boolean),
  allowMassDeletion: z.optional(s.boolean),
};

export const syncOptionsSchema = s.params({ ...syncFields, cursor, known: z.optional(s.anything) });

export const syncToOptionsSchema = s.params({
  ...requestOptionFields,
  ...syncFields,
  maxRequests: z.optional(s.int(1)),
  deadline: z.optional(s.anyOf([...s.dates, s.number], 'a valid Date or a number (ms since the epoch)')),
  onProgress: s.aFunction,
});

/** Checks the cursor that a store returns. */
export const storedSchema = s.params({ cursor });
