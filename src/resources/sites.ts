import type { ApiPromise } from '../core/api-promise.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import {
  anyOf,
  array,
  boolean,
  integer,
  maybe,
  object,
  oneOf,
  optional,
  strictObject,
  string,
  text,
} from '../core/schema.js';
import type { Send } from '../core/send.js';
import type { BulleTarget } from '../core/types.js';

interface SiteFields {
  /** For `site_id` or `wix_site_id` of `articles.create`. */
  id: number;
  /** Its address. */
  site_url?: string | null;
  /** Its name. */
  site_name?: string | null;
  /** The brand that it belongs to. */
  sphere_id?: string | null;
  /** `null` for a site of the brand. */
  bulle_id?: string | null;
  /** Whether several locations use it. */
  is_shared?: boolean | null;
}

interface WordPressFields {
  /** Whether the service holds a key of its plugin. */
  has_api_key?: boolean | null;
  /** Version of WordPress. */
  wp_version?: string | null;
  /** Version of the service's plugin on the site. */
  plugin_version?: string | null;
  /** Theme of the site. */
  theme_name?: string | null;
}

interface WixFields {
  /** Whether the service holds a token for it. */
  has_token?: boolean | null;
}

/** A connected WordPress site. */
export interface WordPressSite extends SiteFields, WordPressFields {
  /** A WordPress site. */
  platform: 'wordpress';
}

/** A connected Wix site. */
export interface WixSite extends SiteFields, WixFields {
  /** A Wix site. */
  platform: 'wix';
}

/** A connected site of another kind. Which fields it has beyond those of every site is not documented. */
export interface OtherSite extends SiteFields, WordPressFields, WixFields {
  /** `shopify`, `prestashop`, or what the service gains later. (An open enum would keep an `if` from narrowing.) */
  platform: string;
}

/** A connected site. Test `platform` to reach the fields of its kind. */
export type Site = WordPressSite | WixSite | OtherSite;

/** Which sites `sites.list` gives. */
export interface SiteListParams extends BulleTarget {
  /** Default: all. */
  platform?: 'wordpress' | 'wix' | 'shopify' | 'prestashop' | undefined;
}

const fields = {
  id: integer,
  site_url: maybe(string),
  site_name: maybe(string),
  sphere_id: maybe(string),
  bulle_id: maybe(string),
  is_shared: maybe(boolean),
};
const wordpress = {
  has_api_key: maybe(boolean),
  wp_version: maybe(string),
  plugin_version: maybe(string),
  theme_name: maybe(string),
};
const wix = { has_token: maybe(boolean) };

/** @internal */
export const site = anyOf(
  object({ platform: oneOf('wordpress'), ...fields, ...wordpress }),
  object({ platform: oneOf('wix'), ...fields, ...wix }),
  object({ platform: string, ...fields, ...wordpress, ...wix }),
);

/** @internal */
export const siteEndpoints = {
  list: endpoint({
    operation: 'sites.list',
    method: 'GET',
    path: '/sites',
    permission: 'read',
    target: 'bulle_id',
    params: strictObject({
      platform: optional(oneOf('wordpress', 'wix', 'shopify', 'prestashop')),
      bulle_id: optional(text(1)),
    }),
    response: array(site),
  }),
};

/** The sites that articles can be published on. */
export class Sites {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
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
  list(params: SiteListParams = {}, options?: RequestOptions): ApiPromise<Site[]> {
    return this.#send(siteEndpoints.list, { ...params }, options);
  }
}
