import { apiOf, Resource } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import { type ListPromise, sendList, wholeList } from './pages.js';
import { type Sphere, sphereEndpoints } from './spheres-schema.js';

/** The brand of the key. */
export class Spheres extends Resource {
  /**
   * Lists the brand of the key: an array with one item. `GET /spheres`, permission `read`.
   * @example const [sphere] = await client.spheres.list();
   */
  list(options?: RequestOptions): ListPromise<Sphere[], Sphere> {
    return sendList(apiOf(this), sphereEndpoints.list, {}, options, wholeList());
  }
}
