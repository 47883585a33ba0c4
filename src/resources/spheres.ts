import type { ApiPromise } from '../core/api-promise.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { array, maybe, object, string } from '../core/schema.js';
import type { Send } from '../core/send.js';

/** A brand: the parent of its locations. */
export interface Sphere {
  id: string;
  name: string;
  slug?: string | null;
  /** Language that a location writes in when it has none of its own. */
  default_language?: string | null;
  /** Tone that a location writes in when it has none of its own. */
  default_tone?: string | null;
  /** ISO 8601. */
  created_at?: string | null;
}

/** @internal */
export const sphere = object({
  id: string,
  name: string,
  slug: maybe(string),
  default_language: maybe(string),
  default_tone: maybe(string),
  created_at: maybe(string),
});

/** @internal */
export const sphereEndpoints = {
  list: endpoint({
    operation: 'spheres.list',
    method: 'GET',
    path: '/spheres',
    permission: 'read',
    response: array(sphere),
  }),
};

/** The brand of the key. */
export class Spheres {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * List the brands of the key: always one. `GET /spheres`, permission `read`.
   * @example const [sphere] = await client.spheres.list();
   */
  list(options?: RequestOptions): ApiPromise<Sphere[]> {
    return this.#send(sphereEndpoints.list, {}, options);
  }
}
