import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { BulleTarget, Platform, PlatformName, ScheduledAt, Timestamp } from '../core/types.js';
import { perPlatform, platforms, scheduledAt } from './parameters.js';
import type { PlatformSchedule, PublicationErrors, PublishedDates, ScheduledDates } from './posts-platforms.js';

/**
 * The status of a post. Lists can be filtered only by `pending`, `published` and `error`. The relation between
 * `scheduled` and `pending` is not documented.
 */
export type PostStatus = LiteralUnion<'pending' | 'published' | 'error' | 'scheduled' | 'publishing', string>;

/** A post, as the service returns it. `postStatusByPlatform` groups its flat fields by platform. */
export interface Post extends ScheduledDates, PublishedDates, PublicationErrors {
  /** Id for `posts.get`, `update`, `delete` and `publish`. */
  id: number;
  /** The location of the post. */
  bulle_id?: string | null;
  /** Text of the post. */
  content?: string | null;
  /** The platforms that the post targets. */
  platforms: Platform[];
  /** Status of the whole post. Each platform also has its own fields. */
  status: PostStatus;
  /** Address of the single image. May be `null`. */
  image_url?: string | null;
  /** Addresses of the images of a carousel. May be `null`. */
  image_urls?: string[] | null;
  /** Address of the video. May be `null`. */
  video_url?: string | null;
  /** Reference of the publication by platform. The service adds it after the publication. */
  platform_refs?: Record<string, unknown> | null;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  updated_at: string;
  /** Warnings of the service that do not prevent the publication. */
  warnings?: unknown[] | null;
}

