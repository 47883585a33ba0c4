import * as z from 'zod/mini';
import { gone, notFound, ok, type Reply } from '../../engine/http.js';
import { defineResource, type Exchange, route } from '../../engine/router.js';
import {
  bodyTarget,
  dryRun,
  instant,
  integerText,
  rangeEnd,
  readBody,
  readQuery,
  target,
  text,
} from '../../engine/schema.js';
import { targetFiche } from '../../engine/scope.js';
import type { Fiche } from '../../seed/brand.js';
import {
  countReviews,
  findReview,
  reviewsOf,
  reviewsSlice,
  type StoredReview,
  servedReview,
  statusOfReview,
} from './review.js';

const ORDERS = {
  date_desc: (a, b) => b.review_timestamp - a.review_timestamp,
  date_asc: (a, b) => a.review_timestamp - b.review_timestamp,
  rating_desc: (a, b) => b.rating - a.rating || b.review_timestamp - a.review_timestamp,
  rating_asc: (a, b) => a.rating - b.rating || b.review_timestamp - a.review_timestamp,
} satisfies Record<string, (a: StoredReview, b: StoredReview) => number>;

const stars = integerText({ min: 1, max: 5 });
const listQuery = z
  .object({
    min_stars: z._default(stars, 1),
    max_stars: z._default(stars, 5),
    status: z.optional(z.enum(['responded', 'drafts', 'unresponded'])),
    keyword: z._default(z.string(), ''),
    date_from: z._default(instant, Number.NEGATIVE_INFINITY),
    date_to: z._default(rangeEnd, Number.POSITIVE_INFINITY),
    sort_by: z._default(z.enum(['date_desc', 'date_asc', 'rating_desc', 'rating_asc']), 'date_desc'),
    limit: z._default(integerText({ min: 1, max: 100 }), 25),
    page: z._default(integerText({ min: 1 }), 1),
    fiche_id: target,
  })
  .check(
    z.refine(({ min_stars, max_stars }) => min_stars <= max_stars, {
      path: ['min_stars'],
      error: 'ne doit pas dépasser `max_stars`',
    }),
    z.refine(({ date_from, date_to }) => date_from <= date_to, {
      path: ['date_from'],
      error: 'ne doit pas dépasser `date_to`',
    }),
  );

/** GET /reviews. The counters are for the whole listing. `filtered_count` and `total_pages` depend on the filters. */
function list({ service, key, query }: Exchange): Reply {
  const { sort_by, limit, page, fiche_id, ...filters } = readQuery(listQuery, query);
  const fiche = targetFiche(service.store, key, fiche_id);

  const all = reviewsOf(service.store, fiche.id);
  const matching = all.filter((review) => matches(review, filters)).sort(ORDERS[sort_by]);
  const { average_rating, total_reviews, status_counts } = countReviews(all);
  return ok({
    fiche: summaryOf(fiche, all),
    reviews: matching.slice((page - 1) * limit, page * limit).map(servedReview),
    average_rating,
    total_reviews,
    filtered_count: matching.length,
    status_counts,
    page,
    total_pages: Math.ceil(matching.length / limit),
  });
}

type Filters = Omit<z.output<typeof listQuery>, 'sort_by' | 'limit' | 'page' | 'fiche_id'>;

function matches(
  review: StoredReview,
  { min_stars, max_stars, status, keyword, date_from, date_to }: Filters,
): boolean {
  return (
    review.rating >= min_stars &&
    review.rating <= max_stars &&
    (status === undefined || statusOfReview(review) === status) &&
    `${review.customer_name} ${review.text ?? ''}`.toLowerCase().includes(keyword.toLowerCase()) &&
    review.review_timestamp >= date_from &&
    review.review_timestamp <= date_to
  );
}

function summaryOf({ id, name, address, place_id }: Fiche, reviews: readonly StoredReview[]) {
  const { average_rating, total_reviews } = countReviews(reviews);
  return { id, name, address, place_id, average_rating, total_reviews };
}

const summaryQuery = z.object({ fiche_id: target });

function summary({ service, key, query }: Exchange): Reply {
  const { id, name } = targetFiche(service.store, key, readQuery(summaryQuery, query).fiche_id);
  return ok({ fiche: { id, name }, ...countReviews(reviewsOf(service.store, id)) });
}

/**
 * The review of the path, and its listing. A sphere key need not name the listing, because the review has one. A named
 * listing must be the listing of the review.
 */
function namedReview(
  { service, key, params }: Exchange,
  ficheId: string | undefined,
): { readonly review: StoredReview; readonly fiche: Fiche } {
  const { store } = service;
  const { review_id = '' } = params;
  const named = ficheId === undefined ? undefined : targetFiche(store, key, ficheId);
  const review = findReview(store, review_id);
  if (review === undefined || (named !== undefined && named.id !== review.fiche_id)) {
    throw notFound(`Avis introuvable : ${review_id}`);
  }
  return { review, fiche: targetFiche(store, key, review.fiche_id) };
}

const newReply = z.object({ text: text({ min: 1 }), dry_run: dryRun, fiche_id: bodyTarget });

/** POST /reviews/{review_id}/reply: a second reply replaces the first, as at Google. */
function reply(exchange: Exchange): Reply {
  const { service, body } = exchange;
  const { text: answer, dry_run, fiche_id } = readBody(newReply, body);
  const { review, fiche } = namedReview(exchange, fiche_id);
  if (review.gone) throw gone("Cet avis n'existe plus sur Google.");
  const { id: review_id, rating, customer_name, response_text } = review;
  const common = { review_id, rating, customer_name, fiche_name: fiche.name };
  if (dry_run) {
    return ok({ dry_run: true, ...common, would_post: true, would_reply: answer, would_replace: response_text });
  }
  review.response_text = answer;
  review.reply_date = service.clock.stamp();
  return ok({ posted: true, ...common });
}

export const reviews = defineResource({
  slices: [reviewsSlice],
  routes: [
    route('GET /reviews', 'read', 'reviews.list', list),
    route('GET /reviews/summary', 'read', 'reviews.summary', summary),
    route('POST /reviews/{review_id}/reply', 'publish', 'reviews.reply', reply),
  ],
});
