import type { Change, RunEvent } from './change.js';
import { Copy, type KnownArticles, type StoredArticles } from './copy.js';
import { completeListing, type ListingStore } from './listing.js';
import type { SyncArticle, SyncSource } from './source.js';
import { BEGINNING, walk } from './walk.js';

/** Parameters of `articles.sync`. */
export interface SyncOptions {
  /** The cursor of the last stored checkpoint. Absent or `null`: the run lists all articles. */
  cursor?: string | null | undefined;
  /**
   * Ids of the stored articles, or pairs of id and `updated_at`. The run needs them to find unpublished and deleted
   * articles. With pairs, `reconcile` also yields each listed article whose `updated_at` differs.
   */
  known?: KnownArticles | undefined;
  /** Only this location. Without it, a sphere key syncs the whole brand. */
  bulle_id?: string | undefined;
  /** Whether to look for deletions although there is a cursor. This lists all articles. Default `false`. */
  reconcile?: boolean | undefined;
  /**
   * Whether to report deletions even if more than ten articles are known and more than half of them are missing.
   * Default `false`.
   */
  allowMassDeletion?: boolean | undefined;
}

/** What a run needs of a store. */
export interface RunStore {
  readonly stored: StoredArticles;
  /** Absent if the store cannot keep the position of a complete listing. */
  readonly listing: ListingStore | undefined;
}

/** Turns a walk over published and draft articles into events. */
export async function* syncEvents<Listed extends SyncArticle>(
  source: SyncSource<Listed>,
  options: SyncOptions,
): AsyncGenerator<Change<Listed>, void, undefined> {
  for await (const event of runEvents(source, options)) if (event.type !== 'page') yield event;
}

/**
 * Yields the events of `syncEvents` and the end of each page. A store is asked for its articles only if they matter, so
 * the cost of an incremental run does not depend on their number.
 */
export async function* runEvents<Listed extends SyncArticle>(
  source: SyncSource<Listed>,
  options: SyncOptions,
  store?: RunStore,
): AsyncGenerator<RunEvent<Listed>, void, undefined> {
  const { known, reconcile = false, allowMassDeletion = false } = options;
  const cursor = options.cursor || undefined;
  const copy = new Copy<Listed>(cursor, source.bulle_id, store?.stored);
  if (known) await copy.fill(known);
  if (reconcile || cursor === undefined) await copy.load();
  // Only a walk over all articles from the beginning can find deletions.
  if (reconcile || (cursor === undefined && copy.size > 0)) {
    yield* completeListing(source, copy, allowMassDeletion, store?.listing);
    return;
  }
  for await (const step of walk(source, cursor ?? BEGINNING)) {
    await copy.prepare(step.articles);
    yield* copy.changes(step.articles, 'walk');
    if (step.cursor === undefined || step.cursor === BEGINNING) yield { type: 'page', canEnd: false };
    else yield { type: 'checkpoint', cursor: step.cursor };
  }
}
