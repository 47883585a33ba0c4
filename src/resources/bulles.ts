import { type ApiPromise, apiOf, Resource } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import { type Bulle, type BulleDetail, bulleEndpoints } from './bulles-schema.js';
import { type ListPromise, sendList, wholeList } from './pages.js';

/** The locations of the brand. */
export class Bulles extends Resource {
  /**
   * Lists the locations of the brand. `GET /bulles`, permission `read`.
   * @example for await (const { id, name } of client.bulles.list()) console.log(id, name);
   */
  list(options?: RequestOptions): ListPromise<Bulle[], Bulle> {
    return sendList(apiOf(this), bulleEndpoints.list, {}, options, wholeList());
  }

  /**
   * Reads one location. `GET /bulles/{bulle_id}`, permission `read`.
   * @throws a {@link BulleNotFoundError} if the location does not exist.
   * @throws a {@link BulleOutOfScopeError} if the location is out of the key's scope.
   * @example const { effective_tone } = await client.bulles.get(bulle_id);
   */
  get(bulle_id: string, options?: RequestOptions): ApiPromise<BulleDetail> {
    return apiOf(this).send(bulleEndpoints.get, {}, options, { bulle_id });
  }
}
