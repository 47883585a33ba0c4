import { ok, type Reply } from '../http.js';
import { brandSlice } from '../model/brand.js';
import type { Exchange, Resource } from '../service.js';
import { formatInstant } from '../timestamps.js';

function list({ service, key }: Exchange): Reply {
  const { spheres } = service.store.get(brandSlice);
  return ok(
    spheres
      .filter(({ id }) => id === key.sphere_id)
      .map((sphere) => ({ ...sphere, created_at: formatInstant(sphere.created_at) })),
  );
}

export const spheres: Resource = {
  routes: [{ method: 'GET', path: '/spheres', permission: 'read', operation: 'spheres.list', handle: list }],
};
