import type { ApiPromise } from '../core/api-promise.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { anyOf, number, object, oneOf, optional, strictObject, string, text } from '../core/schema.js';
import type { Send } from '../core/send.js';
import type { FicheTarget } from '../core/types.js';

/** The last local-pack scan of a listing. */
export interface VisibilityScan {
  /** The listing. */
  fiche_id: string;
  /** Not the `snapshot_id` of `seo.snapshot`, which is a number. */
  snapshot_id: string;
  /** How visible it is; its range is not documented. */
  visibility_score: number;
  /** ISO 8601. */
  scanned_at: string;
  /** Never there: `null` marks the other form, {@link NoVisibilityScan}. */
  snapshot?: undefined;
}

/** What stands in place of a scan for a listing that was never scanned. */
export interface NoVisibilityScan {
  /** The listing. */
  fiche_id: string;
  /** `null` marks this form. */
  snapshot: null;
}

/** @internal */
export const visibilityScan = anyOf(
  object({
    fiche_id: string,
    snapshot_id: string,
    visibility_score: number,
    scanned_at: string,
    snapshot: optional(oneOf()),
  }),
  object({ fiche_id: string, snapshot: oneOf(null) }),
);

/** @internal */
export const visibilityEndpoints = {
  scan: endpoint({
    operation: 'visibility.scan',
    method: 'GET',
    path: '/visibility/scan',
    permission: 'read',
    target: 'fiche_id',
    targetRequired: true,
    params: strictObject({ fiche_id: optional(text(1)) }),
    response: visibilityScan,
  }),
};

/** How visible a listing is in Google's local results. */
export class Visibility {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Read the last local-pack scan of a listing. `GET /visibility/scan`, permission `read`.
   *
   * A listing that was never scanned has `snapshot: null` and nothing else.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @example
   * const scan = await client.visibility.scan({ fiche_id });
   * console.log(scan.snapshot === null ? 'never scanned' : scan.visibility_score);
   */
  scan(params: FicheTarget = {}, options?: RequestOptions): ApiPromise<VisibilityScan | NoVisibilityScan> {
    return this.#send(visibilityEndpoints.scan, { ...params }, options);
  }
}
