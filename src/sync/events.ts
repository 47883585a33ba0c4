import { MassDeletionError } from '../core/errors/index.js';
import { invalid } from '../core/request.js';
import { isAfter } from '../core/timestamps.js';
import type { SyncArticle } from './article.js';
import { type AskPage, BEGINNING, walk } from './walk.js';

/** One thing to do to a copy of the service's articles. */
export type Change<Listed extends SyncArticle> =
  /** A published article, new or changed. */
  | { type: 'upsert'; article: Listed }
  /** It is offline now. */
  | { type: 'unpublish'; id: number; article: Listed }
  /** It exists no more. */
  | { type: 'delete'; id: number }
  /** Store everything before, then this cursor: a run that starts from it loses nothing. */
  | { type: 'checkpoint'; cursor: string };

/** Where a sync starts and what it looks for. */
export interface SyncOptions {
  /** The last checkpoint of the run before; absent or `null` for everything. */
  cursor?: string | null | undefined;
  /** The ids that are stored: what drafts and deletions are compared with. */
  known?: Iterable<number> | AsyncIterable<number> | undefined;
  /** One location; without it, a sphere key syncs the whole brand. */
  bulle_id?: string | undefined;
  /** Look for deletions although there is a cursor, which costs a listing of all articles. Default `false`. */
  reconcile?: boolean | undefined;
  /** Report deletions even if more than half of more than ten known articles vanished. Default `false`. */
  allowMassDeletion?: boolean | undefined;
}

/** What `known` is, and what a store gives. */
export const NUMERIC_IDS = 'numeric ids';

/** From so many known ids on, the loss of more than half of them looks like a wrong key. */
const MASS = 10;

/**
 * Turn a walk over published and draft articles into events.
 * `held` follows what the caller has: the known ids, and what this run added to them or took away.
 */
export async function* syncEvents<Listed extends SyncArticle>(
  ask: AskPage<Listed>,
  options: SyncOptions,
): AsyncGenerator<Change<Listed>, void, undefined> {
  const { cursor, known, reconcile = false, allowMassDeletion = false } = options;
  const held = new Set<number>();
  for await (const id of (await known) ?? []) {
    // A text of the same digits is another key of a Set: the article would be taken for deleted.
    if (!Number.isSafeInteger(id)) {
      throw invalid([{ path: ['known'], message: `expected ${NUMERIC_IDS}` }], {
        operation: 'articles.sync',
      });
    }
    held.add(id);
  }
  const knownCount = held.size;
  // A walk from the beginning with status=all is the complete listing that deletions are found by.
  const isListing = cursor == null || reconcile;
  const deletionsOwed = reconcile || (isListing && knownCount > 0);
  const listed = new Set<number>();
  let reached = cursor ?? '';

  for await (const step of walk(ask, isListing ? BEGINNING : cursor)) {
    for (const article of step.articles) {
      if (deletionsOwed) listed.add(article.id);
      const isNews = cursor == null || isAfter(article.updated_at, cursor);
      if (article.status === 'published') {
        if (!isNews && (known === undefined || held.has(article.id))) continue;
        held.add(article.id);
        yield { type: 'upsert', article };
      } else if (held.delete(article.id) || (known === undefined && cursor != null && isNews)) {
        yield { type: 'unpublish', id: article.id, article };
      }
    }
    if (step.cursor === undefined || step.cursor === BEGINNING) continue;
    if (isAfter(step.cursor, reached)) reached = step.cursor;
    if (!deletionsOwed) yield { type: 'checkpoint', cursor: reached };
  }
  if (!deletionsOwed) return;

  const missing = [...held].filter((id) => !listed.has(id));
  if (!allowMassDeletion && knownCount > MASS && missing.length > knownCount / 2) {
    const message = `${missing.length} of ${knownCount} known articles vanished: check the key, or set allowMassDeletion.`;
    throw new MassDeletionError(message, {
      operation: 'articles.sync',
      missing: missing.length,
      known: knownCount,
    });
  }
  for (const id of missing) yield { type: 'delete', id };
  if (reached) yield { type: 'checkpoint', cursor: reached };
}
