import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { BulleTarget, Platform, PlatformName, Timestamp } from '../core/types.js';
import { bulleTargetSchema, platforms } from './parameters.js';

/** What became of a social publication. */
export interface SocialPublication {
  /** For `social.get`; not the id of `posts.get`. */
  post_id: string;
  /** `publishing` at once, `scheduled` for later. */
  status: LiteralUnion<'publishing' | 'scheduled', string>;
  /** ISO 8601; `null` when it goes out at once. */
  scheduled_at?: string | null;
  /** The platforms that it goes to. */
  platforms: Platform[];
  /** The monthly quota as it stands; its fields are not documented. */
  quota?: Record<string, unknown> | null;
}

const byPlatform = s.maybe(s.record(z.nullable(s.string)));

export const socialPublicationSchema: z.ZodMiniType<SocialPublication, SocialPublication> = s.object({
  post_id: s.string,
  status: s.string,
  scheduled_at: s.maybe(s.string),
  platforms: s.list(s.string),
  quota: s.maybe(s.opaque),
});

/** The monthly quota of social publications of a location. The service does not document the names of the counters. */
export interface SocialQuota {
  /** The location. */
  bulle_id: string;
  [counter: string]: unknown;
}

export const socialQuotaSchema: z.ZodMiniType<SocialQuota, SocialQuota> = s.object({ bulle_id: s.string });

/** How a social publication stands on its platforms. */
export interface SocialPost {
  /** As `social.publish` gave it. */
  post_id: string;
  /** Where it stands on the whole. */
  status: LiteralUnion<'scheduled' | 'publishing' | 'published' | 'error', string>;
  /** The platforms that it goes to. */
  platforms: Platform[];
  /** Its text. */
  content?: string | null;
  /** By platform, ISO 8601: when it is to go out; `null` for a platform that it does not go to. */
  scheduled?: Record<string, string | null> | null;
  /** By platform, ISO 8601: when it went out; `null` before. */
  published?: Record<string, string | null> | null;
  /** By platform: what went wrong; `null` when nothing did. */
  errors?: Record<string, string | null> | null;
}

export const socialPostSchema: z.ZodMiniType<SocialPost, SocialPost> = s.object({
  post_id: s.string,
  status: s.string,
  platforms: s.list(s.string),
  content: s.maybe(s.string),
  scheduled: byPlatform,
  published: byPlatform,
  errors: byPlatform,
});

/** What `social.publish` takes. */
export interface SocialPublishParams extends BulleTarget {
  /** At least one, each once. */
  platforms: readonly PlatformName[];
  /** 1 to 63 206 characters, counted in code points. Platforms may take fewer: `client.platforms.limits()`. */
  text: string;
  /** Address of the single image. */
  image_url?: string | undefined;
  /** Addresses of the images. */
  image_urls?: readonly string[] | undefined;
  /** Address of the video. */
  video_url?: string | undefined;
  /** A future moment, with `Z` or an offset. Without it the text goes out **at once**. */
  scheduled_at?: Timestamp | undefined;
}

export const socialPublishParamsSchema: z.ZodMiniType<SocialPublishParams, SocialPublishParams> = s.params({
  platforms,
  text: s.text(1, 63_206),
  image_url: z.optional(s.text(1)),
  image_urls: z.optional(s.list(s.text(1))),
  video_url: z.optional(s.text(1)),
  scheduled_at: z.optional(s.scheduledAt),
  bulle_id: s.target,
});

export const socialEndpoints = {
  publish: endpoint({
    operation: 'social.publish',
    method: 'POST',
    path: '/social/publish',
    trace: '`social.quota()` has one more used',
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
