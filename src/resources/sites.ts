import type { Api } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { ApiPromise } from '../core/promise.js';
import { type Site, type SiteListParams, siteEndpoints } from './sites-schema.js';

/** The sites that articles can be published on. */
export class Sites {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * List the connected sites. `GET /sites`, permission `read`.
   *
   * Their `id` is what `articles.create` takes as `site_id` (WordPress) or `wix_site_id` (Wix).
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} for a `bulle_id` that the key does not reach.
   * @example
   * for (const site of await client.sites.list()) {
   *   if (site.platform === 'wordpress') console.log(site.site_url, site.wp_version);
   * }
   */
  list(params?: SiteListParams, options?: RequestOptions): ApiPromise<Site[]> {
    return this.#api.send(siteEndpoints.list, params, options);
  }
}
