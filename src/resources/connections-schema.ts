import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { Platform } from '../core/types.js';

/**
 * An account that is connected to a location. `posts.check` accepts it if `connected` is `true`, `needs_reconnect` is not,
 * and `expires_at` has not passed.
 */
export interface Connection {
  /** The platform of the account. */
  platform: Platform;
  /** Whether the account is connected. See also `needs_reconnect`. */
  connected: boolean;
  /** Name of the account. */
  name?: string | null;
  /** The location of the account. */
  bulle_id?: string | null;
  /** When the access expires. Without offset: `parseTimestamp` reads it as UTC. */
  expires_at?: string | null;
  /** Whether the account must be connected again. */
  needs_reconnect: boolean;
}

/** The zod schema of {@link Connection}. */
export const connectionSchema: s.ObjectSchema<Connection> = s.object({
  platform: s.string,
  connected: s.boolean,
  name: s.maybe(s.string),
  bulle_id: s.maybe(s.string),
  expires_at: s.maybe(s.string),
  needs_reconnect: s.boolean,
});

/** Filters of `connections.list`. */
export interface ConnectionListParams {
  /** Only this location. Without it, a sphere key gets the accounts of all locations. */
  bulle_id?: string | undefined;
}

/** The zod schema of {@link ConnectionListParams}. */
export const connectionListParamsSchema: s.ObjectSchema<ConnectionListParams> = s.params({
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
    needs: s.list(s.object({ platform: s.string, connected: s.boolean })),
  }),
};
