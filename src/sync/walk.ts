import { SyncStalledError } from '../core/errors/index.js';
import { isLater } from '../core/timestamp.js';
import type { Article, ArticleList } from '../resources/articles-model.js';

/** Earlier than any article: with it the service sorts, oldest change first, and leaves nothing out. */
export const BEGINNING = '1970-01-01T00:00:00Z';

/**
 * How often a run of equal timestamps may shift under the walk before it gives up. Each shift takes an article out of
 * the run, so the walk gets through in the end; only a service that orders equal timestamps anew each time would not let it.
 */
const MOST_RESTARTS = 20;

/** Ask for one page. `offset` is sent where it is not 0. */
export type AskPage = (position: { updated_since: string; offset: number }) => Promise<ArticleList>;

/** What one page brought. */
export interface Step {
  /** Versions not delivered before, oldest first. */
  articles: readonly Article[];
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
export async function* walk(ask: AskPage, since: string): AsyncGenerator<Step, void, undefined> {
  let cursor = since;
  let offset = 0;
  /** With an offset, the article that the page must begin with. */
  let edge: Article | undefined;
  let restarts = 0;
  /** Delivered versions later than the cursor. */
  const delivered = new Map<number, string>();

  for (;;) {
    const page = await ask({ updated_since: cursor, offset });
    if (offset > 0 && page.offset !== offset) {
      throw stalled(
        'more articles share one updated_at than a page holds, and the service does not heed `offset`',
        cursor,
      );
    }
    if (edge && !isSame(page.articles[0], edge)) {
      // Something before it moved away, and with it the count: begin this run of equal timestamps again.
      if (++restarts > MOST_RESTARTS) throw stalled('articles keep changing within one updated_at', cursor);
      offset = 0;
      edge = undefined;
      continue;
    }
    const isLast = page.articles.length === 0 || offset + page.articles.length >= page.total;
    const sorted = page.articles.every((article, index, all) => index === 0 || !isBefore(article, all[index - 1]));
    const readable = page.articles.every(({ updated_at }) => isLater(updated_at, BEGINNING) !== undefined);
    if (!readable && !isLast) throw stalled('the page holds an updated_at that is no timestamp', cursor);
    if (!sorted && !isLast) throw stalled('the service did not sort the page by updated_at', cursor);
    const inOrder = sorted
      ? page.articles
      : [...page.articles].sort((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0));

    const fresh = inOrder.filter((article) => {
      return isAfter(article.updated_at, cursor) && delivered.get(article.id) !== article.updated_at;
    });
    for (const { id, updated_at } of fresh) delivered.set(id, updated_at);

    const end = inOrder.at(-1);
    if (isLast || !end) {
      const reached = end && isAfter(end.updated_at, cursor) ? end.updated_at : cursor;
      yield { articles: fresh, cursor: reached, total: page.total };
      return;
    }
    const complete = inOrder.findLast((article) => article.updated_at !== end.updated_at)?.updated_at;
    if (complete !== undefined && isAfter(complete, cursor)) {
      cursor = complete;
      offset = 0;
      edge = undefined;
      restarts = 0;
      for (const [id, updated_at] of delivered) if (!isAfter(updated_at, cursor)) delivered.delete(id);
      yield { articles: fresh, cursor, total: page.total };
    } else {
      // A page of one article leaves no room for an overlap.
      edge = inOrder.length > 1 ? end : undefined;
      offset += Math.max(1, inOrder.length - 1);
      yield { articles: fresh, total: page.total };
    }
  }
}

function isSame(a: Article | undefined, b: Article): boolean {
  return a?.id === b.id && a.updated_at === b.updated_at;
}

function isBefore(a: Article, b: Article | undefined): boolean {
  return b !== undefined && isLater(b.updated_at, a.updated_at) === true;
}

/** Timestamps that cannot be read count as later unless they are the same: a version too many beats one too few. */
function isAfter(timestamp: string, cursor: string): boolean {
  return isLater(timestamp, cursor) ?? timestamp !== cursor;
}

function stalled(reason: string, cursor: string): SyncStalledError {
  const message = `The walk over the articles stopped after ${cursor}: ${reason}. Everything before is complete.`;
  return new SyncStalledError(message, { operation: 'articles.list', method: 'GET', path: '/articles', cursor });
}
