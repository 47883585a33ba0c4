import { endpoint } from '../core/endpoint.js';
import { platforms, scheduledAt, timestamp } from '../core/parameters.js';
import {
  anything,
  array,
  boolean,
  int,
  integer,
  maybe,
  object,
  oneOf,
  opaque,
  optional,
  strictObject,
  string,
  text,
  where,
} from '../core/schema.js';
import { parseTimestamp } from '../core/timestamp.js';
import type { BulleTarget, OpenEnum, Platform, PlatformName, Timestamp } from '../core/types.js';
import {
  type PlatformSchedule,
  type PublicationErrors,
  type PublishedDates,
  perPlatform,
  type ScheduledDates,
} from './posts-platforms.js';

/** Where a post stands. Lists can be filtered by the first three alone; how `scheduled` and `pending` relate is not documented. */
export type PostStatus = OpenEnum<'pending' | 'published' | 'error' | 'scheduled' | 'publishing'>;

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
type PostText =
  | {
      content?: undefined;
      /** 1 to 5000 characters, counted in code points. Another name for `content`. */
      text: string;
    }
  // The last is what the compiler names where both are missing.
  | {
      /** 1 to 5000 characters, counted in code points. `text` is another name for it. */
      content: string;
      text?: undefined;
    };

/** What `posts.create` takes: `content` or `text`, one of them. */
export type PostCreateParams = PostFields & PostText;

/** Which posts `posts.list` gives. */
export interface PostListParams extends BulleTarget {
  /** Default: all. */
  status?: 'pending' | 'published' | 'error' | undefined;
  /** Posts a page, 1 to 100. Default 50. */
  limit?: number | undefined;
  /** How many posts to pass over. Default 0. */
  offset?: number | undefined;
}

/** Fields to change; what is not sent stays. */
export interface PostUpdateParams {
  /** Its new text, at least one character. */
  content?: string | undefined;
  /** A future moment, with `Z` or an offset. */
  scheduled_at?: Timestamp | undefined;
}

/** Which posts `posts.findRecent` looks for. */
export interface PostFindParams extends BulleTarget {
  /** The content to find; differences of white space and of Unicode form do not count. */
  content: string;
  /** When they were created at the earliest, by the service's clock. A string without offset is read as UTC. */
  since: Timestamp;
}

/** @internal */
export const post = object({
  id: integer,
  bulle_id: maybe(string),
  content: string,
  platforms: array(string),
  status: string,
  image_url: maybe(string),
  image_urls: maybe(array(string)),
  video_url: maybe(string),
  ...perPlatform('scheduled', maybe(string)),
  ...perPlatform('published', maybe(string)),
  ...perPlatform('error', maybe(string)),
  platform_refs: maybe(opaque),
  created_at: string,
  updated_at: string,
  warnings: maybe(array(anything)),
});

/** @internal */
export const createdPost = object({
  id: integer,
  content: maybe(string),
  platforms: array(string),
  status: string,
  image_url: maybe(string),
  ...perPlatform('scheduled', maybe(string)),
  created_at: maybe(string),
  updated_at: maybe(string),
  warnings: maybe(array(anything)),
});

/** @internal */
export const postFindParams = strictObject({
  content: text(1),
  since: where(timestamp, [
    (value) => value instanceof Date || parseTimestamp(value) !== null,
    'a Date or a timestamp',
  ]),
  bulle_id: optional(text(1)),
});

/** @internal */
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
    params: where(
      strictObject({
        content: optional(text(1, 5000)),
        text: optional(text(1, 5000)),
        platforms,
        image_url: optional(text(1)),
        image_urls: optional(array(text(1), 2, 10)),
        video_url: optional(text(1)),
        scheduled_at: optional(scheduledAt),
        gmb_fiche_id: optional(text(1)),
        publish_now: optional(boolean),
        ...perPlatform('scheduled', optional(scheduledAt)),
        content_per_platform: optional(opaque),
        bulle_id: optional(text(1)),
        dry_run: optional(boolean),
      }),
      [
        ({ content, text }) => (content === undefined) !== (text === undefined),
        '`content` or `text`, one of them',
        'content',
      ],
      // Which of the two the service obeys is not documented, and what went out cannot be taken back.
      [(params) => params.publish_now !== true || !hasDate(params), 'no date beside it', 'publish_now'],
    ),
    response: createdPost,
  }),
  list: endpoint({
    operation: 'posts.list',
    method: 'GET',
    path: '/posts',
    permission: 'read',
    target: 'bulle_id',
    params: strictObject({
      status: optional(oneOf('pending', 'published', 'error')),
      limit: optional(int(1, 100)),
      offset: optional(int(0)),
      bulle_id: optional(text(1)),
    }),
    response: array(post),
  }),
  get: endpoint({
    operation: 'posts.get',
    method: 'GET',
    path: '/posts/{post_id}',
    permission: 'read',
    response: post,
  }),
  update: endpoint({
    operation: 'posts.update',
    method: 'PUT',
    path: '/posts/{post_id}',
    permission: 'schedule',
    params: strictObject({ content: optional(text(1)), scheduled_at: optional(scheduledAt) }),
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
    params: strictObject({ dry_run: optional(boolean) }),
  }),
};

function hasDate(params: object): boolean {
  return Object.entries(params).some(([name, value]) => name.startsWith('scheduled_') && value !== undefined);
}
