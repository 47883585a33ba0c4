import { ok, type Reply } from '../http.js';
import { brandSlice, PLATFORMS } from '../model/brand.js';
import { bullesInScope, fichesInScope } from '../scope.js';
import type { Exchange, Resource } from '../service.js';
import { API_VERSION } from './health.js';

const UNCOUNTED = { perMinute: 60, perDay: 1000 };

function identity({ service, key }: Exchange): Reply {
  const { spheres, connections } = service.store.get(brandSlice);
  const bulles = bullesInScope(service.store, key);
  const connected = new Set(
    connections
      .filter(({ connected, bulle_id }) => connected && bulles.some(({ id }) => id === bulle_id))
      .map(({ platform }) => platform),
  );
  const own = bulles.find(({ id }) => id === key.bulle_id);
  const sphere = spheres.find(({ id }) => id === key.sphere_id);
  const { perMinute, perDay } = service.settings.rateLimit ?? UNCOUNTED;
  return ok({
    api_version: API_VERSION,
    bulle: own === undefined ? null : { id: own.id, name: own.name, city: own.city },
    sphere: { id: sphere?.id, name: sphere?.name, slug: sphere?.slug },
    permissions: key.permissions,
    rate_limits: { per_minute: perMinute, per_day: perDay },
    connected_platforms: PLATFORMS.filter((platform) => connected.has(platform)),
    gmb_fiches: fichesInScope(service.store, key).map(({ id, name, address, service_area }) => ({
      id,
      name,
      address,
      service_area,
    })),
  });
}

export const me: Resource = {
  routes: [{ method: 'GET', path: '/me', permission: 'read', operation: 'me', handle: identity }],
};
