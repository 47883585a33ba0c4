import type { Except } from 'type-fest';
import * as z from 'zod/mini';
import { aFunction, type RequestOptions, requestOptionFields } from '../core/options.js';
import * as s from '../core/schema.js';
import { type Change, NUMERIC_IDS, type SyncOptions } from '../sync/events.js';
import type { Store, SyncProgress } from '../sync/store.js';
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
  /** Told after every event. May be async; what it throws or rejects with is swallowed. */
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
  };
}

const syncFields = {
  cursor: z.optional(z.nullable(s.string)),
  known: z.optional(s.anything),
  bulle_id: s.target,
  reconcile: z.optional(s.boolean),
  allowMassDeletion: z.optional(s.boolean),
};

export const syncOptionsSchema = s.params(syncFields);

export const syncToOptionsSchema = s.params({
  ...requestOptionFields,
  ...syncFields,
  // Nothing is not none: with no ids known, an article that was taken offline would stay.
  known: s.anything.check(s.rule(Boolean, NUMERIC_IDS)),
  onProgress: aFunction,
});
