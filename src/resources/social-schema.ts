import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import {
  type BulleTarget,
  type ByPlatform,
  PLATFORMS,
  type Platform,
  type PlatformName,
  type ScheduledAt,
} from '../core/types.js';
import { bulleTargetSchema, platforms, scheduledAt } from './parameters.js';

/** The result of `social.publish`. */
export interface SocialPublication {
  /** Id for `social.get`. It is not the id of `posts.get`. */
  post_id: string;
  /** `publishing` for an immediate publication, `scheduled` for a later one. */
  status: LiteralUnion<'publishing' | 'scheduled', string>;
  /** ISO 8601. */
  scheduled_at?: string | null;
  /** The platforms that the publication targets. */
  platforms: Platform[];
  /** Current state of the monthly quota. The fields of this object are not documented. */
  quota?: Record<string, unknown> | null;
}

const byPlatform = s.maybe(s.named(PLATFORMS, s.maybe(s.string)));

/** The zod schema of {@link SocialPublication}. */
export const socialPublicationSchema: s.ObjectSchema<SocialPublication> = s.object({
  post_id: s.string,
  status: s.string,
  scheduled_at: s.maybe(s.string),
  platforms: s.list(s.string),
  quota: s.maybe(s.opaque),
});

/** The monthly quota of a location for social publications. The names of the counters are not documented. */
export interface SocialQuota {
  /** The location of the quota. */
  bulle_id?: string | null;
  [counter: string]: unknown;
}

/** The zod schema of {@link SocialQuota}. */
export const socialQuotaSchema: s.ObjectSchema<SocialQuota> = s.object({ bulle_id: s.maybe(s.string) });

/** The status of a social publication. */
export interface SocialPost {
  /** The `post_id` from `social.publish`. */
  post_id: string;
  /** Status of the whole publication. */
  status: LiteralUnion<'scheduled' | 'publishing' | 'published' | 'error', string>;
  /** The platforms that the publication targets. */
  platforms: Platform[];
  /** Text of the publication. */
  content?: string | null;
  /** Scheduled dates by platform, ISO 8601. `null` for a platform that is not targeted. */
  scheduled?: ByPlatform<string | null> | null;
  /** Dates of publication by platform, ISO 8601. `null` for a platform that is not targeted. */
  published?: ByPlatform<string | null> | null;
  /** Error messages by platform. `null` for a platform that is not targeted. */
  errors?: ByPlatform<string | null> | null;
}

/** The zod schema of {@link SocialPost}. */
export const socialPostSchema: s.ObjectSchema<SocialPost> = s.object({
  post_id: s.string,
  status: s.string,
  platforms: s.list(s.string),
  content: s.maybe(s.string),
  scheduled: byPlatform,
  published: byPlatform,
  errors: byPlatform,
});

/** Parameters of `social.publish`. */
export interface SocialPublishParams extends BulleTarget {
  /** At least one, and none twice. */
  platforms: readonly PlatformName[];
  /** 1 to 63 206 characters, counted in code points. A platform may allow fewer: see `client.platforms.limits()`. */
  text: string;
  /** Address of the single image. */
  image_url?: string | undefined;
  /** Addresses of the images. */
  image_urls?: readonly string[] | undefined;
  /** Address of the video. */
  video_url?: string | undefined;
  /** A date with `Z` or an offset. Without it, the text is published **immediately**. */
  scheduled_at?: ScheduledAt | undefined;
}

/** The zod schema of {@link SocialPublishParams}. */
export const socialPublishParamsSchema: s.ObjectSchema<SocialPublishParams> = s.params({
  platforms,
  text: s.text(1, 63_206),
  image_url: z.optional(s.text(1)),
  image_urls: z.optional(s.list(s.text(1))),
  video_url: z.optional(s.text(1)),
  scheduled_at: z.optional(scheduledAt),
  bulle_id: s.target,
});

export const socialEndpoints = {
  publish: endpoint({
    operation: 'social.publish',
    method: 'POST',
    path: '/social/publish',
    trace: '`social.quota()` shows one more used publication',
    permission: 'publish',
    target: 'bulle_id',
    targetRequired: true,
    dryRun: true,
    slow: true,
    params: socialPublishParamsSchema,
    response: socialPublicationSchema,
  }),
  quota: endpoint({
    operation: 'social.quota',
    method: 'GET',
    path: '/social/quota',
    permission: 'read',
    target: 'bulle_id',
    targetRequired: true,
    params: bulleTargetSchema,
    response: socialQuotaSchema,
  }),
  get: endpoint({
    operation: 'social.get',
    method: 'GET',
    path: '/social/posts/{post_id}',
    permission: 'read',
    response: socialPostSchema,
  }),
};
