import type * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { Platform } from '../core/types.js';

/** An account that is connected to a location. It publishes only if all three of `connected`, `needs_reconnect` and `expires_at` say so. */
export interface Connection {
  platform: Platform;
  connected: boolean;
  name?: string | null;
  bulle_id?: string | null;
  /** Without offset: `parseTimestamp` reads it as UTC. `null` when it does not expire. */
  expires_at?: string | null;
  /** `true` when its owner must connect it again, even while `connected` is `true`. */
  needs_reconnect?: boolean | null;
}

export const connectionSchema: z.ZodMiniType<Connection, Connection> = s.object({
  platform: s.string,
  connected: s.boolean,
  name: s.maybe(s.string),
  bulle_id: s.maybe(s.string),
  expires_at: s.maybe(s.string),
  needs_reconnect: s.maybe(s.boolean),
});

/** Filters of `connections.list`. */
export interface ConnectionListParams {
  /** One location; without it, a sphere key gets those of all locations. */
  bulle_id?: string | undefined;
}

export const connectionListParamsSchema: z.ZodMiniType<ConnectionListParams, ConnectionListParams> = s.params({
  bulle_id: s.target,
});

export const connectionEndpoints = {
  list: endpoint({
    operation: 'connections.list',
    method: 'GET',
    path: '/connections',
    permission: 'read',
    target: 'bulle_id',
    params: connectionListParamsSchema,
    response: s.list(connectionSchema),
  }),
};
