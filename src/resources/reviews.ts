import type { Api } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import { type ListPromise, type Paging, sendList } from '../core/pages.js';
import type { ApiPromise } from '../core/promise.js';
import type { DryRunOption, DryRunResult, FicheTarget } from '../core/types.js';
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
  items: ({ reviews }) => reviews,
  id: ({ review_id }) => review_id,
  position: ({ page = 1 }: ReviewListParams) => page,
  next: (page, params, before) => {
    const { page: at = 1, limit = 25 } = params as ReviewListParams;
    // Reviews that left the filter meanwhile (answered ones, say) pulled others to pages that were read before.
    const gone = before ? before.filtered_count - page.filtered_count : 0;
    // The service may give fewer to a page than was asked for.
    const size = Math.min(limit, Math.max(1, page.reviews.length, before?.reviews.length ?? 0));
    if (gone > 0 && at > 1) return { ...params, page: Math.max(1, at - Math.ceil(gone / size)) };
    return at < page.total_pages ? { ...params, page: at + 1 } : undefined;
  },
};

/** The reviews of the Google listings. */
export class Reviews {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * List the reviews of a listing: one page when awaited, all of them when iterated. `GET /reviews`, permission `read`.
   *
   * Stars are 1 to 5 and `limit` is 1 to 100, 25 by default. Reviews that come in or get answered while pages are read
   * shift the others: none is given twice, and pages are read again where `filtered_count` shows that some moved back.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @throws a {@link FicheOutOfScopeError} for a listing that the key does not reach; {@link NoFicheError} when it has none.
   * @example
   * for await (const { review_id, rating } of client.reviews.list({ status: 'unresponded', fiche_id })) {
   *   if (rating === 5) await client.reviews.reply(review_id, { text: 'Merci !', fiche_id });
   * }
   */
  list(params?: ReviewListParams, options?: RequestOptions): ListPromise<ReviewPage, Review> {
    return sendList(this.#api, reviewEndpoints.list, params, options, paging);
  }

  /**
   * Read the reviews of a listing in figures. `GET /reviews/summary`, permission `read`.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @example const { average_rating, status_counts } = await client.reviews.summary({ fiche_id });
   */
  summary(params?: FicheTarget, options?: RequestOptions): ApiPromise<ReviewSummary> {
    return this.#api.send(reviewEndpoints.summary, params, options);
  }

  /**
   * Answer a review, for all to see at Google. `POST /reviews/{review_id}/reply`, permission `publish`.
   *
   * The service documents no `fiche_id` here and no need for one; it is sent where it is given. Never sent twice when it
   * may have happened: after `outcome: 'unknown'`, `reviews.list({ status: 'responded' })` shows the `response_text`.
   * With `dry_run: true` nothing is executed and a preview comes back.
   * @throws a {@link GoneError} when the review no longer exists at Google.
   * @throws a {@link BadGatewayError} when Google failed; the reply may be there all the same.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const { posted } = await client.reviews.reply(review_id, { text: 'Merci, à bientôt !' });
   */
  reply<Only extends boolean | undefined = false>(
    review_id: string,
    params: ReviewReplyParams & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, ReviewReply>> {
    return this.#api.send(reviewEndpoints.reply, params, options, { review_id });
  }
}
