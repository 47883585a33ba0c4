import type { ApiPromise } from '../core/api-promise.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { integer, maybe, number, object, record } from '../core/schema.js';
import type { Send } from '../core/send.js';

/** What a platform takes as images. */
export interface ImageLimits {
  /** Megabytes an image. */
  max_size_mb: number;
  /** Fewest images of a carousel; `null` when the platform has none. */
  carousel_min?: number | null;
  /** Most images of a carousel; `null` when the platform has none. */
  carousel_max?: number | null;
}

/** What a platform takes as video. */
export interface VideoLimits {
  /** Megabytes a video. */
  max_size_mb: number;
  /** Seconds; `null` when there is no limit. */
  max_duration_sec?: number | null;
}

/** The limits of the platforms. Their values change over time: read them, never write them into code. */
export interface PlatformLimits {
  /** Characters of a post, by platform. */
  character_limits: Record<string, number>;
  /** By platform: instagram, facebook, linkedin, pinterest and gmb. */
  image_limits: Record<string, ImageLimits>;
  /** By platform: instagram, facebook, linkedin, pinterest and gmb. */
  video_limits: Record<string, VideoLimits>;
}

/** @internal */
export const platformLimits = object({
  character_limits: record(integer),
  image_limits: record(object({ max_size_mb: number, carousel_min: maybe(integer), carousel_max: maybe(integer) })),
  video_limits: record(object({ max_size_mb: number, max_duration_sec: maybe(number) })),
});

/** @internal */
export const platformEndpoints = {
  limits: endpoint({
    operation: 'platforms.limits',
    method: 'GET',
    path: '/platforms/limits',
    permission: 'read',
    response: platformLimits,
  }),
};

/** The social platforms. */
export class Platforms {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Read the live limits of the platforms: characters, images, videos. `GET /platforms/limits`, permission `read`.
   * @example const { character_limits } = await client.platforms.limits();
   */
  limits(options?: RequestOptions): ApiPromise<PlatformLimits> {
    return this.#send(platformEndpoints.limits, {}, options);
  }
}
