import { isAfter, isLater } from '../core/timestamps.js';
import type { Article, ArticleList } from '../resources/articles-schema.js';
import type { ListQuery } from './request.js';

/** With an offset: without one, the service decides what the date means. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d[T ]\d\d):\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d(?::?\d\d)?)$/i;

/**
 * The query with its dates rounded down to the hour, so that visitors with other minutes share one request. `undefined`
 * if that changes nothing. An offset counts from the exact date, so a query with an offset is not rounded.
 */
export function rounded(query: ListQuery): ListQuery | undefined {
  const { updated_since, since, offset } = query;
  if (offset !== undefined) return undefined;
  const hours = { updated_since: hourOf(updated_since), since: hourOf(since) };
  return hours.updated_since === updated_since && hours.since === since ? undefined : { ...query, ...hours };
}

/** The text stays as it is before and behind the hour, so that it keeps its offset. */
function hourOf(date: string | undefined): string | undefined {
  return date?.replace(DATE_TIME, '$1:00:00$2');
}

/**
 * The page of the rounded query, without what the exact query excludes. `undefined` if only the exact query can tell.
 *
 * The rest must be the beginning of what the exact query lists. Otherwise a visitor who walks the changes would miss some,
 * or get the same page again. That holds for a page that has everything, and for a page in order of `updated_at`. Of the
 * latter, more than half must be left: where an hour has more changes than a page, a visitor would get ahead too slowly
 * or not at all.
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
    // Whether the service includes the date itself is not documented, so it stays included.
    (since === undefined || !isRounded(since) || !published_at || isLater(since, published_at) !== true)
  );
}

function isRounded(date: string): boolean {
  return hourOf(date) !== date;
}
