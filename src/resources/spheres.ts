import type { Api } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import { type ListPromise, sendList, wholeList } from './pages.js';
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
  list(options?: RequestOptions): ListPromise<Sphere[], Sphere> {
    return sendList(this.#api, sphereEndpoints.list, {}, options, wholeList());
  }
}
