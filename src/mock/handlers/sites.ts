import { ok, type Reply } from '../http.js';
import { brandSlice } from '../model/brand.js';
import { listedBulle } from '../scope.js';
import type { Exchange, Resource } from '../service.js';
import { queryChoice, queryTarget } from '../validate.js';

const PLATFORMS = ['wordpress', 'wix', 'shopify', 'prestashop'] as const;

/** GET /sites: a location's are its own and those that the brand shares. */
function list({ service, key, query }: Exchange): Reply {
  const platform = queryChoice(query, 'platform', PLATFORMS);
  const target = listedBulle(service.store, key, queryTarget(query, 'bulle_id'));
  return ok(
    service.store
      .get(brandSlice)
      .sites.filter(
        (site) =>
          site.sphere_id === key.sphere_id &&
          (platform === undefined || site.platform === platform) &&
          (target === undefined || site.is_shared || site.bulle_id === target.id),
      ),
  );
}

export const sites: Resource = {
  routes: [{ method: 'GET', path: '/sites', permission: 'read', operation: 'sites.list', handle: list }],
};
