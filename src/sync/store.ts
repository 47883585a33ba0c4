import type { Promisable } from 'type-fest';
import { tell } from '../core/events.js';
import type { Change } from './change.js';
import type { SyncArticle } from './source.js';

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
  /** Optional: the id and `updated_at` of every stored article. A complete listing then puts only the articles that differ. */
  versions?(): Iterable<StoredVersion> | AsyncIterable<StoredVersion>;
  /** Optional, with `saveListing`: what `saveListing` was given last; `null` before the first. */
  loadListing?(): Promisable<ListingState | null>;
  /**
   * Optional, with `loadListing`: keeps how far a complete listing came before the budget ended it, so that the next one
   * continues there. Called after everything that the state covers is stored; with `null` when nothing is to be resumed.
   */
  saveListing?(state: ListingState | null): Promisable<void>;
}

/** The id of a stored article and its `updated_at`. */
export type StoredVersion = readonly [id: number, updated_at: string];

/** How far a complete listing has come, and what it lists. Only a run that lists the same continues it. */
export interface ListingState {
  /** The location that is listed; `null` for everything that the key covers. */
  bulle_id: string | null;
  /** Whether the listing began without a cursor. */
  isFirst: boolean;
  /** The listing continues after this timestamp. */
  position: string;
  /** Ids of the articles that the listing has shown. */
  ids: readonly number[];
  /** Ids that the first listing did not show, while a second one confirms that; `null` in the first. */
  missing: readonly number[] | null;
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
  /** What a complete listing costs; absent while none is under way. */
  listing?: ListingCost;
}

/** What the rest of a complete listing costs. */
export interface ListingCost {
  /** About how many requests are still to come. */
  requests: number;
  /** Requests that are left today. `undefined` if the client does not count them, or waits for the next day. */
  leftToday: number | undefined;
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
  const { upserted, unpublished, deleted, requests } = progress;
  return { upserted, unpublished, deleted, cursor, requests };
}
