import { formatInstant, formatOptional, type Micros } from '../../engine/clock.js';
import { letters } from '../../seed/scatter.js';
import { type MockPlatform, PLATFORMS } from '../platforms.js';

/** ISO 8601 or a message of the platform. `null` if the platform has none. */
type OnPlatform<Prefix extends string> = Record<`${Prefix}_${MockPlatform}`, string | null>;

/** A post, as GET /posts returns it. */
export interface MockPost extends OnPlatform<'scheduled'>, OnPlatform<'published'>, OnPlatform<'error'> {
  /** Id of the post. */
  id: number;
  /** The location of the post. */
  bulle_id: string;
  /** Text of the post. */
  content: string;
  /** The platforms that the post targets. */
  platforms: MockPlatform[];
  /**
   * `pending` until all platforms are done, then `error` if one has failed, else `published`. The statuses `scheduled`
   * and `publishing` of POST /posts and the social routes are `pending` here.
   */
  status: 'pending' | 'published' | 'error';
  /** Address of the single image. `null` if there is none. */
  image_url: string | null;
  /** Addresses of the images of a carousel. `null` if the post is not a carousel. */
  image_urls: string[] | null;
  /** Address of the video. `null` if there is none. */
  video_url: string | null;
  /** Reference of each publication by platform. Empty before the first publication. */
  platform_refs: Partial<Record<MockPlatform, string>>;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  updated_at: string;
  /** French warnings that do not prevent the publication. */
  warnings: string[];
}

/** The publication of a post on one platform. It is pending if it is neither published nor failed. */
export interface Delivery {
  readonly platform: MockPlatform;
  /** Whether the platform has an own date, which does not move with the post's date. */
  readonly own: boolean;
  scheduled_at: Micros;
  published_at: Micros | null;
  error: string | null;
  ref: string | null;
}

export interface StoredPost {
  readonly id: number;
  readonly sphere_id: string;
  readonly bulle_id: string;
  content: string;
  readonly image_url: string | null;
  readonly image_urls: string[] | null;
  readonly video_url: string | null;
  readonly deliveries: Delivery[];
  /** Whether the social route published it immediately: its status is `publishing` until it is published. */
  readonly immediate: boolean;
  readonly created_at: Micros;
  updated_at: Micros;
  readonly warnings: string[];
}

/** A failure that a test has set up with `failPlatform`. */
interface Failure {
  readonly platform: MockPlatform;
  readonly bulle_id: string | null;
  readonly post_id: number | null;
  readonly message: string;
  times: number;
}

export interface PostsState {
  next_id: number;
  readonly items: StoredPost[];
  failures: Failure[];
}

export const isWaiting = ({ published_at, error }: Delivery): boolean => published_at === null && error === null;

export function statusOf({ deliveries }: StoredPost): MockPost['status'] {
  if (deliveries.some(isWaiting)) return 'pending';
  return deliveries.some(({ error }) => error !== null) ? 'error' : 'published';
}

/** The status in POST /posts and the social routes, which have two words for the `pending` of GET /posts. */
export function socialStatusOf(post: StoredPost): string {
  const status = statusOf(post);
  if (status !== 'pending') return status;
  return post.immediate ? 'publishing' : 'scheduled';
}

/** One value for each platform. `null` if the post does not target the platform. */
export function perPlatform(
  { deliveries }: StoredPost,
  value: (delivery: Delivery) => string | null,
): [MockPlatform, string | null][] {
  return PLATFORMS.map((platform) => {
    const delivery = deliveries.find((other) => other.platform === platform);
    return [platform, delivery === undefined ? null : value(delivery)];
  });
}

export const scheduledAt = ({ scheduled_at }: Delivery): string => formatInstant(scheduled_at);
export const publishedAt = ({ published_at }: Delivery): string | null => formatOptional(published_at);
export const errorOf = ({ error }: Delivery): string | null => error;

/** Converts a post to its form in responses. */
export function servedPost(post: StoredPost): MockPost {
  const flat = (prefix: string, value: (delivery: Delivery) => string | null) =>
    perPlatform(post, value).map(([platform, text]) => [`${prefix}_${platform}`, text]);
  const fields = [...flat('scheduled', scheduledAt), ...flat('published', publishedAt), ...flat('error', errorOf)];
  return {
    id: post.id,
    bulle_id: post.bulle_id,
    content: post.content,
    platforms: post.deliveries.map(({ platform }) => platform),
    status: statusOf(post),
    image_url: post.image_url,
    image_urls: post.image_urls,
    video_url: post.video_url,
    // The names are computed, so the compiler cannot see that all 24 are present.
    ...(Object.fromEntries(fields) as Pick<MockPost, `${'scheduled' | 'published' | 'error'}_${MockPlatform}`>),
    platform_refs: Object.fromEntries(
      post.deliveries.flatMap(({ platform, ref }) => (ref === null ? [] : [[platform, ref]])),
    ),
    created_at: formatInstant(post.created_at),
    updated_at: formatInstant(post.updated_at),
    warnings: post.warnings,
  };
}

/** The reference that a platform gives to a publication. */
export const refOf = (id: number, platform: string): string => `${platform}_${letters(id * 31 + platform.length, 16)}`;
