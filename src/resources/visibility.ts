import type { Api } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { ApiPromise } from '../core/promise.js';
import type { FicheTarget } from '../core/types.js';
import { type NoVisibilityScan, type VisibilityScan, visibilityEndpoints } from './visibility-schema.js';

/** How visible a listing is in Google's local results. */
export class Visibility {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
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
  scan(params?: FicheTarget, options?: RequestOptions): ApiPromise<VisibilityScan | NoVisibilityScan> {
    return this.#api.send(visibilityEndpoints.scan, params, options);
  }
}
