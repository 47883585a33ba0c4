import { SyncStalledError } from '../core/errors/index.js';
import { isAfter, sortKey } from '../core/timestamps.js';
import type { SyncArticle, SyncPage } from './article.js';

/** Earlier than any article: with it the service sorts, oldest change first, and leaves nothing out. */
export const BEGINNING = '1970-01-01T00:00:00Z';

/**
 * How often a run of equal timestamps may shift under the walk before it gives up. Each shift takes an article out of
 * the run, so the walk gets through in the end; only a service that orders equal timestamps anew each time would not let it.
 */
const MOST_RESTARTS = 20;

/** Ask for one page. `offset` is sent where it is not 0. */
export type AskPage<Listed extends SyncArticle> = (position: {
  updated_since: string;
  offset: number;
}) => Promise<SyncPage<Listed>>;

/** What one page brought. */
export interface Step<Listed extends SyncArticle> {
  /** Versions not delivered before, oldest first. */
  articles: readonly Listed[];
  /** Every change up to here is delivered; absent where the page ends within one timestamp. */
  cursor?: string;
  /** Articles that match from where the walk stands, as the service counts them. */
  total: number;
}

/**
 * Walk all versions later than `since`, each once, without a gap.
 *
 * `updated_since` means *later*: asking on from the last timestamp of a page would lose the articles of that timestamp
 * which the page's end cut off. So the walk asks on from the timestamp before it and leaves out what it has had; the
 * page then begins with something known, which also shows that nothing slipped through while articles changed.
 * Where one timestamp fills a page, only `offset` leads on: by one less than the page, for the same reason, and only
 * if the answer shows that the service heeds it.
 */
export async function* walk<Listed extends SyncArticle>(
  ask: AskPage<Listed>,
  since: string,
): AsyncGenerator<Step<Listed>, void, undefined> {
  let cursor = since;
  let offset = 0;
  /** With an offset, the article that the page must begin with. */
  let edge: Listed | undefined;
  let restarts = 0;
  /** Delivered versions later than the cursor. */
  const delivered = new Map<number, string>();

  for (;;) {
    const { articles, total, offset: heeded } = await ask({ updated_since: cursor, offset });
    if (offset > 0 && heeded !== offset) {
      throw stalled('one updated_at fills a page and `offset` is not heeded', cursor);
    }
    if (edge && (articles[0]?.id !== edge.id || articles[0].updated_at !== edge.updated_at)) {
      // Something before it moved away, and with it the count: begin this run of equal timestamps again.
      if (++restarts > MOST_RESTARTS) throw stalled('articles keep changing within one updated_at', cursor);
      offset = 0;
      edge = undefined;
      continue;
    }
    const isLast = offset + articles.length >= total || articles.length === 0;
    const keys = articles.map(({ updated_at }) => sortKey(updated_at));
    const isSorted = keys.every((key, index) => key && key >= (keys[index - 1] ?? ''));
    if (!isSorted && !isLast) throw stalled('a page is not sorted by updated_at', cursor);
    const inOrder = isSorted ? articles : [...articles].sort(byChange);

    const fresh = inOrder.filter(
      (article) => isAfter(article.updated_at, cursor) && delivered.get(article.id) !== article.updated_at,
    );
    for (const { id, updated_at } of fresh) delivered.set(id, updated_at);

    const end = inOrder.at(-1);
    if (isLast || !end) {
      yield { articles: fresh, cursor: end && isAfter(end.updated_at, cursor) ? end.updated_at : cursor, total };
      return;
    }
    const complete = inOrder.findLast(({ updated_at }) => updated_at !== end.updated_at);
    if (complete && isAfter(complete.updated_at, cursor)) {
      cursor = complete.updated_at;
      offset = 0;
      edge = undefined;
      restarts = 0;
      for (const [id, updated_at] of delivered) if (!isAfter(updated_at, cursor)) delivered.delete(id);
      yield { articles: fresh, cursor, total };
    } else {
      // A page of one article leaves no room for an overlap.
      edge = inOrder.length > 1 ? end : undefined;
      offset += inOrder.length - 1 || 1;
      yield { articles: fresh, total };
    }
  }
}

function byChange(a: SyncArticle, b: SyncArticle): number {
  return +isAfter(a.updated_at, b.updated_at) - +isAfter(b.updated_at, a.updated_at);
}

function stalled(reason: string, cursor: string): SyncStalledError {
  const message = `Stopped after ${cursor}: ${reason}. All before is complete.`;
  return new SyncStalledError(message, { operation: 'articles.list', method: 'GET', path: '/articles', cursor });
}
