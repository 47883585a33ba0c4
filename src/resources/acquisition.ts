import { type ApiPromise, apiOf, Resource } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { DryRunOption, DryRunResult, FicheTarget } from '../core/types.js';
import {
  type AcquisitionStats,
  acquisitionEndpoints,
  type ReviewRequestBatch,
  type ReviewRequestParams,
} from './acquisition-schema.js';

/** Review requests: messages that ask customers for a review, by SMS or e-mail. */
export class Acquisition extends Resource {
  /**
   * Reads statistics about the review requests of 30 days. `GET /acquisition/stats`, permission `read`.
   * @throws a {@link MissingFicheIdError} if the key covers several listings and `fiche_id` is missing.
   * @example const { by_channel, last_30_days } = await client.acquisition.stats({ fiche_id });
   */
  stats(params?: FicheTarget, options?: RequestOptions): ApiPromise<AcquisitionStats> {
    return apiOf(this).send(acquisitionEndpoints.stats, params, options);
  }

  /**
   * Sends review requests to customers by SMS or e-mail. `POST /acquisition/review-requests`, permission `publish`.
   *
   * A contact needs a `customer_phone` if its `channel` is `'sms'`, and a `customer_email` if it is `'email'`. Uses the
   * monthly SMS and e-mail quotas of the location. Compare `queued_count` with the number of contacts.
   * @remarks A write that may have succeeded is never sent again: after `outcome: 'unknown'`, `acquisition.stats` shows
   * whether `total_requests` grew. `dry_run: true` returns a preview and executes nothing.
   * @throws a {@link QuotaExceededError} if a monthly quota is used up.
   * @throws a {@link MissingFicheIdError} if the key covers several listings and `fiche_id` is missing.
   * @throws a {@link DryRunNotHonoredError} if the response is not a preview: the requests were then queued.
   * @example
   * const { queued_count } = await client.acquisition.requestReviews({
   *   contacts: [{ customer_name: 'Ada Martin', channel: 'email', customer_email: 'ada@example.com' }],
   *   fiche_id,
   * });
   */
  requestReviews<Only extends boolean | undefined = false>(
    params: ReviewRequestParams & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, ReviewRequestBatch>> {
    return apiOf(this).send(acquisitionEndpoints.requestReviews, params, options);
  }
}