/** The zod schema of {@link Post}. */
export const postSchema: s.ObjectSchema<Post> = s.object({
  id: s.integer,
  bulle_id: s.maybe(s.string),
  content: s.maybe(s.string),
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

/**
 * The result of `posts.create`: part of a {@link Post}, with dates only for the targeted platforms. `posts.get` reads
 * all fields.
 */
export interface CreatedPost extends ScheduledDates {
  /** Id for `posts.get`, `update`, `delete` and `publish`. */
  id: number;
  /** Text of the post. */
  content?: string | null;
  /** The platforms that the post targets. */
  platforms: Platform[];
  /** `scheduled` for a scheduled post. The status after `publish_now` is not documented. */
  status: PostStatus;
  /** Address of the single image. May be `null`. */
  image_url?: string | null;
  /** ISO 8601. */
  created_at?: string | null;
  /** ISO 8601. */
  updated_at?: string | null;
  /** Warnings of the service that do not prevent the publication. */
  warnings?: unknown[] | null;
}

/** The zod schema of {@link CreatedPost}. */
export const createdPostSchema: s.ObjectSchema<CreatedPost> = s.object({
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
  /** At least one, and none twice. The location needs a connected account on each. */
  platforms: readonly PlatformName[];
  /** Address of the single image. */
  image_url?: string | undefined;
  /** Addresses of the images of a carousel, 2 to 10. */
  image_urls?: readonly string[] | undefined;
  /** Address of the video. */
  video_url?: string | undefined;
  /** A date with `Z` or an offset. Without it, the post is published **in one hour**. */
  scheduled_at?: ScheduledAt | undefined;
  /** Id of the listing for posts on `gmb`, from `client.identity.gmb_fiches`. */
  gmb_fiche_id?: string | undefined;
  /** `true` publishes immediately. It cannot be combined with a date. */
  publish_now?: boolean | undefined;
  /** Content by platform. The service does not document its format, so the client sends it unchanged. */
  content_per_platform?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The text of a post, which has two names. The compiler names what the last alternative lacks.
 * @inline
 */
type PostText =
  | {
      /** Text of the post, 1 to 5000 characters, counted in code points. Its other name is `text`. */
      content?: undefined;
      /** Other name for `content`: 1 to 5000 characters, counted in code points. */
      text: string;
    }
  | {
      /** Text of the post, 1 to 5000 characters, counted in code points. Its other name is `text`. */
      content: string;
      /** Other name for `content`: 1 to 5000 characters, counted in code points. */
      text?: undefined;
    };
/** Parameters of `posts.create`, with either `content` or `text`. */
export type PostCreateParams = PostFields & PostText;

/** The zod schema of {@link PostCreateParams}. */
export const postCreateParamsSchema: z.ZodMiniType<PostCreateParams, PostCreateParams> = s.refine(
  s.params({
    content: z.optional(s.text(1, 5000)),
    text: z.optional(s.text(1, 5000)),
    platforms,
    image_url: z.optional(s.text(1)),
    image_urls: z.optional(s.list(s.text(1), 2, 10)),
    video_url: z.optional(s.text(1)),
    scheduled_at: z.optional(scheduledAt),
    gmb_fiche_id: z.optional(s.text(1)),
    publish_now: z.optional(s.boolean),
    ...perPlatform('scheduled', z.optional(scheduledAt)),
    content_per_platform: z.optional(s.opaque),
    bulle_id: s.target,
  }),
  s.rule(
    ({ content, text }) => (content === undefined) !== (text === undefined),
    'or `text` is required, but not both',
    'content',
  ),
  // It is not documented which of the two wins, and a publication cannot be undone.
  s.rule((params) => params.publish_now !== true || !hasDate(params), 'cannot be combined with a date', 'publish_now'),
);

/** Which posts `posts.list` returns. */
export interface PostListParams extends BulleTarget {
  /** Only posts with this status. */
  status?: 'pending' | 'published' | 'error' | undefined;
  /** Number of posts per page, 1 to 100. Default 50. */
  limit?: number | undefined;
  /** Number of posts to skip. Default 0. */
  offset?: number | undefined;
}

/** The zod schema of {@link PostListParams}. */
export const postListParamsSchema: s.ObjectSchema<PostListParams> = s.params({
  status: z.optional(s.oneOf(['pending', 'published', 'error'])),
  limit: z.optional(s.int(1, 100)),
  offset: z.optional(s.int(0)),
  bulle_id: s.target,
});

/** Parameters of `posts.update`. Only the fields that you pass change. */
export interface PostUpdateParams {
  /** The new text, at least one character. */
  content?: string | undefined;
  /** The new date, with `Z` or an offset. */
  scheduled_at?: ScheduledAt | undefined;
}

/** The zod schema of {@link PostUpdateParams}. */
export const postUpdateParamsSchema: s.ObjectSchema<PostUpdateParams> = s.params({
  content: z.optional(s.text(1)),
  scheduled_at: z.optional(scheduledAt),
});

/** Parameters of `posts.findRecent`. */
export interface PostFindParams extends BulleTarget {
  /** The text to find. Differences in white space and Unicode form are ignored. */
  content: string;
  /**
   * Only posts created at or after this moment of this machine's clock, such as `error.sentAt`. A string without offset
   * is read as UTC.
   */
  since: Timestamp;
  /** Only posts for exactly these platforms, in any order. Default: posts for any platforms. */
  platforms?: readonly PlatformName[] | undefined;
  /** Only posts scheduled for this moment on one of their platforms, to the second. Default: posts with any date. */
  scheduled_at?: ScheduledAt | undefined;
}

/** The zod schema of {@link PostFindParams}. */
export const postFindParamsSchema: s.ObjectSchema<PostFindParams> = s.params({
  content: s.text(1),
  since: s.timestamp,
  platforms: z.optional(platforms),
  scheduled_at: z.optional(scheduledAt),
  bulle_id: s.target,
});

export const postEndpoints = {
  create: endpoint({
    operation: 'posts.create',
    method: 'POST',
    path: '/posts',
    trace: '`posts.findRecent({ content, since: error.sentAt })` shows the post',
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
    trace: '`posts.get(id)` shows `published_<platform>`',
    permission: 'publish',
    dryRun: true,
    slow: true,
  }),
};

function hasDate(params: object): boolean {
  return Object.entries(params).some(([name, value]) => name.startsWith('scheduled_') && value !== undefined);
}
