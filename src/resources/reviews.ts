import { type ApiPromise, apiOf, Resource } from '../core/api.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { ownFields } from '../core/request.js';
import * as s from '../core/schema.js';
import type { DryRunOption, DryRunResult, FicheTarget } from '../core/types.js';
import { each, type ListPromise, type Paging, sendList } from './pages.js';
import { type EachFicheOptions, eachFiche, type OfFiche } from './reviews-all.js';
import {
  type Review,
  type ReviewListParams,
  type ReviewPage,
  type ReviewReply,
  type ReviewReplyParams,
  type ReviewSummary,
  reviewEndpoints,
} from './reviews-schema.js';

const paging: Paging<ReviewPage, Review> = {
  needs: s.object({
    reviews: s.list(s.object({ review_id: s.string })),
    filtered_count: s.integer,
    total_pages: s.integer,
  }),
  items: ({ reviews }) => reviews,
  id: ({ review_id }) => review_id,
  position: ({ page = 1 }) => Number(page),
  next: (page, params, before) => {
    const at = Number(params.page ?? 1);
    const limit = Number(params.limit ?? 25);
    // If reviews stop matching the filter (after a reply, for example), later ones move to pages that were already
    // read.
    const gone = before ? before.filtered_count - page.filtered_count : 0;
    // The service may return fewer reviews per page than requested.
    const size = Math.min(limit, Math.max(1, page.reviews.length, before?.reviews.length ?? 0));
    if (gone > 0 && at > 1) return { ...params, page: Math.max(1, at - Math.ceil(gone / size)) };
    return at < page.total_pages ? { ...params, page: at + 1 } : undefined;
  },
};

/** Both ask every listing, so none is required. */
const all = endpoint({ ...reviewEndpoints.list, operation: 'reviews.all', targetRequired: false });
const summaries = endpoint({ ...reviewEndpoints.summary, operation: 'reviews.summaries', targetRequired: false });

/** Reviews of Google listings. */
export class Reviews extends Resource {
  /**
   * Lists the reviews of a listing. `GET /reviews`, permission `read`.
   *
   * Stars are 1 to 5. `limit` is 1 to 100, 25 by default.
   * @remarks `await` returns one page, `for await` all reviews. New reviews and replies during the iteration move the
   * other reviews to other pages. The iteration yields no review twice. If `filtered_count` shows that reviews have
   * moved to earlier pages, the client reads these pages again.
   * @throws a {@link MissingFicheIdError} if the key covers several listings and `fiche_id` is missing.
   * @throws a {@link FicheOutOfScopeError} if the listing is out of the key's scope.
   * @throws a {@link NoFicheError} if the key has no listing.
   * @example
   * for await (const { review_id, rating } of client.reviews.list({ status: 'unresponded', fiche_id })) {
   *   if (rating === 5) await client.dryRun.reviews.reply(review_id, { text: 'Merci !', fiche_id }); // only a preview
   * }
   */
  list(params?: ReviewListParams, options?: RequestOptions): ListPromise<ReviewPage, Review> {
    return sendList(apiOf(this), reviewEndpoints.list, params, options, paging);
  }

  /**
   * Iterates the reviews of all listings of the key, one listing after the other, each review with the `fiche_id` of its
   * listing. `GET /reviews`, permission `read`.
   *
   * The cost is one request for each listing, and one more for each further page of `limit` reviews (25 by default, 100 at
   * most). The iteration is lazy: it sends no request before the first review is wanted, and none after `break`. The
   * listings come from `client.identity`, which `client.me()` renews. Without an identity, `GET /me` is sent once. On
   * `client.forFiche`, the iteration reads only that listing.
   *
   * If a listing fails, the iteration continues with the next one. With `onFailure`, it calls `onFailure` for each listing that
   * failed. Without it, the iteration throws the first error after the reviews of all other listings. It ends at once if the error
   * concerns every listing: the key, the limits, the parameters, or a signal. If the service fails (408, 5xx, a timeout, no
   * connection), it ends at the second such listing without a success in between, so an outage costs few requests.
   * @throws a {@link MissingFicheIdError} on `client.forBulle` if the key covers the whole brand and several listings. The
   * specification does not say which listings belong to a location.
   * @example
   * for await (const { fiche_id, customer_name, text } of client.reviews.all({ max_stars: 1, status: 'unresponded' })) {
   *   console.log(fiche_id, customer_name, text);
   * }
   */
  all(
    params?: Omit<ReviewListParams, 'fiche_id' | 'page'>,
    options?: EachFicheOptions,
  ): AsyncGenerator<OfFiche<Review>, void, undefined> {
    const reviews = eachFiche(apiOf(this), all, ownFields(params), options, (...one) => this.list(...one));
    return each(reviews, (review) => [review], apiOf(this).trail(options));
  }

  /**
   * Iterates figures about the reviews of all listings of the key, each with the `fiche_id` of its listing. `GET
   * /reviews/summary`, permission `read`. The cost is one request for each listing. Listings, failures and views are
   * handled as by {@link Reviews.all}.
   * @throws a {@link MissingFicheIdError} on `client.forBulle` if the key covers the whole brand and several listings.
   * @example
   * for await (const { fiche, status_counts } of client.reviews.summaries()) {
   *   console.log(fiche?.name, status_counts.unresponded);
   * }
   */
  summaries(options?: EachFicheOptions): AsyncGenerator<OfFiche<ReviewSummary>, void, undefined> {
    const figures = eachFiche(apiOf(this), summaries, {}, options, (...one) => summaryOf(this, ...one));
    return each(figures, (one) => [one], apiOf(this).trail(options));
  }

  /**
   * Reads figures about the reviews of a listing. `GET /reviews/summary`, permission `read`.
   * @throws a {@link MissingFicheIdError} if the key covers several listings and `fiche_id` is missing.
   * @example const { average_rating, status_counts } = await client.reviews.summary({ fiche_id });
   */
  summary(params?: FicheTarget, options?: RequestOptions): ApiPromise<ReviewSummary> {
    return apiOf(this).send(reviewEndpoints.summary, params, options);
  }

  /**
   * Replies to a review. The reply is public at Google. `POST /reviews/{review_id}/reply`, permission `publish`.
   *
   * `fiche_id` names the listing if the key covers several.
   * @remarks A write that may have succeeded is never sent again: after `outcome: 'unknown'`, `reviews.list({ status:
   * 'responded' })` shows the `response_text`. `dry_run: true` returns a preview and executes nothing.
   * @throws a {@link GoneError} if the review no longer exists at Google.
   * @throws a {@link BadGatewayError} if Google failed. The reply may have been posted nevertheless.
   * @throws a {@link DryRunNotHonoredError} if the response is not a preview: the reply was then posted.
   * @example
   * const params = { text: 'Merci, à bientôt !', fiche_id };
   * console.log(await client.dryRun.reviews.reply(review_id, params)); // Look at the preview first.
   * const { posted } = await client.reviews.reply(review_id, params);
   */
  reply<Only extends boolean | undefined = false>(
    review_id: string,
    params: ReviewReplyParams & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, ReviewReply>> {
    return apiOf(this).send(reviewEndpoints.reply, params, options, { review_id });
  }
}

async function* summaryOf(
  reviews: Reviews,
  target: FicheTarget,
  options: RequestOptions,
): AsyncGenerator<ReviewSummary> {
  yield await reviews.summary(target, options);
}
