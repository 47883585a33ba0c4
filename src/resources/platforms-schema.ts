import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';

/** Limits of a platform for images. */
export interface ImageLimits {
  /** Maximum size of one image, in megabytes. */
  max_size_mb: number;
  /** Minimum number of images in a carousel. May be `null`. */
  carousel_min?: number | null;
  /** Maximum number of images in a carousel. May be `null`. */
  carousel_max?: number | null;
}

/** Limits of a platform for videos. */
export interface VideoLimits {
  /** Maximum size of one video, in megabytes. */
  max_size_mb: number;
  /** Maximum duration in seconds. May be `null`. */
  max_duration_sec?: number | null;
}

/** The platforms whose limits for images and videos are documented. */
const MEDIA_PLATFORMS = ['instagram', 'facebook', 'linkedin', 'pinterest', 'gmb'] as const;

/**
 * Limits for images or videos, by platform. Other platforms than these five may have none.
 * @interface
 */
export type MediaLimits<Limits> = { [Platform in (typeof MEDIA_PLATFORMS)[number]]: Limits } & {
  [platform: string]: Limits | undefined;
};

/**
 * The limits of the platforms. The values change over time, so read them at run time and do not copy them into code.
 */
export interface PlatformLimits {
  /** Maximum number of characters of a post, by platform. The names of the platforms are not documented. */
  character_limits: { [platform: string]: number | undefined };
  /** Limits for images by platform: instagram, facebook, linkedin, pinterest and gmb. */
  image_limits: MediaLimits<ImageLimits>;
  /** Limits for videos by platform: instagram, facebook, linkedin, pinterest and gmb. */
  video_limits: MediaLimits<VideoLimits>;
}

/** The zod schema of {@link PlatformLimits}. */
export const platformLimitsSchema: s.ObjectSchema<PlatformLimits> = s.object({
  character_limits: s.record(s.integer),
  image_limits: s.named(
    MEDIA_PLATFORMS,
    s.object({ max_size_mb: s.integer, carousel_min: s.maybe(s.integer), carousel_max: s.maybe(s.integer) }),
  ),
  video_limits: s.named(MEDIA_PLATFORMS, s.object({ max_size_mb: s.integer, max_duration_sec: s.maybe(s.integer) })),
});

export const platformEndpoints = {
  limits: endpoint({
    operation: 'platforms.limits',
    method: 'GET',
    path: '/platforms/limits',
    permission: 'read',
    response: platformLimitsSchema,
    needs: s.object({}),
  }),
};
