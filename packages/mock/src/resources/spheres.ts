import { formatInstant } from '../engine/clock.js';
import { ok, type Reply } from '../engine/http.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import { brandSlice } from '../engine/scope.js';

function list({ service, key }: Exchange): Reply {
  const { spheres } = service.store.get(brandSlice);
  return ok(
    spheres
      .filter(({ id }) => id === key.sphere_id)
      .map((sphere) => ({ ...sphere, created_at: formatInstant(sphere.created_at) })),
  );
}

export const spheres = defineResource({
  // Spheres, locations and listings are one slice, because together they define the scope of every key.
  slices: [brandSlice],
  routes: [route('GET /spheres', 'read', 'spheres.list', list)],
});
