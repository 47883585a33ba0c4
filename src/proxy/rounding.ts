import { isAfter, isLater } from '../core/timestamps.js';
import type { Article, ArticleList } from '../resources/articles-reads-schema.js';
import type { ListQuery } from './request.js';

/** A date-time with an offset. Without an offset, the service decides what the date means. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d[T ]\d\d):\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d(?::?\d\d)?)$/i;

/**
 * The query with its dates rounded down to the hour, so that visitors with different minutes share one request.
 * `undefined` if the rounding changes nothing, or if the query has an `offset`, which counts from the exact date.
 */
export function rounded(query: ListQuery): ListQuery | undefined {
  const { updated_since, since, offset } = query;
  if (offset !== undefined) return undefined;
  const hours = { updated_since: hourOf(updated_since), since: hourOf(since) };
  return hours.updated_since === updated_since && hours.since === since ? undefined : { ...query, ...hours };
}

/** Sets minutes and seconds to zero in the text, so that the offset does not change. */
function hourOf(date: string | undefined): string | undefined {
  return date?.replace(DATE_TIME, '$1:00:00$2');
}

/**
 * The page of the rounded query without the articles that the exact query excludes. `undefined` if the exact query must
 * be sent.
 *
 * The remaining articles must be the beginning of the exact query's list. Otherwise a visitor who iterates the changes
 * would miss some, or get the same page again. This is certain for a page with all articles, and for a page sorted by
 * `updated_at`. Of a sorted page, more than half must remain: if an hour has more changes than a page, the visitor
 * would advance too slowly or not at all.
 */
export function exactly(page: ArticleList, query: ListQuery): ArticleList | undefined {
  const articles = page.articles.filter((article) => matches(article, query));
  const excluded = page.articles.length - articles.length;
  // A full page need not be the last one, even if `total` says so.
  const isAll = page.articles.length < page.limit && page.articles.length >= page.total;
  const isOrdered =
    hourOf(query.since) === query.since && articles.every((one, n) => one === page.articles[n + excluded]);
  const isBeginning = isOrdered && page.articles.length < page.total && articles.length > excluded;
  if (excluded === 0 && (isAll || isOrdered)) return page;
  if (!isAll && !isBeginning) return undefined;
  return { ...page, articles, total: page.total - excluded, limit: page.limit - excluded };
}

/** Compares only the dates that were rounded: the service has compared the others. */
function matches({ updated_at, published_at }: Article, { updated_since, since }: ListQuery): boolean {
  return (
    (updated_since === undefined || !isRounded(updated_since) || isAfter(updated_at, updated_since)) &&
    // It is not documented whether the service includes the date itself, so it is included here.
    (since === undefined || !isRounded(since) || !published_at || isLater(since, published_at) !== true)
  );
}

function isRounded(date: string): boolean {
  return hourOf(date) !== date;
}
