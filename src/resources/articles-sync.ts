import type { Except } from 'type-fest';
import * as z from 'zod/mini';
import { aFunction, type RequestOptions, requestOptionFields } from '../core/options.js';
import * as s from '../core/schema.js';
import type { Change } from '../sync/change.js';
import { NUMERIC_IDS } from '../sync/copy.js';
import type { SyncOptions } from '../sync/events.js';
import type { ListingStore } from '../sync/listing.js';
import type { ListingState, Store, StoredVersion, SyncProgress } from '../sync/store.js';
import type { Article } from './articles-schema.js';

/**
 * One thing to do to a copy of the service's articles: store a published one (`upsert`), remove one that is offline now
 * (`unpublish`) or exists no more (`delete`). After a `checkpoint`, store its cursor: a run that starts from it loses
 * nothing.
 */
export type SyncEvent = Change<Article>;

/**
 * Where `articles.syncTo` keeps the articles of a site. Any method may be asynchronous; `ids` as an async generator.
 * A crash between two calls loses nothing, since `saveCursor` comes after everything that its cursor covers.
 */
export interface ArticleStore extends Store<Article> {}

/** Options of `articles.syncTo`; those of the requests may stand among them. */
export interface SyncToOptions extends Except<SyncOptions, 'cursor' | 'known'>, RequestOptions {
  /**
   * Told after every event, and what a complete listing costs once its first page is there. May be async; what it throws
   * or rejects with is swallowed.
   */
  onProgress?: ((progress: SyncProgress) => unknown) | undefined;
}

/** A store in memory, for tests and for servers that fill it at start. */
export interface MemoryStore extends ArticleStore {
  /** The stored articles by id. */
  readonly articles: ReadonlyMap<number, Article>;
}

/**
 * Make a store that lives as long as the process.
 * @example
 * const store = memoryStore();
 * await client.articles.syncTo(store);
 * console.log(store.articles.size);
 */
export function memoryStore(): MemoryStore {
  const articles = new Map<number, Article>();
  let cursor: string | null = null;
  let listing: ListingState | null = null;
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
    loadListing: () => listing,
    saveListing: (state) => {
      listing = state;
    },
  };
}

/** The versions in a store. A store that cannot tell them gets every listed article again. */
export async function versionsOf(store: ArticleStore): Promise<NonNullable<SyncOptions['known']>> {
  if (store.versions) return store.versions();
  const ids = await store.ids();
  return ids && withoutVersion(ids);
}

async function* withoutVersion(ids: Iterable<number> | AsyncIterable<number>): AsyncGenerator<StoredVersion> {
  for await (const id of ids) yield [id, ''];
}

/** Where a store keeps how far a listing has come, if it can. */
export function listingStoreOf(store: ArticleStore): ListingStore | undefined {
  if (!store.loadListing || !store.saveListing) return undefined;
  return { load: () => store.loadListing?.() ?? null, save: (part) => store.saveListing?.(part) };
}

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
  onProgress: aFunction,
});

/** What a store gives at the start of a run. */
export const storedSchema = s.params({
  cursor,
  // Nothing is not none: with no ids known, an article that was taken offline would stay.
  known: s.anything.check(s.rule(Boolean, NUMERIC_IDS)),
});
