import { ok, type Reply } from '../engine/http.js';
import { UNCOUNTED } from '../engine/rate-limit.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import { brandSlice, bullesInScope, fichesInScope } from '../engine/scope.js';
import { connectionsSlice } from './connections.js';
import { API_VERSION } from './health.js';
import { PLATFORMS } from './platforms.js';

function identity({ service, key }: Exchange): Reply {
  const { store, settings } = service;
  const bulles = bullesInScope(store, key);
  const connections = store
    .get(connectionsSlice)
    .filter(({ connected, bulle_id }) => connected && bulles.some(({ id }) => id === bulle_id));
  const own = bulles.find(({ id }) => id === key.bulle_id);
  const sphere = store.get(brandSlice).spheres.find(({ id }) => id === key.sphere_id);
  const { perMinute, perDay } = settings.rateLimit ?? UNCOUNTED;
  return ok({
    api_version: API_VERSION,
    bulle: own === undefined ? null : { id: own.id, name: own.name, city: own.city },
    sphere: { id: sphere?.id, name: sphere?.name, slug: sphere?.slug },
    permissions: key.permissions,
    rate_limits: { per_minute: perMinute, per_day: perDay },
    connected_platforms: PLATFORMS.filter((name) => connections.some(({ platform }) => platform === name)),
    gmb_fiches: fichesInScope(store, key).map(({ id, name, address, service_area }) => ({
      id,
      name,
      address,
      service_area,
    })),
  });
}

export const me = defineResource({
  routes: [route('GET /me', 'read', 'me', identity)],
});
