import type * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';

/** Limits of a platform for images. */
export interface ImageLimits {
  /** Maximum size of one image, in megabytes. */
  max_size_mb: number;
  /** Minimum number of images in a carousel. `null` if the platform has no carousels. */
  carousel_min?: number | null;
  /** Maximum number of images in a carousel. `null` if the platform has no carousels. */
  carousel_max?: number | null;
}

/** Limits of a platform for videos. */
export interface VideoLimits {
  /** Maximum size of one video, in megabytes. */
  max_size_mb: number;
  /** Maximum duration in seconds. `null` if there is no limit. */
  max_duration_sec?: number | null;
}

/**
 * The limits of the platforms. The values change over time, so read them at run time and do not copy them into code.
 */
export interface PlatformLimits {
  /** Maximum number of characters of a post, by platform. */
  character_limits: Record<string, number>;
  /** Limits for images by platform: instagram, facebook, linkedin, pinterest and gmb. */
  image_limits: Record<string, ImageLimits>;
  /** Limits for videos by platform: instagram, facebook, linkedin, pinterest and gmb. */
  video_limits: Record<string, VideoLimits>;
}

/** The zod schema of {@link PlatformLimits}. */
export const platformLimitsSchema: z.ZodMiniType<PlatformLimits, PlatformLimits> = s.object({
  character_limits: s.record(s.integer),
  image_limits: s.record(
    s.object({ max_size_mb: s.number, carousel_min: s.maybe(s.integer), carousel_max: s.maybe(s.integer) }),
  ),
  video_limits: s.record(s.object({ max_size_mb: s.number, max_duration_sec: s.maybe(s.number) })),
});

export const platformEndpoints = {
  limits: endpoint({
    operation: 'platforms.limits',
    method: 'GET',
    path: '/platforms/limits',
    permission: 'read',
    response: platformLimitsSchema,
  }),
};
