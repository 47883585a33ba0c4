import { apiOf, Resource } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import { type Connection, type ConnectionListParams, connectionEndpoints } from './connections-schema.js';
import { type ListPromise, sendList, wholeList } from './pages.js';

/** The social and listing accounts of the locations. */
export class Connections extends Resource {
  /**
   * Lists the connected accounts. `GET /connections`, permission `read`.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} if `bulle_id` is out of scope or unknown.
   * @example
   * for await (const { platform, needs_reconnect } of client.connections.list()) {
   *   if (needs_reconnect) console.log(platform);
   * }
   */
  list(params?: ConnectionListParams, options?: RequestOptions): ListPromise<Connection[], Connection> {
    return sendList(apiOf(this), connectionEndpoints.list, params, options, wholeList());
  }
}
