import { DAY, HOUR, served } from '../engine/clock.js';
import { ok } from '../engine/http.js';
import { defineResource, route } from '../engine/router.js';
import { none, on, reading } from '../engine/scope.js';
import type { SeedContext } from '../engine/store.js';
import { FICHE_IDS, ids } from '../seed/brand.js';
import { letters, saltOf, scatter } from '../seed/prose.js';

function seedScans({ now }: SeedContext): Record<string, object> {
  return Object.fromEntries(
    FICHE_IDS.filter((id) => id !== ids.ficheWithoutScan).map((id, index) => [
      id,
      {
        snapshot_id: `vis_${letters(saltOf(id), 14)}`,
        visibility_score: 38 + scatter(index, 46, 55),
        scanned_at: now - (2 + scatter(index, 47, 9)) * DAY - scatter(index, 48, 20) * HOUR,
      },
    ]),
  );
}

/** The latest scan of each listing that has one. */
const visibilitySlice = { name: 'visibility', seed: seedScans };

/** GET /visibility/scan: the flat form with a scan, `snapshot: null` without one. */
const scan = reading(on.fiche, none, ({ store }, _, { id: fiche_id }) => {
  const found = store.get(visibilitySlice)[fiche_id];
  return ok(found === undefined ? { fiche_id, snapshot: null } : { fiche_id, ...served(found) });
});

export const visibility = defineResource({
  slices: [visibilitySlice],
  routes: [route('GET /visibility/scan', 'read', 'visibility.scan', scan)],
});
