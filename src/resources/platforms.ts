import { type ApiPromise, apiOf, Resource } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import { type PlatformLimits, platformEndpoints } from './platforms-schema.js';

/** The social platforms. */
export class Platforms extends Resource {
  /**
   * Reads the current limits of the platforms for characters, images and videos.
   * `GET /platforms/limits`, permission `read`.
   * @example const { character_limits } = await client.platforms.limits();
   */
  limits(options?: RequestOptions): ApiPromise<PlatformLimits> {
    return apiOf(this).send(platformEndpoints.limits, {}, options);
  }
}
