import type { MockPlatform, MockPost } from '../helper-types.js';
import { cancel, schedule } from '../jobs.js';
import { refOf, seedPosts } from '../seed/posts.js';
import type { Service } from '../service.js';
import type { Slice, Store } from '../store.js';
import { formatInstant, formatOptional, type Micros, SECOND } from '../timestamps.js';
import { findConnection, needsReconnect, PLATFORMS } from './brand.js';

/** What becomes of a post on one platform. Neither published nor failed: it is still to come. */
export interface Delivery {
  readonly platform: MockPlatform;
  /** It was given a date of its own, which moving the post's date leaves alone. */
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

/** See `failPlatform` in helper-types.ts. */
export interface Failure {
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

export const postsSlice: Slice<PostsState> = { name: 'posts', seed: seedPosts };

export const DELIVER_JOB = 'posts.deliver';
/** How long the platforms take for what the social route accepts at once. */
export const PUBLISHING_TIME: Micros = 5 * SECOND;

export const findPost = (store: Store, id: number | string): StoredPost | undefined =>
  store.get(postsSlice).items.find((post) => post.id === id);

export const isWaiting = ({ published_at, error }: Delivery): boolean => published_at === null && error === null;

export function statusOf({ deliveries }: StoredPost): MockPost['status'] {
  if (deliveries.some(isWaiting)) return 'pending';
  return deliveries.some(({ error }) => error !== null) ? 'error' : 'published';
}

/** The words that POST /posts and the social routes use: what GET /posts calls pending has two of them. */
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

export type NewPost = Omit<StoredPost, 'id' | 'deliveries' | 'created_at' | 'updated_at'> & {
  /** When it goes out: its own date for some platforms, the post's for the others. */
  readonly dates: readonly { readonly platform: MockPlatform; readonly own: boolean; readonly at: Micros }[];
};

export function addPost({ store, clock }: Service, { dates, ...given }: NewPost): StoredPost {
  const state = store.get(postsSlice);
  const now = clock.stamp();
  const post: StoredPost = {
    ...given,
    id: state.next_id,
    deliveries: dates.map(({ platform, own, at }) => ({
      platform,
      own,
      scheduled_at: at,
      published_at: null,
      error: null,
      ref: null,
    })),
    created_at: now,
    updated_at: now,
  };
  state.next_id += 1;
  state.items.push(post);
  return post;
}

/** Have the clock publish what is still to come, each platform at its date. A date that has passed is due at once. */
export function planDelivery({ store, clock }: Service, { id, deliveries, immediate }: StoredPost): void {
  cancel(store, DELIVER_JOB, id);
  const dates = deliveries.filter(isWaiting).map(({ scheduled_at }) => scheduled_at);
  if (dates.length === 0) return;
  const at = Math.max(Math.min(...dates), clock.now()) + (immediate ? PUBLISHING_TIME : 0);
  schedule(store, { kind: DELIVER_JOB, id, at });
}

/** The runner of the job: the platforms whose date has come. */
export function deliverDue(service: Service, id: number | string, at: Micros): void {
  const post = findPost(service.store, id);
  if (post === undefined) return;
  deliver(
    service,
    post,
    post.deliveries.filter((delivery) => isWaiting(delivery) && delivery.scheduled_at <= at),
    at,
  );
}

/** Put a post on platforms, now or at the instant `at` of its schedule, and plan what is left. */
export function deliver(service: Service, post: StoredPost, deliveries: readonly Delivery[], at?: Micros): void {
  post.updated_at = service.clock.stamp(at);
  const instant = at ?? post.updated_at;
  for (const delivery of deliveries) {
    const { platform } = delivery;
    delivery.error =
      takeFailure(service.store, post, platform) ?? brokenConnection(service.store, post.bulle_id, platform, instant);
    if (delivery.error !== null) continue;
    delivery.published_at = instant;
    delivery.ref = refOf(post.id, platform);
  }
  planDelivery(service, post);
}

/** The message of a failure that was asked for, used up by one. */
function takeFailure(store: Store, { id, bulle_id }: StoredPost, platform: MockPlatform): string | undefined {
  const state = store.get(postsSlice);
  const failure = state.failures.find(
    (other) =>
      other.platform === platform &&
      (other.bulle_id === null || other.bulle_id === bulle_id) &&
      (other.post_id === null || other.post_id === id),
  );
  if (failure === undefined) return undefined;
  failure.times -= 1;
  state.failures = state.failures.filter(({ times }) => times > 0);
  return failure.message;
}

/** Why a platform would not take a post at that instant; `null` when it would. */
export function brokenConnection(store: Store, bulleId: string, platform: string, at: Micros): string | null {
  const connection = findConnection(store, bulleId, platform);
  if (connection?.connected !== true) return `Le compte ${platform} n'est plus connecté.`;
  return needsReconnect(connection, at) ? `La connexion au compte ${platform} doit être renouvelée.` : null;
}
