import { type ApiPromise, apiOf, Resource } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { FicheTarget } from '../core/types.js';
import { type NoVisibilityScan, type VisibilityScan, visibilityEndpoints } from './visibility-schema.js';

/** Visibility of a listing in the local results of Google. */
export class Visibility extends Resource {
  /**
   * Reads the last local-pack scan of a listing. `GET /visibility/scan`, permission `read`.
   *
   * For a listing that was never scanned, `snapshot` is `null` and the other fields are absent.
   *
   * @throws a {@link MissingFicheIdError} if the key covers several listings and `fiche_id` is missing.
   * @example
   * const scan = await client.visibility.scan({ fiche_id });
   * console.log(scan.snapshot === null ? 'never scanned' : scan.visibility_score);
   */
  scan(params?: FicheTarget, options?: RequestOptions): ApiPromise<VisibilityScan | NoVisibilityScan> {
    return apiOf(this).send(visibilityEndpoints.scan, params, options);
  }
}
