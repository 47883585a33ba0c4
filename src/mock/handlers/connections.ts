import { ok, type Reply } from '../http.js';
import { brandSlice, needsReconnect } from '../model/brand.js';
import { bullesInScope, listedBulle } from '../scope.js';
import type { Exchange, Resource } from '../service.js';
import { formatNaive } from '../timestamps.js';
import { queryTarget } from '../validate.js';

function list({ service, key, query }: Exchange): Reply {
  const target = listedBulle(service.store, key, queryTarget(query, 'bulle_id'));
  const shown = target === undefined ? bullesInScope(service.store, key) : [target];
  const { connections } = service.store.get(brandSlice);
  return ok(
    connections
      .filter(({ bulle_id }) => shown.some(({ id }) => id === bulle_id))
      .map((connection) => ({
        ...connection,
        expires_at: formatNaive(connection.expires_at),
        needs_reconnect: needsReconnect(connection, service.clock.now()),
      })),
  );
}

export const connections: Resource = {
  routes: [{ method: 'GET', path: '/connections', permission: 'read', operation: 'connections.list', handle: list }],
};
