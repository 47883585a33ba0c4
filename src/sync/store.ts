import type { Promisable } from 'type-fest';
import { tell } from '../core/events.js';
import type { Change } from './change.js';
import type { SyncArticle } from './source.js';

/**
 * Where a sync stores articles. Each method may be asynchronous (`ids` and `versions` as async generators). A crash
 * between two calls loses nothing, because `saveCursor` is called after everything that the cursor covers is stored.
 */
export interface Store<Stored extends SyncArticle> {
  /** Returns the cursor saved last. `null` if there is none. */
  loadCursor(): Promisable<string | null>;
  /**
   * Saves the cursor. Called after everything that the cursor covers is stored. A run without changes does not call it.
   */
  saveCursor(cursor: string): Promisable<void>;
  /** Returns the ids of the stored articles as numbers. Convert them if your database returns strings or `bigint`. */
  ids(): Iterable<number> | AsyncIterable<number>;
  /** Stores or replaces an article. Must be idempotent. */
  put(article: Stored): Promisable<void>;
  /** Removes an article that went offline or was deleted. The article may not be in the store. */
  remove(id: number): Promisable<void>;
  /**
   * Optional. Returns id and `updated_at` of each stored article. A complete listing then puts only articles that
   * differ.
   */
  versions?(): Iterable<StoredVersion> | AsyncIterable<StoredVersion>;
  /** Optional, together with `saveListing`. Returns the state saved last. `null` if there is none. */
  loadListing?(): Promisable<ListingState | null>;
  /**
   * Optional, together with `loadListing`. Saves the position of a complete listing that the budget ended, so that the
   * next run continues there. Called after everything that the state covers is stored, and with `null` if there is
   * nothing to resume.
   */
  saveListing?(state: ListingState | null): Promisable<void>;
}

/** The id of a stored article and its `updated_at`. */
export type StoredVersion = readonly [id: number, updated_at: string];

/** The position of a complete listing. Only a run with the same `bulle_id` and `isFirst` continues it. */
export interface ListingState {
  /** The listed location. `null` for all articles that the key covers. */
  bulle_id: string | null;
  /** Whether the listing started without a cursor. */
  isFirst: boolean;
  /** The listing continues after this timestamp. */
  position: string;
  /** Ids of the articles listed so far. */
  ids: readonly number[];
  /** During a second listing: the ids that were missing from the first. `null` during the first. */
  missing: readonly number[] | null;
}

/** The progress of a run. */
export interface SyncProgress {
  /** Number of articles stored so far because they are new or have changed. */
  upserted: number;
  /** Number of articles removed so far because they went offline. */
  unpublished: number;
  /** Number of articles removed so far because they no longer exist. */
  deleted: number;
  /** Number of requests sent so far, including retries. */
  requests: number;
  /**
   * Number of articles to read, drafts included, as the service counted them on the first page. `undefined` before it.
   */
  total: number | undefined;
  /** Cost of the complete listing. Absent if the run makes none. */
  listing?: ListingCost;
}

/** The cost of the rest of a complete listing. */
export interface ListingCost {
  /** Approximate number of further requests. */
  requests: number;
  /** Number of requests left today. `undefined` if the client does not count requests, or waits for the next day. */
  leftToday: number | undefined;
}

/** The result of a run. */
export interface SyncResult {
  /** Number of articles stored because they are new or have changed. */
  upserted: number;
  /** Number of articles removed because they went offline. */
  unpublished: number;
  /** Number of articles removed because they no longer exist. */
  deleted: number;
  /** The cursor saved last. `null` if no cursor was ever saved. */
  cursor: string | null;
  /** Number of requests sent, including retries. */
  requests: number;
}

/** Applies events to a store one by one and counts them in `progress`, in which the caller counts requests. */
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
