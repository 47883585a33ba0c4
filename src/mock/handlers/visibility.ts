import { ok, type Reply } from '../http.js';
import { visibilitySlice } from '../model/listings.js';
import { targetFiche } from '../scope.js';
import type { Exchange, Resource } from '../service.js';
import { formatInstant } from '../timestamps.js';
import { queryTarget } from '../validate.js';

/** GET /visibility/scan: flat with a scan, `snapshot: null` without any. */
function scan({ service, key, query }: Exchange): Reply {
  const { id: fiche_id } = targetFiche(service.store, key, queryTarget(query, 'fiche_id'));
  const found = service.store.get(visibilitySlice)[fiche_id];
  return ok(
    found === undefined
      ? { fiche_id, snapshot: null }
      : { fiche_id, ...found, scanned_at: formatInstant(found.scanned_at) },
  );
}

export const visibility: Resource = {
  slices: [visibilitySlice],
  routes: [{ method: 'GET', path: '/visibility/scan', permission: 'read', operation: 'visibility.scan', handle: scan }],
};
