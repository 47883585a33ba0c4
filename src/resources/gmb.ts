import type { ApiPromise } from '../core/api-promise.js';
import type { RequestOptions } from '../core/options.js';
import type { Send } from '../core/send.js';
import type { DryRunEither, DryRunOff, DryRunOn, DryRunPreview, FicheTarget } from '../core/types.js';
import {
  gmbEndpoints,
  type ListingMetrics,
  type ListingMetricsParams,
  type OptimizerApplyParams,
  type OptimizerAudit,
  type OptimizerScore,
} from './gmb-model.js';

/** How complete a listing is, and what would make it better. */
export class GmbOptimizer {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Read the last score of a listing, without a new audit. `GET /gmb/optimizer`, permission `read`.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @example const { score, scored_at } = await client.gmb.optimizer.score({ fiche_id });
   */
  score(params: FicheTarget = {}, options?: RequestOptions): ApiPromise<OptimizerScore> {
    return this.#send(gmbEndpoints.score, { ...params }, options);
  }

  /**
   * Audit a listing with Google's data and a model. `POST /gmb/optimizer/audit`, permission `publish`.
   *
   * Costly and slow: 180 s an attempt by default. The service documents no `fiche_id` in the body; it is sent where it
   * is given. Never sent twice when it may have happened: after `outcome: 'unknown'`, `gmb.optimizer.score` shows a new
   * `scored_at`.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @throws a {@link BadGatewayError} when Google failed.
   * @example const { score, suggestions } = await client.gmb.optimizer.audit({ fiche_id });
   */
  audit(params?: FicheTarget & DryRunOff, options?: RequestOptions): ApiPromise<OptimizerAudit>;
  /**
   * Preview an audit: none is made. `POST /gmb/optimizer/audit` with `dry_run: true`, permission `publish`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the audit then was made.
   * @example const { quota } = await client.gmb.optimizer.audit({ fiche_id, dry_run: true });
   */
  audit(params: FicheTarget & DryRunOn, options?: RequestOptions): ApiPromise<DryRunPreview>;
  /**
   * Audit or preview, as `dry_run` says. `POST /gmb/optimizer/audit`, permission `publish`.
   * @example await client.gmb.optimizer.audit({ fiche_id, dry_run: rehearse });
   */
  audit(params: FicheTarget & DryRunEither, options?: RequestOptions): ApiPromise<OptimizerAudit | DryRunPreview>;
  audit(params: FicheTarget & DryRunEither = {}, options?: RequestOptions) {
    return this.#send<OptimizerAudit & DryRunPreview>(gmbEndpoints.audit, { ...params }, options);
  }

  /**
   * Change fields of a listing, for all to see at Google. `POST /gmb/optimizer/apply`, permission `publish`.
   *
   * A real write: preview it first. The service does not document its answer: it is given as it came, `undefined` when
   * empty. Never sent twice when it may have happened: after `outcome: 'unknown'`, look at the listing at Google, or
   * whether `gmb.optimizer.audit` (costly) still suggests the changes; no read of this service shows its fields.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @throws a {@link BadGatewayError} when Google failed; the changes may be there all the same.
   * @example await client.gmb.optimizer.apply({ changes: [{ field: 'description', value: 'Boulangerie bio' }], fiche_id });
   */
  apply(params: OptimizerApplyParams & DryRunOff, options?: RequestOptions): ApiPromise<unknown>;
  /**
   * Preview changes of a listing: nothing is written. `POST /gmb/optimizer/apply` with `dry_run: true`, permission
   * `publish`.
   *
   * This preview is the one that the service documents: `dry_run`, `fiche_id`, `fiche_name`, `changes` and `fields`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the listing then was changed.
   * @example const preview = await client.gmb.optimizer.apply({ changes, fiche_id, dry_run: true });
   */
  apply(params: OptimizerApplyParams & DryRunOn, options?: RequestOptions): ApiPromise<DryRunPreview>;
  /**
   * Apply or preview, as `dry_run` says. `POST /gmb/optimizer/apply`, permission `publish`.
   * @example await client.gmb.optimizer.apply({ changes, fiche_id, dry_run: rehearse });
   */
  apply(params: OptimizerApplyParams & DryRunEither, options?: RequestOptions): ApiPromise<unknown>;
  apply(params: OptimizerApplyParams & DryRunEither, options?: RequestOptions) {
    return this.#send<DryRunPreview>(gmbEndpoints.apply, { ...params }, options);
  }
}

/** The Google listings: their figures and their optimizer. */
export class Gmb {
  readonly #send: Send;
  /** Scores, audits and changes of a listing. */
  readonly optimizer: GmbOptimizer;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
    this.optimizer = new GmbOptimizer(send);
  }

  /**
   * Read what people did with a listing: views, calls, directions and more. `GET /gmb/metrics`, permission `read`.
   *
   * `period_days` is 1 to 90, 30 by default. `timeseries` holds a row a day.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @throws a {@link BadGatewayError} when Google failed.
   * @example const { kpis, timeseries } = await client.gmb.metrics({ period_days: 90, fiche_id });
   */
  metrics(params: ListingMetricsParams = {}, options?: RequestOptions): ApiPromise<ListingMetrics> {
    return this.#send(gmbEndpoints.metrics, { ...params }, options);
  }
}
