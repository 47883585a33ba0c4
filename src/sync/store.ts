import type { Article } from '../resources/articles-model.js';
import type { SyncEvent } from './events.js';

type MaybePromise<T> = T | Promise<T>;

/**
 * Where `articles.syncTo` keeps the articles of a site. Any method may be asynchronous; `ids` as an async generator.
 * A crash between two calls loses nothing, since `saveCursor` comes after everything that its cursor covers.
 */
export interface ArticleStore {
  /** The cursor saved last; `null` before the first. */
  loadCursor(): MaybePromise<string | null>;
  /** Called after everything that the cursor covers is stored, and not at all by a run that finds nothing new. */
  saveCursor(cursor: string): MaybePromise<void>;
  /** The ids of the stored articles, as numbers: a database may give them as text or `bigint`. */
  ids(): Iterable<number> | AsyncIterable<number>;
  /** Store an article, or replace it. */
  put(article: Article): MaybePromise<void>;
  /** Remove an article that was taken offline or deleted; it may not be there. */
  remove(id: number): MaybePromise<void>;
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

/** What a run has done so far. */
export interface SyncProgress {
  /** Published articles stored, new or changed. */
  upserted: number;
  /** Articles removed because they went offline. */
  unpublished: number;
  /** Articles removed because they exist no more. */
  deleted: number;
  /** Requests that the run has sent, repeated ones included. */
  requests: number;
  /** Articles that the run has to read, as the service counted them at its start; `undefined` before the first page. */
  total: number | undefined;
}

/** What a run has done. */
export interface SyncResult {
  upserted: number;
  unpublished: number;
  deleted: number;
  /** The cursor saved last; `null` when there was nothing to save. */
  cursor: string | null;
  requests: number;
}

/** Apply events to a store, one after the other, and count them. `progress` is shared with whoever counts requests. */
export async function applyTo(
  store: ArticleStore,
  events: AsyncIterable<SyncEvent>,
  saved: string | null,
  progress: SyncProgress,
  onProgress: ((progress: SyncProgress) => void) | undefined,
): Promise<SyncResult> {
  let cursor = saved;
  for await (const event of events) {
    if (event.type === 'upsert') {
      await store.put(event.article);
      progress.upserted++;
    } else if (event.type !== 'checkpoint') {
      await store.remove(event.id);
      progress[event.type === 'delete' ? 'deleted' : 'unpublished']++;
    } else if (event.cursor !== cursor) {
      await store.saveCursor(event.cursor);
      cursor = event.cursor;
    }
    onProgress?.({ ...progress });
  }
  const { total: _, ...done } = progress;
  return { ...done, cursor };
}
