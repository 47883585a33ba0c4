import type * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';

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
