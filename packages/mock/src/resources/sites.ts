import * as z from 'zod/mini';
import { ok, type Reply } from '../engine/http.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import { readQuery, target } from '../engine/schema.js';
import { listedBulle } from '../engine/scope.js';
import type { Slice } from '../engine/store.js';
import { ids } from '../seed/brand.js';

interface SiteBase {
  readonly id: number;
  readonly site_url: string;
  readonly site_name: string;
  readonly sphere_id: string;
  /** `null`: every location of the brand can use the site. */
  readonly bulle_id: string | null;
  readonly is_shared: boolean;
}
/** A connected CMS site. Each platform has its own ids. */
export type Site =
  | (SiteBase & {
      readonly platform: 'wordpress';
      readonly has_api_key: boolean;
      readonly wp_version: string;
      readonly plugin_version: string;
      readonly theme_name: string;
    })
  | (SiteBase & { readonly platform: 'wix'; readonly has_token: boolean });

const WORDPRESS = { platform: 'wordpress', has_api_key: true, wp_version: '6.8.3', plugin_version: '2.4.1' } as const;

const SITES: readonly Site[] = [
  {
    ...WORDPRESS,
    id: 11,
    site_url: 'https://www.fournils-augustine.example',
    site_name: "Les Fournils d'Augustine",
    sphere_id: ids.sphere,
    bulle_id: null,
    is_shared: true,
    theme_name: 'Levain',
  },
  {
    ...WORDPRESS,
    id: 12,
    site_url: 'https://lyon.fournils-augustine.example',
    site_name: 'Le journal de la Croix-Rousse',
    sphere_id: ids.sphere,
    bulle_id: ids.bulle,
    is_shared: false,
    theme_name: 'Levain',
  },
  {
    platform: 'wix',
    id: 21,
    site_url: 'https://bordeaux.fournils-augustine.example',
    site_name: 'Les Fournils à Bordeaux',
    sphere_id: ids.sphere,
    bulle_id: ids.otherBulle,
    is_shared: false,
    has_token: true,
  },
  {
    ...WORDPRESS,
    id: 91,
    site_url: 'https://www.maree-haute.example',
    site_name: 'Marée Haute',
    sphere_id: ids.outside.sphere,
    bulle_id: null,
    is_shared: true,
    theme_name: 'Océan',
  },
];

/** The address of a location in search engines: its own site, else the shared one. */
export function siteUrlOf(bulleId: string): string {
  const own = SITES.find(({ bulle_id }) => bulle_id === bulleId);
  const shared = SITES.find(({ is_shared }) => is_shared);
  return `${(own ?? shared)?.site_url}/`;
}

export const sitesSlice: Slice<readonly Site[]> = { name: 'sites', seed: () => SITES };

const listQuery = z.object({
  platform: z.optional(z.enum(['wordpress', 'wix', 'shopify', 'prestashop'])),
  bulle_id: target,
});

/** GET /sites: a location has its own sites and the shared sites of the brand. */
function list({ service, key, query }: Exchange): Reply {
  const { platform, bulle_id } = readQuery(listQuery, query);
  const bulle = listedBulle(service.store, key, bulle_id);
  return ok(
    service.store
      .get(sitesSlice)
      .filter(
        (site) =>
          site.sphere_id === key.sphere_id &&
          (platform === undefined || site.platform === platform) &&
          (bulle === undefined || site.is_shared || site.bulle_id === bulle.id),
      ),
  );
}

export const sites = defineResource({
  slices: [sitesSlice],
  routes: [route('GET /sites', 'read', 'sites.list', list)],
});
