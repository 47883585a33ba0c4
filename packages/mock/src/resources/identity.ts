import { formatInstant, served } from '../engine/clock.js';
import { ok, type Reply } from '../engine/http.js';
import { UNCOUNTED } from '../engine/rate-limit.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import { brandSlice, bullesInScope, fichesInScope } from '../engine/scope.js';
import { connectionsSlice } from './connections.js';
import { PLATFORMS } from './platforms.js';

const api_version = '2.0';

function me(exchange: Exchange): Reply {
  const { store, settings, key } = exchange;
  const bulles = bullesInScope(exchange);
  const connected = store
    .get(connectionsSlice)
    .filter((account) => account.connected && bulles.some(({ id }) => id === account.bulle_id));
  const own = bulles.find(({ id }) => id === key.bulle_id);
  const sphere = store.get(brandSlice).spheres.find(({ id }) => id === key.sphere_id);
  const { perMinute, perDay } = settings.rateLimit ?? UNCOUNTED;
  return ok({
    api_version,
    bulle: own === undefined ? null : { id: own.id, name: own.name, city: own.city },
    sphere: { id: sphere?.id, name: sphere?.name, slug: sphere?.slug },
    permissions: key.permissions,
    rate_limits: { per_minute: perMinute, per_day: perDay },
    connected_platforms: PLATFORMS.filter((name) => connected.some(({ platform }) => platform === name)),
    gmb_fiches: fichesInScope(exchange).map(({ place_id: _place, bulle_id: _bulle, ...fiche }) => fiche),
  });
}

const spheres = ({ store, key }: Exchange): Reply =>
  ok(
    store
      .get(brandSlice)
      .spheres.filter(({ id }) => id === key.sphere_id)
      .map(served),
  );

const health = ({ clock }: Exchange): Reply => ok({ status: 'ok', api_version, timestamp: formatInstant(clock.now()) });

/** The service, the key and its brand. */
export const identity = defineResource({
  // Spheres, locations and listings are one slice, because together they define the scope of every key.
  slices: [brandSlice],
  routes: [
    route('GET /health', null, 'health', health),
    route('GET /me', 'read', 'me', me),
    route('GET /spheres', 'read', 'spheres.list', spheres),
  ],
});
