import type { ApiPromise } from '../core/api-promise.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { array, integer, maybe, object, string } from '../core/schema.js';
import type { Send } from '../core/send.js';

/** A location (bubble) of the brand. */
export interface Bulle {
  /** The `bulle_id` that targets it. */
  id: string;
  name: string;
  city?: string | null;
  /** `null` when it takes the brand's. */
  tone?: string | null;
  /** `null` when it takes the brand's. */
  language?: string | null;
  sphere_id?: string | null;
  /** ISO 8601. */
  created_at?: string | null;
}

/** A location with what it takes from its brand. */
export interface BulleDetail extends Bulle {
  /** Its own tone, else the brand's. */
  effective_tone?: string | null;
  /** Its own language, else the brand's. */
  effective_language?: string | null;
  /** How many Google listings it has. */
  gmb_fiches_count: number;
}

const bulleFields = {
  id: string,
  name: string,
  city: maybe(string),
  tone: maybe(string),
  language: maybe(string),
  sphere_id: maybe(string),
  created_at: maybe(string),
};

/** @internal */
export const bulle = object(bulleFields);

/** @internal */
export const bulleDetail = object({
  ...bulleFields,
  effective_tone: maybe(string),
  effective_language: maybe(string),
  gmb_fiches_count: integer,
});

/** @internal */
export const bulleEndpoints = {
  list: endpoint({
    operation: 'bulles.list',
    method: 'GET',
    path: '/bulles',
    permission: 'read',
    response: array(bulle),
  }),
  get: endpoint({
    operation: 'bulles.get',
    method: 'GET',
    path: '/bulles/{bulle_id}',
    permission: 'read',
    response: bulleDetail,
  }),
};

/** The locations of the brand. */
export class Bulles {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * List the locations of the brand. `GET /bulles`, permission `read`.
   * @example for (const { id, name } of await client.bulles.list()) console.log(id, name);
   */
  list(options?: RequestOptions): ApiPromise<Bulle[]> {
    return this.#send(bulleEndpoints.list, {}, options);
  }

  /**
   * Read one location. `GET /bulles/{bulle_id}`, permission `read`.
   * @throws a {@link BulleNotFoundError} when there is none, {@link BulleOutOfScopeError} when the key does not reach it.
   * @example const { effective_tone } = await client.bulles.get('b-lyon');
   */
  get(bulle_id: string, options?: RequestOptions): ApiPromise<BulleDetail> {
    return this.#send(bulleEndpoints.get, { bulle_id }, options);
  }
}
