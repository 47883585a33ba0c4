import type { MockConnections } from './helper-types.js';
import { requireKnownNames } from './known-names.js';
import { findConnection } from './model/brand.js';
import type { Service } from './service.js';
import { requireInstant } from './timestamps.js';

/** `service` is asked for at each call: `reset` replaces it, and work that is due is done before. */
export function createConnections(service: () => Service): MockConnections {
  return {
    change(bulle_id, platform, patch) {
      requireKnownNames('connections.change', patch, { connected: true, needs_reconnect: true, expires_at: true });
      const { connected, needs_reconnect, expires_at } = patch;
      const connection = findConnection(service().store, bulle_id, platform);
      if (connection === undefined) throw new RangeError(`${bulle_id} has no account on ${platform}`);
      const expiry = expires_at === undefined ? undefined : requireInstant('expires_at', expires_at);
      connection.connected = connected ?? connection.connected;
      connection.needs_reconnect = needs_reconnect ?? connection.needs_reconnect;
      connection.expires_at = expiry ?? connection.expires_at;
    },
  };
}
