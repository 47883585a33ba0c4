import type { Promisable } from 'type-fest';
import { tell } from '../core/events.js';
import type { SyncArticle } from './article.js';
import type { Change } from './events.js';

/**
 * Where a sync keeps articles. Any method may be asynchronous; `ids` as an async generator.
 * A crash between two calls loses nothing, since `saveCursor` comes after everything that its cursor covers.
 */
export interface Store<Stored extends SyncArticle> {
  /** The cursor saved last; `null` before the first. */
  loadCursor(): Promisable<string | null>;
  /** Called after everything that the cursor covers is stored, and not at all by a run that finds nothing new. */
  saveCursor(cursor: string): Promisable<void>;
  /** The ids of the stored articles, as numbers: a database may give them as text or `bigint`. */
  ids(): Iterable<number> | AsyncIterable<number>;
  /** Store an article, or replace it. */
  put(article: Stored): Promisable<void>;
  /** Remove an article that was taken offline or deleted; it may not be there. */
  remove(id: number): Promisable<void>;
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
export async function applyTo<Stored extends SyncArticle>(
  store: Store<Stored>,
  events: AsyncIterable<Change<Stored>>,
  saved: string | null,
  progress: SyncProgress,
  onProgress: ((progress: SyncProgress) => unknown) | undefined,
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
    tell(onProgress, { ...progress });
  }
  const { total: _, ...done } = progress;
  return { ...done, cursor };
}
