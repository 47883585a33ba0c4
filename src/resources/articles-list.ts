import type { Api } from '../core/api.js';
import type { CallOptions } from '../core/options.js';
import type { FreshPage } from '../core/pages.js';
import type { Timestamp } from '../core/types.js';
import type { SyncList } from '../sync/source.js';
import { BEGINNING, walk } from '../sync/walk.js';
import {
  type Article,
  type ArticleList,
  type ArticleListParams,
  articleReadEndpoints,
} from './articles-reads-schema.js';

/**
 * The pages behind `articles.list`: every article that matches, oldest change first, each once. `first` is the page that the
 * list itself requested, and `isSorted` whether it has this order.
 */
export async function* articlePages(
  first: Promise<{ data: ArticleList }>,
  source: SyncList<Article>,
  since: Timestamp | undefined,
  isSorted: () => boolean,
): AsyncGenerator<FreshPage<ArticleList, Article>, void, undefined> {
  const ids = new Set<number>();
  let page = (await first).data;
  const { articles, total, limit } = page;
  // Nothing follows a page that holds everything, so its order does not matter.
  let isNext = isSorted() || (articles.length < limit && total <= articles.length);
  const list: typeof source.list = async (position) => {
    if (!isNext) page = await source.list(position);
    isNext = false;
    return page;
  };
  const cursor = since instanceof Date ? since.toISOString() : (since ?? BEGINNING);
  for await (const step of walk({ ...source, list }, cursor)) {
    const fresh = step.articles.filter(({ id }) => ids.size < ids.add(id).size);
    // Pages overlap, and the articles that stood on the page before are left out.
    if (fresh.length > 0 || ids.size === 0) yield { page: { ...page, articles: fresh }, fresh };
  }
}

/** The requests for the pages of a list. */
export function listing(api: Api, params: ArticleListParams, options: CallOptions = {}): SyncList<Article> {
  return {
    list: ({ updated_since, offset }) => {
      // The specification shows `offset` only in responses, so it is sent only if the walk cannot continue without it.
      const extra = offset > 0 ? { ...options.extra, offset } : options.extra;
      return api.send<ArticleList>(articleReadEndpoints.list, { ...params, updated_since }, { ...options, extra });
    },
    mask: (text) => api.session.config.redactor.mask(text),
  };
}
