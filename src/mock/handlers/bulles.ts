import { ok, type Reply } from '../http.js';
import { type Bulle, brandSlice, fichesOf } from '../model/brand.js';
import { bullesInScope, namedBulle } from '../scope.js';
import type { Exchange, Resource } from '../service.js';
import { formatInstant } from '../timestamps.js';

const item = (bulle: Bulle) => ({ ...bulle, created_at: formatInstant(bulle.created_at) });

const list = ({ service, key }: Exchange): Reply => ok(bullesInScope(service.store, key).map(item));

function get({ service, key, params }: Exchange): Reply {
  const bulle = namedBulle(service.store, key, params.bulle_id ?? '');
  const sphere = service.store.get(brandSlice).spheres.find(({ id }) => id === bulle.sphere_id);
  return ok({
    ...item(bulle),
    effective_tone: bulle.tone ?? sphere?.default_tone,
    effective_language: bulle.language ?? sphere?.default_language,
    gmb_fiches_count: fichesOf(service.store, new Set([bulle.id])).length,
  });
}

export const bulles: Resource = {
  routes: [
    { method: 'GET', path: '/bulles', permission: 'read', operation: 'bulles.list', handle: list },
    { method: 'GET', path: '/bulles/{bulle_id}', permission: 'read', operation: 'bulles.get', handle: get },
  ],
};
