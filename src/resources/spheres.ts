import * as z from 'zod/mini';
import type { ApiPromise } from '../core/api-promise.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { maybe } from '../core/schema.js';
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
export const sphere = /* @__PURE__ */ (() =>
  z.looseObject({
    id: z.string(),
    name: z.string(),
    slug: maybe(z.string()),
    default_language: maybe(z.string()),
    default_tone: maybe(z.string()),
    created_at: maybe(z.string()),
  }))();

/** @internal */
export const sphereEndpoints = {
  list: /* @__PURE__ */ (() =>
    endpoint({
      operation: 'spheres.list',
      method: 'GET',
      path: '/spheres',
      permission: 'read',
      response: z.array(sphere),
    }))(),
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
