import type { LiteralUnion, RequireExactlyOne } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import { parseTimestamp } from '../core/timestamps.js';
import type { BulleTarget, Platform, PlatformName, Timestamp } from '../core/types.js';
import { perPlatform, platforms } from './parameters.js';
import type { PlatformSchedule, PublicationErrors, PublishedDates, ScheduledDates } from './posts-platforms.js';

/** Where a post stands. Lists can be filtered by the first three alone; how `scheduled` and `pending` relate is not documented. */
export type PostStatus = LiteralUnion<'pending' | 'published' | 'error' | 'scheduled' | 'publishing', string>;

/** A post, as the service returns it. `postStatusByPlatform` gathers its flat fields by platform. */
export interface Post extends ScheduledDates, PublishedDates, PublicationErrors {
  /** For `posts.get`, `update`, `delete` and `publish`. */
  id: number;
  /** The location that it belongs to. */
  bulle_id?: string | null;
  /** Its text. */
  content: string;
  /** The platforms that it goes to. */
  platforms: Platform[];
  /** Where it stands on the whole; each platform has fields of its own. */
  status: PostStatus;
  /** Its single image; `null` when there is none. */
  image_url?: string | null;
  /** The images of its carousel; `null` when it is none. */
  image_urls?: string[] | null;
  /** Its video; `null` when there is none. */
  video_url?: string | null;
  /** By platform: the service's reference of the publication, filled in once it is published. */
  platform_refs?: Record<string, unknown> | null;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  updated_at: string;
  /** What the service remarked and did not stop at. */
  warnings?: unknown[] | null;
}

export const postSchema: z.ZodMiniType<Post, Post> = s.object({
  id: s.integer,
  bulle_id: s.maybe(s.string),
  content: s.string,
  platforms: s.list(s.string),
  status: s.string,
  image_url: s.maybe(s.string),
  image_urls: s.maybe(s.list(s.string)),
  video_url: s.maybe(s.string),
  ...perPlatform('scheduled', s.maybe(s.string)),
  ...perPlatform('published', s.maybe(s.string)),
  ...perPlatform('error', s.maybe(s.string)),
  platform_refs: s.maybe(s.opaque),
  created_at: s.string,
  updated_at: s.string,
  warnings: s.maybe(s.list(s.anything)),
});

/** What `posts.create` answers: part of a {@link Post}, dates for the targeted platforms alone. `posts.get` reads the rest. */
export interface CreatedPost extends ScheduledDates {
  /** For `posts.get`, `update`, `delete` and `publish`. */
  id: number;
  /** Its text. */
  content?: string | null;
  /** The platforms that it goes to. */
  platforms: Platform[];
  /** Where it stands; after `publish_now`, what the service says is not documented. */
  status: PostStatus;
  /** Its single image; `null` when there is none. */
  image_url?: string | null;
  /** ISO 8601. */
  created_at?: string | null;
  /** ISO 8601. */
  updated_at?: string | null;
  /** What the service remarked and did not stop at. */
  warnings?: unknown[] | null;
}

export const createdPostSchema: z.ZodMiniType<CreatedPost, CreatedPost> = s.object({
  id: s.integer,
  content: s.maybe(s.string),
  platforms: s.list(s.string),
  status: s.string,
  image_url: s.maybe(s.string),
  ...perPlatform('scheduled', s.maybe(s.string)),
  created_at: s.maybe(s.string),
  updated_at: s.maybe(s.string),
  warnings: s.maybe(s.list(s.anything)),
});

