import * as z from 'zod/mini';
import { formatInstant } from '../../engine/clock.js';
import { ok, type Reply } from '../../engine/http.js';
import { defineResource, type Exchange, route } from '../../engine/router.js';
import { instant, integerText, readBody, readQuery, target, text } from '../../engine/schema.js';
import { listedBulle } from '../../engine/scope.js';
import { type StoredArticle, served } from './article.js';
import { articlesSlice, finishWriting, namedArticle, PUBLISH_JOB, publishScheduled, WRITE_JOB } from './state.js';
import { create, publish, update } from './write.js';

const listQuery = z.object({
  status: z._default(z.enum(['published', 'draft', 'all']), 'published'),
  updated_since: z.optional(instant),
  since: z.optional(instant),
  limit: z.optional(integerText({ min: 1, max: 100 })),
  offset: z._default(integerText({ min: 0 }), 0),
  bulle_id: target,
});

function list({ service, key, query }: Exchange): Reply {
  const { store, settings } = service;
  const asked = readQuery(listQuery, query);
  const { status, updated_since, since, limit = settings.articlesPageSize } = asked;
  const offset = settings.articlesOffset === 'ignored' ? 0 : asked.offset;
  const bulle = listedBulle(store, key, asked.bulle_id);

  const matching = store
    .get(articlesSlice)
    .items.filter(
      (article) =>
        article.sphere_id === key.sphere_id &&
        (bulle === undefined || article.bulle_id === bulle.id) &&
        (status === 'all' || article.status === status) &&
        // Later and never equal: a client that resumes from the last value must not get it again.
        (updated_since === undefined || article.updated_at > updated_since) &&
        (since === undefined || (article.published_at !== null && article.published_at >= since)),
    )
    .sort(updated_since === undefined ? newestFirst : oldestChangeFirst);
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

const confirmation = z.object({
  rendered_url: z.optional(
    text({ max: 2048 }).check(z.refine((url) => /^https?:\/\//.test(url), 'doit commencer par http:// ou https://')),
  ),
});

/** Confirms an article. The article does not change, so a sync that confirms does not cause another change. */
function confirm(exchange: Exchange): Reply {
  const { store, clock } = exchange.service;
  const { rendered_url } = readBody(confirmation, exchange.body);
  const { id } = namedArticle(exchange);
  const { confirmations } = store.get(articlesSlice);
  const confirmed_at = clock.stamp();
  confirmations[id] = { confirmed_at, rendered_url: rendered_url ?? confirmations[id]?.rendered_url ?? null };
  return ok({ article_id: id, confirmed_at: formatInstant(confirmed_at), confirmation_source: 'pingback' });
}

export const articles = defineResource({
  slices: [articlesSlice],
  jobs: { [WRITE_JOB]: finishWriting, [PUBLISH_JOB]: publishScheduled },
  routes: [
    route('GET /articles', 'read', 'articles.list', list),
    route('GET /articles/{article_id}', 'read', 'articles.get', get),
    route('POST /articles/{article_id}/confirm', 'read', 'articles.confirm', confirm, { emptyBody: true }),
    route('POST /articles', 'publish', 'articles.create', create),
    route('PUT /articles/{article_id}', 'publish', 'articles.update', update),
    route('POST /articles/{article_id}/publish', 'publish', 'articles.publish', publish),
  ],
});
