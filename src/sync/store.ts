import type { Promisable } from 'type-fest';
import type { Reservation } from './lease.js';
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
   * Optional. Maximum number of calls of `put` and `remove` at the same time: an integer, 1 or more. Default 1: one after
   * the other. With more, a run stores the changes of a page side by side, in any order, and no two of the same article.
   */
  readonly concurrency?: number;
  /**
   * Optional. Returns id and `updated_at` of each stored article. A complete listing then puts only articles that
   * differ.
   */
  versions?(): Iterable<StoredVersion> | AsyncIterable<StoredVersion>;
  /**
   * Optional. Returns the stored articles in any order, each as it was put last. `articlesProxy` reads them once in each
   * process, and again after changes.
   */
  all?(): Iterable<Stored> | AsyncIterable<Stored>;
  /** Optional, together with `saveState`. Returns the state saved last. `null` if there is none. */
  loadState?(): Promisable<CopyState | null>;
  /** Optional, together with `loadState`. Saves the state that processes with one copy share. A run does not call it. */
  saveState?(state: CopyState): Promisable<void>;
  /** Optional, together with `saveListing`. Returns the state saved last. `null` if there is none. */
  loadListing?(): Promisable<ListingState | null>;
  /**
   * Optional, together with `loadListing`. Saves the position of a complete listing that the budget, `maxRequests` or
   * `deadline` ended, so that the next run continues there. Called after everything that the state covers is stored, and with `null` if there is
   * nothing to resume.
   */
  saveListing?(state: ListingState | null): Promisable<void>;
  /**
   * Optional. Stores one page and its cursor together: all of it, or nothing. A run then calls `commit` once a page
   * instead of `put`, `remove` and `saveCursor`.
   *
   * In one transaction, compare the stored cursor with `previous` and lock it, for example with
   * `UPDATE … SET cursor = … WHERE cursor IS NOT DISTINCT FROM …`. If it differs, change nothing and return `false`:
   * another run was faster, and this one ends with a `SyncConflictError`. Otherwise put `upserts`, remove `removals`,
   * save `cursor` and return `true`. Replaying a page must be harmless: an article may already be stored as it is, and an
   * id of `removals` may not be stored.
   */
  commit?(page: StorePage<Stored>): Promisable<boolean>;
  /**
   * Optional. Reserves the store for one run, so that two runs do not spend requests on the same changes. Returns a
   * function that ends the reservation, with `renew` as its property, or `null` while another run has the store. `syncTo`
   * then asks again every second. A reservation must expire by itself, because a run may be killed: after at least 30 s,
   * since a run renews it every ten. `commit` must not depend on it.
   */
  lease?(): Promisable<Reservation | null>;
}

/** What `commit` stores. No id is in both lists, and none is in a list twice. */
export interface StorePage<Stored extends SyncArticle> {
  /** The articles to store or replace. */
  upserts: readonly Stored[];
  /** Ids of the articles to remove because they went offline or were deleted. They may not be in the store. */
  removals: readonly number[];
  /**
   * The cursor to save. It equals `previous` for the pages of a complete listing, which saves its cursor at its end.
   * `null` in a listing that started without a cursor.
   */
  cursor: string | null;
  /** The cursor that this run loaded or saved last. `null` if none was stored. */
  previous: string | null;
}

/** The id of a stored article and its `updated_at`. */
export type StoredVersion = readonly [id: number, updated_at: string];

/** The state of a copy that several processes share. Timestamps are ISO 8601. */
export interface CopyState {
  /** When the last run that read everything began. `null` before the first one. */
  refreshedAt: string | null;
  /** When the last complete listing began. `null` before the first one. */
  reconciledAt: string | null;
  /** A text that differs whenever the articles have changed. */
  version: string;
}

/**
 * The position of a complete listing. Only a run with the same `bulle_id` and `isFirst` continues it, and only within a
 * day of `savedAt`: a resumed listing cannot see what was deleted before its position.
 */
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
  /** When the state was saved, ISO 8601. States of earlier versions have none, and their listing starts again. */
  savedAt?: string | undefined;
}

/** The progress of a run. A store with `commit` or `concurrency` is counted page by page. */
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
  /**
   * Whether the run read everything. `false` if `maxRequests` or `deadline` ended it earlier: call `syncTo` again with
   * the same store and options.
   */
  done: boolean;
}
