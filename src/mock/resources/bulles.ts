import { formatInstant } from '../engine/clock.js';
import { ok, type Reply } from '../engine/http.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import { brandSlice, bullesInScope, fichesOf, namedBulle } from '../engine/scope.js';
import type { Bulle } from '../seed/brand.js';

const item = (bulle: Bulle) => ({ ...bulle, created_at: formatInstant(bulle.created_at) });

const list = ({ service, key }: Exchange): Reply => ok(bullesInScope(service.store, key).map(item));

function get({ service, key, params }: Exchange): Reply {
  const bulle = namedBulle(service.store, key, params.bulle_id ?? '');
  const sphere = service.store.get(brandSlice).spheres.find(({ id }) => id === bulle.sphere_id);
  return ok({
    ...item(bulle),
    effective_tone: bulle.tone ?? sphere?.default_tone,
    effective_language: bulle.language ?? sphere?.default_language,
    gmb_fiches_count: fichesOf(service.store, [bulle]).length,
  });
}

export const bulles = defineResource({
  routes: [
    route('GET /bulles', 'read', 'bulles.list', list),
    route('GET /bulles/{bulle_id}', 'read', 'bulles.get', get),
  ],
});
