import type { Api } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { ApiPromise } from '../core/promise.js';
import { type Bulle, type BulleDetail, bulleEndpoints } from './bulles-schema.js';

/** The locations of the brand. */
export class Bulles {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * List the locations of the brand. `GET /bulles`, permission `read`.
   * @example for (const { id, name } of await client.bulles.list()) console.log(id, name);
   */
  list(options?: RequestOptions): ApiPromise<Bulle[]> {
    return this.#api.send(bulleEndpoints.list, {}, options);
  }

  /**
   * Read one location. `GET /bulles/{bulle_id}`, permission `read`.
   * @throws a {@link BulleNotFoundError} when there is none, {@link BulleOutOfScopeError} when the key does not reach it.
   * @example const { effective_tone } = await client.bulles.get('b-lyon');
   */
  get(bulle_id: string, options?: RequestOptions): ApiPromise<BulleDetail> {
    return this.#api.send(bulleEndpoints.get, {}, options, { bulle_id });
  }
}
