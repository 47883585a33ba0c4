import type { Api } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { ApiPromise } from '../core/promise.js';
import type { DryRunOption, DryRunResult, FicheTarget } from '../core/types.js';
import {
  gmbEndpoints,
  type ListingMetrics,
  type ListingMetricsParams,
  type OptimizerApplyParams,
  type OptimizerAudit,
  type OptimizerScore,
} from './gmb-schema.js';

/** How complete a listing is, and what would make it better. */
export class GmbOptimizer {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Read the last score of a listing, without a new audit. `GET /gmb/optimizer`, permission `read`.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @example const { score, scored_at } = await client.gmb.optimizer.score({ fiche_id });
   */
  score(params?: FicheTarget, options?: RequestOptions): ApiPromise<OptimizerScore> {
    return this.#api.send(gmbEndpoints.optimizer.score, params, options);
  }

  /**
   * Audit a listing with Google's data and a model. `POST /gmb/optimizer/audit`, permission `publish`.
   *
   * Costly and slow: 180 s an attempt by default. The service documents no `fiche_id` in the body; it is sent where it
   * is given. Never sent twice when it may have happened: after `outcome: 'unknown'`, `gmb.optimizer.score` shows a new
   * `scored_at`.
   * With `dry_run: true` nothing is executed and a preview comes back.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @throws a {@link BadGatewayError} when Google failed.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the audit then was made.
   * @example const { score, suggestions } = await client.gmb.optimizer.audit({ fiche_id });
   */
  audit<Only extends boolean | undefined = false>(
    params?: FicheTarget & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, OptimizerAudit>> {
    return this.#api.send(gmbEndpoints.optimizer.audit, params, options);
  }

  /**
   * Change fields of a listing, for all to see at Google. `POST /gmb/optimizer/apply`, permission `publish`.
   *
   * A real write: preview it first. The service does not document its answer: it is given as it came, `undefined` when
   * empty. Never sent twice when it may have happened: after `outcome: 'unknown'`, look at the listing at Google, or
   * whether `gmb.optimizer.audit` (costly) still suggests the changes; no read of this service shows its fields.
   * With `dry_run: true` nothing is executed and a preview comes back.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @throws a {@link BadGatewayError} when Google failed; the changes may be there all the same.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the listing then was changed.
   * @example await client.gmb.optimizer.apply({ changes: [{ field: 'description', value: 'Boulangerie bio' }], fiche_id });
   */
  apply<Only extends boolean | undefined = false>(
    params: OptimizerApplyParams & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, unknown>> {
    return this.#api.send(gmbEndpoints.optimizer.apply, params, options);
  }
}

/** The Google listings: their figures and their optimizer. */
export class Gmb {
  readonly #api: Api;
  /** Scores, audits and changes of a listing. */
  readonly optimizer: GmbOptimizer;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
    this.optimizer = new GmbOptimizer(api);
  }

  /**
   * Read what people did with a listing: views, calls, directions and more. `GET /gmb/metrics`, permission `read`.
   *
   * `period_days` is 1 to 90, 30 by default. `timeseries` holds a row a day.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @throws a {@link BadGatewayError} when Google failed.
   * @example const { kpis, timeseries } = await client.gmb.metrics({ period_days: 90, fiche_id });
   */
  metrics(params?: ListingMetricsParams, options?: RequestOptions): ApiPromise<ListingMetrics> {
    return this.#api.send(gmbEndpoints.metrics, params, options);
  }
}