/** @inline */
interface PostFields extends PlatformSchedule, BulleTarget {
  /** At least one, each once; each must be connected on the location (`posts.check` tells). */
  platforms: readonly PlatformName[];
  /** Address of the single image. */
  image_url?: string | undefined;
  /** Addresses of a carousel: 2 to 10. */
  image_urls?: readonly string[] | undefined;
  /** Address of the video. */
  video_url?: string | undefined;
  /** A future moment, with `Z` or an offset. Without it the post goes out **in one hour**. */
  scheduled_at?: Timestamp | undefined;
  /** The listing, for posts to `gmb`: see `client.identity.gmb_fiches`. */
  gmb_fiche_id?: string | undefined;
  /** `true` publishes at once; refused together with a date. */
  publish_now?: boolean | undefined;
  /** Content by platform. The service does not document its shape: it is sent as it is. */
  content_per_platform?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The text of a post, under either of its names.
 * @inline
 */
type PostText = RequireExactlyOne<{
  /** 1 to 5000 characters, counted in code points. `text` is another name for it. */
  content: string;
  /** 1 to 5000 characters, counted in code points. Another name for `content`. */
  text: string;
}>;

/** What `posts.create` takes: `content` or `text`, one of them. */
export type PostCreateParams = PostFields & PostText;

export const postCreateParamsSchema: z.ZodMiniType<PostCreateParams, PostCreateParams> = s.where(
  s.params({
    content: z.optional(s.text(1, 5000)),
    text: z.optional(s.text(1, 5000)),
    platforms,
    image_url: z.optional(s.text(1)),
    image_urls: z.optional(s.list(s.text(1), 2, 10)),
    video_url: z.optional(s.text(1)),
    scheduled_at: z.optional(s.scheduledAt),
    gmb_fiche_id: z.optional(s.text(1)),
    publish_now: z.optional(s.boolean),
    ...perPlatform('scheduled', z.optional(s.scheduledAt)),
    content_per_platform: z.optional(s.opaque),
    bulle_id: s.target,
  }),
  s.rule(
    ({ content, text }) => (content === undefined) !== (text === undefined),
    'is required, or `text` in its place, but not both',
    'content',
  ),
  // Which of the two the service obeys is not documented, and what went out cannot be taken back.
  s.rule((params) => params.publish_now !== true || !hasDate(params), 'cannot be combined with a date', 'publish_now'),
);

/** Which posts `posts.list` gives. */
export interface PostListParams extends BulleTarget {
  /** Default: all. */
  status?: 'pending' | 'published' | 'error' | undefined;
  /** Posts a page, 1 to 100. Default 50. */
  limit?: number | undefined;
  /** How many posts to pass over. Default 0. */
  offset?: number | undefined;
}

export const postListParamsSchema: z.ZodMiniType<PostListParams, PostListParams> = s.params({
  status: z.optional(s.oneOf(['pending', 'published', 'error'])),
  limit: z.optional(s.int(1, 100)),
  offset: z.optional(s.int(0)),
  bulle_id: s.target,
});

/** Fields to change; what is not sent stays. */
export interface PostUpdateParams {
  /** Its new text, at least one character. */
  content?: string | undefined;
  /** A future moment, with `Z` or an offset. */
  scheduled_at?: Timestamp | undefined;
}

export const postUpdateParamsSchema: z.ZodMiniType<PostUpdateParams, PostUpdateParams> = s.params({
  content: z.optional(s.text(1)),
  scheduled_at: z.optional(s.scheduledAt),
});

/** Which posts `posts.findRecent` looks for. */
export interface PostFindParams extends BulleTarget {
  /** The content to find; differences of white space and of Unicode form do not count. */
  content: string;
  /** When they were created at the earliest, by the service's clock. A string without offset is read as UTC. */
  since: Timestamp;
}

export const postFindParamsSchema: z.ZodMiniType<PostFindParams, PostFindParams> = s.params({
  content: s.text(1),
  since: s.timestamp.check(
    s.rule((value) => value instanceof Date || parseTimestamp(value) !== null, 'must be a Date or a timestamp'),
  ),
  bulle_id: s.target,
});

export const postEndpoints = {
  create: endpoint({
    operation: 'posts.create',
    method: 'POST',
    path: '/posts',
    trace: '`posts.findRecent({ content, since })` has the post',
    permission: 'schedule',
    target: 'bulle_id',
    targetRequired: true,
    dryRun: true,
    slow: true,
    params: postCreateParamsSchema,
    response: createdPostSchema,
  }),
  list: endpoint({
    operation: 'posts.list',
    method: 'GET',
    path: '/posts',
    permission: 'read',
    target: 'bulle_id',
    params: postListParamsSchema,
    response: s.list(postSchema),
  }),
  get: endpoint({
    operation: 'posts.get',
    method: 'GET',
    path: '/posts/{post_id}',
    permission: 'read',
    response: postSchema,
  }),
  update: endpoint({
    operation: 'posts.update',
    method: 'PUT',
    path: '/posts/{post_id}',
    permission: 'schedule',
    params: postUpdateParamsSchema,
  }),
  delete: endpoint({ operation: 'posts.delete', method: 'DELETE', path: '/posts/{post_id}', permission: 'delete' }),
  publish: endpoint({
    operation: 'posts.publish',
    method: 'POST',
    path: '/posts/{post_id}/publish',
    trace: '`posts.get(id)` has `published_<platform>`',
    permission: 'publish',
    dryRun: true,
    slow: true,
  }),
};

function hasDate(params: object): boolean {
  return Object.entries(params).some(([name, value]) => name.startsWith('scheduled_') && value !== undefined);
}
