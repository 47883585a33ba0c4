import type { Api } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { ApiPromise } from '../core/promise.js';
import type { DryRunOption, DryRunResult, FicheTarget } from '../core/types.js';
import {
  type AcquisitionStats,
  acquisitionEndpoints,
  type ReviewRequestBatch,
  type ReviewRequestParams,
} from './acquisition-schema.js';

/** Requests that ask customers for a review, by SMS and e-mail. */
export class Acquisition {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Read how many customers were asked, over 30 days too. `GET /acquisition/stats`, permission `read`.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @example const { by_channel, last_30_days } = await client.acquisition.stats({ fiche_id });
   */
  stats(params?: FicheTarget, options?: RequestOptions): ApiPromise<AcquisitionStats> {
    return this.#api.send(acquisitionEndpoints.stats, params, options);
  }

  /**
   * Ask customers for a review by SMS or e-mail. `POST /acquisition/review-requests`, permission `publish`.
   *
   * Spends the monthly SMS and e-mail quotas of the location. `queued_count` may be less than was given. Never sent twice
   * when it may have happened: after `outcome: 'unknown'`, `acquisition.stats` shows whether `total_requests` grew.
   * With `dry_run: true` nothing is executed and a preview comes back.
   * @throws a {@link QuotaExceededError} when a monthly quota is used up.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the customers are then asked.
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
    return this.#api.send(acquisitionEndpoints.requestReviews, params, options);
  }
}
