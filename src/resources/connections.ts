import type { Api } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { ApiPromise } from '../core/promise.js';
import { type Connection, type ConnectionListParams, connectionEndpoints } from './connections-schema.js';

/** The social and listing accounts of the locations. */
export class Connections {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * List the connected accounts. `GET /connections`, permission `read`.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} for a `bulle_id` that the key does not reach.
   * @example
   * const broken = (await client.connections.list()).filter(({ needs_reconnect }) => needs_reconnect);
   */
  list(params?: ConnectionListParams, options?: RequestOptions): ApiPromise<Connection[]> {
    return this.#api.send(connectionEndpoints.list, params, options);
  }
}
