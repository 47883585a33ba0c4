import { ok, type Reply, unprocessable } from '../http.js';
import {
  articlesSlice,
  finishWriting,
  PUBLISH_JOB,
  publishScheduled,
  type StoredArticle,
  served,
  WRITE_JOB,
} from '../model/articles.js';
import { listedBulle, namedArticle } from '../scope.js';
import type { Exchange, Resource } from '../service.js';
import { formatInstant } from '../timestamps.js';
import { optionalText, queryChoice, queryInstant, queryInteger, queryTarget } from '../validate.js';
import { create, publish, update } from './articles-write.js';

function list({ service, key, query }: Exchange): Reply {
  const { store, settings } = service;
  const status = queryChoice(query, 'status', ['published', 'draft', 'all']) ?? 'published';
  const updatedSince = queryInstant(query, 'updated_since');
  const since = queryInstant(query, 'since');
  const limit = queryInteger(query, 'limit', { min: 1, max: 100 }) ?? settings.articlesPageSize;
  const asked = queryInteger(query, 'offset', { min: 0 }) ?? 0;
  const offset = settings.articlesOffset === 'ignored' ? 0 : asked;
  const target = listedBulle(store, key, queryTarget(query, 'bulle_id'));

  const matching = store
    .get(articlesSlice)
    .items.filter(
      (article) =>
        article.sphere_id === key.sphere_id &&
        (target === undefined || article.bulle_id === target.id) &&
        (status === 'all' || article.status === status) &&
        // Later, never equal: whoever resumes from the last value must not get it again.
        (updatedSince === undefined || article.updated_at > updatedSince) &&
        (since === undefined || (article.published_at !== null && article.published_at >= since)),
    )
    .sort(updatedSince === undefined ? newestFirst : oldestChangeFirst);
  return ok({
    articles: matching.slice(offset, offset + limit).map((article) => served(store, article)),
    total: matching.length,
    limit,
    offset,
  });
}

const oldestChangeFirst = (a: StoredArticle, b: StoredArticle): number => a.updated_at - b.updated_at || a.id - b.id;

const newestFirst = (a: StoredArticle, b: StoredArticle): number =>
  (b.published_at ?? b.created_at) - (a.published_at ?? a.created_at) || b.id - a.id;

const get = (exchange: Exchange): Reply => ok(served(exchange.service.store, namedArticle(exchange)));

/** The pingback. It changes nothing of the article, so a sync that confirms does not feed itself. */
function confirm(exchange: Exchange): Reply {
  const { store, clock } = exchange.service;
  const rendered_url = optionalText(exchange.body, 'rendered_url', { max: 2048 });
  if (rendered_url !== undefined && !/^https?:\/\//.test(rendered_url)) {
    throw unprocessable('Le champ `rendered_url` doit commencer par http:// ou https://.');
  }
  const { id } = namedArticle(exchange);
  const { confirmations } = store.get(articlesSlice);
  const confirmed_at = clock.stamp();
  confirmations[id] = { confirmed_at, rendered_url: rendered_url ?? confirmations[id]?.rendered_url ?? null };
  return ok({ article_id: id, confirmed_at: formatInstant(confirmed_at), confirmation_source: 'pingback' });
}

export const articles: Resource = {
  slices: [articlesSlice],
  jobs: { [WRITE_JOB]: finishWriting, [PUBLISH_JOB]: publishScheduled },
  routes: [
    { method: 'GET', path: '/articles', permission: 'read', operation: 'articles.list', handle: list },
    { method: 'GET', path: '/articles/{article_id}', permission: 'read', operation: 'articles.get', handle: get },
    {
      method: 'POST',
      path: '/articles/{article_id}/confirm',
      permission: 'read',
      operation: 'articles.confirm',
      emptyBody: true,
      handle: confirm,
    },
    { method: 'POST', path: '/articles', permission: 'publish', operation: 'articles.create', handle: create },
    {
      method: 'PUT',
      path: '/articles/{article_id}',
      permission: 'publish',
      operation: 'articles.update',
      handle: update,
    },
    {
      method: 'POST',
      path: '/articles/{article_id}/publish',
      permission: 'publish',
      operation: 'articles.publish',
      handle: publish,
    },
  ],
};
