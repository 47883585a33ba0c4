import type { Api, ApiResult } from '../core/api.js';
import type { CallOptions } from '../core/options.js';
import type { FreshPage } from '../core/pages.js';
import { needed } from '../core/response.js';
import * as s from '../core/schema.js';
import type { Timestamp } from '../core/types.js';
import type { SyncList } from '../sync/source.js';
import { BEGINNING, walk } from '../sync/walk.js';
import {
  type Article,
  type ArticleList,
  type ArticleListParams,
  articleReadEndpoints,
} from './articles-reads-schema.js';

/** What a walk needs of an article. */
export const changed = { id: s.integer, updated_at: s.string };

/** What the walks of this file need of a page, whatever `validation` says. */
const changes = s.object({ articles: s.list(s.object(changed)) });

/**
 * The pages behind `articles.list`: every article that matches, oldest change first, each once. `first` is the page that the
 * list itself requested.
 */
export async function* articlePages(
  first: Promise<ApiResult<ArticleList>>,
  source: SyncList<Article>,
  since: Timestamp = BEGINNING,
): AsyncGenerator<FreshPage<ArticleList, Article>, void, undefined> {
  const ids = new Set<number>();
  let page = needed(await first, changes);
  const { articles, total, limit } = page;
  // The service sorts by change only if it is asked with `updated_since`. Nothing follows a page that holds everything, so
  // its order does not matter.
  let isNext = since !== BEGINNING || (articles.length < limit && total <= articles.length);
  const list: typeof source.list = async (position) => {
    if (!isNext) page = await source.list(position);
    isNext = false;
    return page;
  };
  const cursor = since instanceof Date ? since.toISOString() : since;
  for await (const step of walk({ ...source, list }, cursor)) {
    const fresh = step.articles.filter(({ id }) => ids.size < ids.add(id).size);
    // Pages overlap, and the articles that stood on the page before are left out.
    if (fresh.length > 0 || ids.size === 0) yield { page: { ...page, articles: fresh }, fresh };
  }
}

/** The requests for the pages of a list. `needs` is what the caller needs of each page. */
export function listing(
  api: Api,
  params: ArticleListParams,
  options: CallOptions = {},
  needs: s.Schema = changes,
): SyncList<Article> {
  return {
    list: async ({ updated_since, offset }) => {
      // The specification shows `offset` only in responses, so it is sent only if the walk cannot continue without it.
      const extra = offset > 0 ? { ...options.extra, offset } : options.extra;
      const asked = { ...params, updated_since };
      return needed(await api.ask<ArticleList>(articleReadEndpoints.list, asked, { ...options, extra }), needs);
    },
    mask: (text) => api.session.config.redactor.mask(text),
  };
}
