import { type Api, type ApiPromise, apiOf, Resource } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { DryRunOption, DryRunResult, FicheTarget } from '../core/types.js';
import {
  gmbEndpoints,
  type ListingMetrics,
  type ListingMetricsParams,
  type OptimizerApplyParams,
  type OptimizerAudit,
  type OptimizerScore,
} from './gmb-schema.js';

/** Scores a listing, suggests improvements and applies changes. */
export class GmbOptimizer extends Resource {
  /**
   * Reads the last score of a listing without a new audit. `GET /gmb/optimizer`, permission `read`.
   * @throws a {@link MissingFicheIdError} if the key covers several listings and `fiche_id` is missing.
   * @example const { score, scored_at } = await client.gmb.optimizer.score({ fiche_id });
   */
  score(params?: FicheTarget, options?: RequestOptions): ApiPromise<OptimizerScore> {
    return apiOf(this).send(gmbEndpoints.optimizer.score, params, options);
  }

  /**
   * Audits a listing with data from Google and an AI model. `POST /gmb/optimizer/audit`, permission `publish`.
   *
   * The call is costly and slow: the default timeout is 180 s per attempt.
   * @remarks A write that may have succeeded is never sent again: after `outcome: 'unknown'`, `gmb.optimizer.score`
   * shows a new `scored_at` if the audit was made. `dry_run: true` returns a preview and executes nothing.
   * @throws a {@link MissingFicheIdError} if the key covers several listings and `fiche_id` is missing.
   * @throws a {@link BadGatewayError} if Google failed.
   * @throws a {@link DryRunNotHonoredError} if the response is not a preview: the audit was then made.
   * @example const { score, suggestions } = await client.gmb.optimizer.audit({ fiche_id });
   */
  audit<Only extends boolean | undefined = false>(
    params?: FicheTarget & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, OptimizerAudit>> {
    return apiOf(this).send(gmbEndpoints.optimizer.audit, params, options);
  }

  /**
   * Changes fields of a listing, which are public at Google. `POST /gmb/optimizer/apply`, permission `publish`.
   *
   * Preview the changes first. The response is not documented: the method returns the body unchanged, or `undefined` if
   * it is empty. No read of this service shows the fields of a listing.
   * @remarks A write that may have succeeded is never sent again: after `outcome: 'unknown'`, look at the listing at
   * Google, or check whether `gmb.optimizer.audit` (costly) still suggests the changes. `dry_run: true` returns a
   * preview and executes nothing.
   * @throws a {@link MissingFicheIdError} if the key covers several listings and `fiche_id` is missing.
   * @throws a {@link BadGatewayError} if Google failed. The changes may have been applied nevertheless.
   * @throws a {@link DryRunNotHonoredError} if the response is not a preview: the listing was then changed.
   * @example await client.gmb.optimizer.apply({ changes: [{ field: 'description', value: 'Boulangerie bio' }], fiche_id });
   */
  apply<Only extends boolean | undefined = false>(
    params: OptimizerApplyParams & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, unknown>> {
    return apiOf(this).send(gmbEndpoints.optimizer.apply, params, options);
  }
}

/** Google listings: figures and the optimizer. */
export class Gmb extends Resource {
  /** Scores, audits and changes of a listing. */
  readonly optimizer: GmbOptimizer;

  /** @internal */
  constructor(api: Api) {
    super(api);
    this.optimizer = new GmbOptimizer(api);
  }

  /**
   * Reads how often people saw and used a listing: views, calls, directions and more. `GET /gmb/metrics`, permission
   * `read`.
   *
   * `period_days` is 1 to 90, 30 by default. `timeseries` has the figures by date.
   * @throws a {@link MissingFicheIdError} if the key covers several listings and `fiche_id` is missing.
   * @example const { kpis, timeseries } = await client.gmb.metrics({ period_days: 90, fiche_id });
   */
  metrics(params?: ListingMetricsParams, options?: RequestOptions): ApiPromise<ListingMetrics> {
    return apiOf(this).send(gmbEndpoints.metrics, params, options);
  }
}
