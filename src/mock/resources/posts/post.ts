import { formatInstant, formatOptional, type Micros } from '../../engine/clock.js';
import { letters } from '../../seed/scatter.js';
import { type MockPlatform, PLATFORMS } from '../platforms.js';

type OnPlatform<Prefix extends string> = Record<`${Prefix}_${MockPlatform}`, string | null>;

/** A post as GET /posts serves it. */
export interface MockPost extends OnPlatform<'scheduled'>, OnPlatform<'published'>, OnPlatform<'error'> {
  id: number;
  bulle_id: string;
  content: string;
  platforms: MockPlatform[];
  /**
   * `pending` while a platform is still to come, then `error` when one has failed, else `published`. What POST /posts
   * and the social routes call `scheduled` or `publishing` is `pending` here.
   */
  status: 'pending' | 'published' | 'error';
  image_url: string | null;
  image_urls: string[] | null;
  video_url: string | null;
  platform_refs: Partial<Record<MockPlatform, string>>;
  created_at: string;
  updated_at: string;
  warnings: string[];
}

/** The publication of a post on one platform. If neither published nor failed, it is still to come. */
export interface Delivery {
  readonly platform: MockPlatform;
  /** It has a date of its own, which does not move with the post's date. */
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
  /** Asked for at once through the social route: `publishing` until it is out. */
  readonly immediate: boolean;
  readonly created_at: Micros;
  updated_at: Micros;
  readonly warnings: string[];
}

/** A failure that a test has asked for with `failPlatform`. */
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

/** The status of POST /posts and the social routes, which have two words for what GET /posts calls pending. */
export function socialStatusOf(post: StoredPost): string {
  const status = statusOf(post);
  if (status !== 'pending') return status;
  return post.immediate ? 'publishing' : 'scheduled';
}

/** One value a platform, `null` where the post does not go. */
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

/** The post of the wire. */
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
    // The names are put together: the compiler cannot see that all 24 are there.
    ...(Object.fromEntries(fields) as Pick<MockPost, `${'scheduled' | 'published' | 'error'}_${MockPlatform}`>),
    platform_refs: Object.fromEntries(
      post.deliveries.flatMap(({ platform, ref }) => (ref === null ? [] : [[platform, ref]])),
    ),
    created_at: formatInstant(post.created_at),
    updated_at: formatInstant(post.updated_at),
    warnings: post.warnings,
  };
}

/** What a platform calls a publication. */
export const refOf = (id: number, platform: string): string => `${platform}_${letters(id * 31 + platform.length, 16)}`;
