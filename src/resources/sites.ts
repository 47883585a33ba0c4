import { apiOf, Resource } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import { type ListPromise, sendList, wholeList } from './pages.js';
import { type Site, type SiteListParams, siteEndpoints } from './sites-schema.js';

/** Connected sites, on which articles can be published. */
export class Sites extends Resource {
  /**
   * Lists the connected sites. `GET /sites`, permission `read`.
   *
   * Pass the `id` of a site to `articles.create`, as `site_id` (WordPress) or `wix_site_id` (Wix).
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} if `bulle_id` is out of scope or unknown.
   * @example
   * for await (const site of client.sites.list()) {
   *   if (site.platform === 'wordpress') console.log(site.site_url, site.wp_version);
   * }
   */
  list(params?: SiteListParams, options?: RequestOptions): ListPromise<Site[], Site> {
    return sendList(apiOf(this), siteEndpoints.list, params, options, wholeList());
  }
}
