import type { Api, ApiResult } from '../core/api.js';
import type { Params } from '../core/endpoint.js';
import type { CallOptions } from '../core/options.js';
import { needed } from '../core/response.js';
import * as s from '../core/schema.js';
import { timeOf } from '../core/timestamps.js';
import type { SyncList } from '../sync/source.js';
import { BEGINNING, walk } from '../sync/walk.js';
import {
  type Article,
  type ArticleList,
  type ArticleListParams,
  articleReadEndpoints,
} from './articles-reads-schema.js';
import type { FreshPage } from './pages.js';

/** What a walk needs of an article. */
export const changed = { id: s.integer, updated_at: s.string };

/** What the iterations of this file need from a page, with any `validation`. */
const changes = s.object({ articles: s.list(s.object(changed)) });

/**
 * The pages behind `articles.list`: every article that matches, oldest change first, each once. `first` is the page that the
 * list itself requested with the parameters `sent`, and `isSorted` whether it has this order.
 */
export async function* articlePages(
  first: Promise<ApiResult<ArticleList>>,
  source: SyncList<Article>,
  sent: Params,
  isSorted: () => boolean,
): AsyncGenerator<FreshPage<ArticleList, Article>, void, undefined> {
  const ids = new Set<number>();
  let page = needed(await first, changes);
  const { articles, total, limit } = page;
  const since = cursorOf(sent);
  // The response says which article a page number means.
  const start = (sent.offset ?? sent.page) === undefined ? 0 : page.offset;
  // Nothing follows a page that holds everything, so its order does not matter.
  let isNext = isSorted() || (articles.length < limit && total <= start + articles.length);
  const list: typeof source.list = async (position) => {
    if (!isNext) page = await source.list(position);
    isNext = false;
    return page;
  };
  for await (const step of walk(from({ ...source, list }, since, start), since)) {
    const fresh = step.articles.filter(({ id }) => ids.size < ids.add(id).size);
    // Pages overlap, and the articles of the previous page are left out.
    if (fresh.length > 0 || ids.size === 0) yield { page: { ...page, articles: fresh }, fresh };
  }
}

/** Returns the cursor that the parameters of a list begin with. */
export function cursorOf({ updated_since }: Params): string {
  const time = timeOf(updated_since);
  return Number.isNaN(time) ? String(updated_since ?? BEGINNING) : new Date(time).toISOString();
}

/** Returns a list without the first articles after a cursor, which `extra` has skipped. */
export function from(source: SyncList<Article>, cursor: string, start: number): SyncList<Article> {
  if (!(start > 0)) return source;
  const list: typeof source.list = async ({ updated_since, offset }) => {
    if (updated_since !== cursor) return source.list({ updated_since, offset });
    const page = await source.list({ updated_since, offset: offset + start });
    return { ...page, offset: page.offset - start, total: page.total - start };
  };
  return { ...source, list };
}

/** The requests for the pages of a list. `needs` is what the caller needs of each page. */
export function listing(
  api: Api,
  params: ArticleListParams,
  options: CallOptions = {},
  needs: s.Schema = changes,
): SyncList<Article> {
  const placed = api.sent(articleReadEndpoints.list, {}, options);
  return {
    list: async ({ updated_since, offset }) => {
      // The specification shows `offset` only in responses, so it is sent only if the walk cannot continue without it. The
      // position belongs to the iteration; `extra` cannot change it. `null` is not sent.
      const isShown = offset > 0 || (placed.offset ?? placed.page) !== undefined;
      const extra = { ...options.extra, page: null, updated_since, offset: isShown ? offset : null };
      return needed(await api.ask<ArticleList>(articleReadEndpoints.list, params, { ...options, extra }), needs);
    },
    mask: (text) => api.session.config.redactor.mask(text),
  };
}
