import { isAfter } from '../core/timestamps.js';
import type { Change } from './change.js';
import { Copy, type KnownArticles } from './copy.js';
import { completeListing, type ListingStore } from './listing.js';
import type { SyncArticle, SyncSource } from './source.js';
import { BEGINNING, walk } from './walk.js';

/** Where a sync starts and what it looks for. */
export interface SyncOptions {
  /** The last checkpoint of the run before; absent or `null` for everything. */
  cursor?: string | null | undefined;
  /**
   * The stored articles, which drafts and deletions are compared with: ids, or pairs of id and `updated_at`. With pairs,
   * `reconcile` also yields each listed article whose `updated_at` differs.
   */
  known?: KnownArticles | undefined;
  /** One location; without it, a sphere key syncs the whole brand. */
  bulle_id?: string | undefined;
  /** Look for deletions although there is a cursor, which costs a listing of all articles. Default `false`. */
  reconcile?: boolean | undefined;
  /** Report deletions even if more than half of more than ten known articles vanished. Default `false`. */
  allowMassDeletion?: boolean | undefined;
}

/** Turns a walk over published and draft articles into events. */
export async function* syncEvents<Listed extends SyncArticle>(
  source: SyncSource<Listed>,
  options: SyncOptions,
  store?: ListingStore,
): AsyncGenerator<Change<Listed>, void, undefined> {
  const { known, reconcile = false, allowMassDeletion = false } = options;
  const cursor = options.cursor || undefined;
  const copy = new Copy<Listed>(cursor, source.bulle_id);
  if (known) await copy.fill(known);
  // A walk from the beginning with status=all is the complete listing that deletions are found by.
  if (reconcile || (cursor === undefined && copy.size > 0)) {
    yield* completeListing(source, copy, allowMassDeletion, store);
    return;
  }
  let reached = cursor ?? '';
  for await (const step of walk(source, cursor ?? BEGINNING)) {
    yield* copy.changes(step.articles);
    if (step.cursor === undefined || step.cursor === BEGINNING) continue;
    if (isAfter(step.cursor, reached)) reached = step.cursor;
    yield { type: 'checkpoint', cursor: reached };
  }
}
