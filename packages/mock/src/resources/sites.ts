import * as z from 'zod/mini';
import { ok } from '../engine/http.js';
import { defineResource, route } from '../engine/router.js';
import { on, reading } from '../engine/scope.js';
import { ids } from '../seed/brand.js';

const { sphere, bulle, otherBulle, outside } = ids;
const SITES = (
  [
    [11, 'www.fournils-augustine', "Les Fournils d'Augustine", sphere, null, 'Levain'],
    [12, 'lyon.fournils-augustine', 'Le journal de la Croix-Rousse', sphere, bulle, 'Levain'],
    // Without a theme, it is a Wix site.
    [21, 'bordeaux.fournils-augustine', 'Les Fournils à Bordeaux', sphere, otherBulle, null],
    [91, 'www.maree-haute', 'Marée Haute', outside.sphere, null, 'Océan'],
  ] as const
).map(([id, name, site_name, sphere_id, bulle_id, theme_name]) => {
  // A site without a location is one that every location of the brand can use.
  const is_shared = bulle_id === null;
  const common = { id, site_url: `https://${name}.example`, site_name, sphere_id, bulle_id, is_shared };
  if (theme_name === null) return { ...common, platform: 'wix' as const, has_token: true };
  const versions = { has_api_key: true, wp_version: '6.8.3', plugin_version: '2.4.1' };
  return { ...common, platform: 'wordpress' as const, ...versions, theme_name };
});

/** A connected CMS site. Each platform has its own ids. */
export type Site = (typeof SITES)[number];

/** The address of a location in search engines: its own site, else the shared one. */
export function siteUrlOf(bulleId: string): string {
  const found = SITES.find(({ bulle_id }) => bulle_id === bulleId) ?? SITES[0];
  return `${found?.site_url}/`;
}

export const sitesSlice = { name: 'sites', seed: () => SITES };

const listQuery = z.object({ platform: z.optional(z.enum(['wordpress', 'wix', 'shopify', 'prestashop'])) });

/** GET /sites: a location has its own sites and the shared sites of the brand. */
const list = reading(on.bulleOrBrand, listQuery, ({ store, key }, { platform }, bulle) =>
  ok(
    store
      .get(sitesSlice)
      .filter(
        (site) =>
          site.sphere_id === key.sphere_id &&
          (platform === undefined || site.platform === platform) &&
          (bulle === undefined || site.is_shared || site.bulle_id === bulle.id),
      ),
  ),
);

export const sites = defineResource({
  slices: [sitesSlice],
  routes: [route('GET /sites', 'read', 'sites.list', list)],
});
