import { gone, ok, type Reply, unprocessable } from '../http.js';
import type { Fiche } from '../model/brand.js';
import {
  countReviews,
  reviewsOf,
  reviewsSlice,
  type StoredReview,
  servedReview,
  statusOfReview,
} from '../model/reviews.js';
import { namedReview, targetFiche } from '../scope.js';
import type { Exchange, Resource } from '../service.js';
import {
  bodyTarget,
  queryChoice,
  queryInstant,
  queryInteger,
  queryRangeEnd,
  queryTarget,
  queryText,
  readDryRun,
  requiredText,
} from '../validate.js';

const ORDERS: Readonly<Record<string, (a: StoredReview, b: StoredReview) => number>> = {
  date_desc: (a, b) => b.review_timestamp - a.review_timestamp,
  date_asc: (a, b) => a.review_timestamp - b.review_timestamp,
  rating_desc: (a, b) => b.rating - a.rating || b.review_timestamp - a.review_timestamp,
  rating_asc: (a, b) => a.rating - b.rating || b.review_timestamp - a.review_timestamp,
};

const STARS = { min: 1, max: 5 };

/** GET /reviews. The counters are those of the listing; `filtered_count` and `total_pages` follow the filters. */
function list({ service, key, query }: Exchange): Reply {
  const matches = readFilters(query);
  const order = ORDERS[queryChoice(query, 'sort_by', Object.keys(ORDERS)) ?? 'date_desc'];
  const limit = queryInteger(query, 'limit', { min: 1, max: 100 }) ?? 25;
  const page = queryInteger(query, 'page', { min: 1 }) ?? 1;
  const fiche = targetFiche(service.store, key, queryTarget(query, 'fiche_id'));

  const all = reviewsOf(service.store, fiche.id);
  const matching = all.filter(matches).sort(order);
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

function readFilters(query: URLSearchParams): (review: StoredReview) => boolean {
  const min = queryInteger(query, 'min_stars', STARS) ?? STARS.min;
  const max = queryInteger(query, 'max_stars', STARS) ?? STARS.max;
  requireOrder(min, max, 'min_stars', 'max_stars');
  const status = queryChoice(query, 'status', ['responded', 'drafts', 'unresponded']);
  const keyword = queryText(query, 'keyword')?.toLowerCase() ?? '';
  const from = queryInstant(query, 'date_from') ?? Number.NEGATIVE_INFINITY;
  const to = queryRangeEnd(query, 'date_to') ?? Number.POSITIVE_INFINITY;
  requireOrder(from, to, 'date_from', 'date_to');
  return (review) =>
    review.rating >= min &&
    review.rating <= max &&
    (status === undefined || statusOfReview(review) === status) &&
    `${review.customer_name} ${review.text ?? ''}`.toLowerCase().includes(keyword) &&
    review.review_timestamp >= from &&
    review.review_timestamp <= to;
}

function requireOrder(low: number, high: number, lowName: string, highName: string): void {
  if (low > high) throw unprocessable(`Le paramètre \`${lowName}\` ne doit pas dépasser \`${highName}\`.`);
}

function summaryOf({ id, name, address, place_id }: Fiche, reviews: readonly StoredReview[]) {
  const { average_rating, total_reviews } = countReviews(reviews);
  return { id, name, address, place_id, average_rating, total_reviews };
}

function summary({ service, key, query }: Exchange): Reply {
  const { id, name } = targetFiche(service.store, key, queryTarget(query, 'fiche_id'));
  return ok({ fiche: { id, name }, ...countReviews(reviewsOf(service.store, id)) });
}

/** POST /reviews/{review_id}/reply: a second reply replaces the first, as at Google. */
function reply(exchange: Exchange): Reply {
  const { service, body } = exchange;
  const text = requiredText(body, 'text', { min: 1 });
  const dryRun = readDryRun(body);
  const { review, fiche } = namedReview(exchange, bodyTarget(body, 'fiche_id'));
  if (review.gone) throw gone("Cet avis n'existe plus sur Google.");
  const { id: review_id, rating, customer_name, response_text } = review;
  const common = { review_id, rating, customer_name, fiche_name: fiche.name };
  if (dryRun) {
    return ok({ dry_run: true, ...common, would_post: true, would_reply: text, would_replace: response_text });
  }
  review.response_text = text;
  review.reply_date = service.clock.stamp();
  return ok({ posted: true, ...common });
}

export const reviews: Resource = {
  slices: [reviewsSlice],
  routes: [
    { method: 'GET', path: '/reviews', permission: 'read', operation: 'reviews.list', handle: list },
    { method: 'GET', path: '/reviews/summary', permission: 'read', operation: 'reviews.summary', handle: summary },
    {
      method: 'POST',
      path: '/reviews/{review_id}/reply',
      permission: 'publish',
      operation: 'reviews.reply',
      handle: reply,
    },
  ],
};
