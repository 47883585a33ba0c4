import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { BulleTarget } from '../core/types.js';

interface SiteFields {
  /** Id for `site_id` or `wix_site_id` of `articles.create`. */
  id: number;
  /** Address of the site. */
  site_url?: string | null;
  /** Name of the site. */
  site_name?: string | null;
  /** Id of the brand. */
  sphere_id?: string | null;
  /** The location of the site. */
  bulle_id?: string | null;
  /** Whether the site is shared. */
  is_shared: boolean;
}

interface WordPressFields {
  /** Whether the site has an API key. */
  has_api_key?: boolean | null;
  /** Version of WordPress. */
  wp_version?: string | null;
  /** Version of the plugin on the site. */
  plugin_version?: string | null;
  /** Theme of the site. */
  theme_name?: string | null;
}

interface WixFields {
  /** Whether the site has a token. */
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

/** A connected site of another platform. It is not documented which further fields it has. */
export interface OtherSite extends SiteFields, WordPressFields, WixFields {
  /**
   * `shopify`, `prestashop` or another platform. The type is `string` because TypeScript could not narrow an open enum.
   */
  platform: string;
}

/** A connected site. Compare `platform` to get access to the fields of that platform. */
export type Site = WordPressSite | WixSite | OtherSite;

const fields = {
  id: s.integer,
  site_url: s.maybe(s.string),
  site_name: s.maybe(s.string),
  sphere_id: s.maybe(s.string),
  bulle_id: s.maybe(s.string),
  is_shared: s.boolean,
};
const wordpress = {
  has_api_key: s.maybe(s.boolean),
  wp_version: s.maybe(s.string),
  plugin_version: s.maybe(s.string),
  theme_name: s.maybe(s.string),
};
const wix = { has_token: s.maybe(s.boolean) };

/** The zod schema of {@link Site}. */
export const siteSchema: z.ZodMiniType<Site, Site> = s.anyOf(
  [
    s.object({ platform: s.only('wordpress'), ...fields, ...wordpress }),
    s.object({ platform: s.only('wix'), ...fields, ...wix }),
    s.object({ platform: s.string, ...fields, ...wordpress, ...wix }),
  ],
  'a site',
);

/** Filters of `sites.list`. */
export interface SiteListParams extends BulleTarget {
  /** Only sites of this platform. */
  platform?: 'wordpress' | 'wix' | 'shopify' | 'prestashop' | undefined;
}

/** The zod schema of {@link SiteListParams}. */
export const siteListParamsSchema: s.ObjectSchema<SiteListParams> = s.params({
  platform: z.optional(s.oneOf(['wordpress', 'wix', 'shopify', 'prestashop'])),
  bulle_id: s.target,
});

export const siteEndpoints = {
  list: endpoint({
    operation: 'sites.list',
    method: 'GET',
    path: '/sites',
    permission: 'read',
    target: 'bulle_id',
    params: siteListParamsSchema,
    response: s.list(siteSchema),
  }),
};
