import type { Api } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { ApiPromise } from '../core/promise.js';
import { type Sphere, sphereEndpoints } from './spheres-schema.js';

/** The brand of the key. */
export class Spheres {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the brand of the key: an array with one item. `GET /spheres`, permission `read`.
   * @example const [sphere] = await client.spheres.list();
   */
  list(options?: RequestOptions): ApiPromise<Sphere[]> {
    return this.#api.send(sphereEndpoints.list, {}, options);
  }
}
