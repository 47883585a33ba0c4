import type { ApiPromise } from '../core/api-promise.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { array, boolean, maybe, object, optional, strictObject, string, text } from '../core/schema.js';
import type { Send } from '../core/send.js';
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

/** Filters of `connections.list`. */
export interface ConnectionListParams {
  /** One location; without it, a sphere key gets those of all locations. */
  bulle_id?: string | undefined;
}

/** @internal */
export const connection = object({
  platform: string,
  connected: boolean,
  name: maybe(string),
  bulle_id: maybe(string),
  expires_at: maybe(string),
  needs_reconnect: maybe(boolean),
});

/** @internal */
export const connectionEndpoints = {
  list: endpoint({
    operation: 'connections.list',
    method: 'GET',
    path: '/connections',
    permission: 'read',
    target: 'bulle_id',
    params: strictObject({ bulle_id: optional(text(1)) }),
    response: array(connection),
  }),
};

/** The social and listing accounts of the locations. */
export class Connections {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * List the connected accounts. `GET /connections`, permission `read`.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} for a `bulle_id` that the key does not reach.
   * @example
   * const broken = (await client.connections.list()).filter(({ needs_reconnect }) => needs_reconnect);
   */
  list(params: ConnectionListParams = {}, options?: RequestOptions): ApiPromise<Connection[]> {
    return this.#send(connectionEndpoints.list, { ...params }, options);
  }
}
