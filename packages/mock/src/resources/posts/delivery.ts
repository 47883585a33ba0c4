import type { ApiKey } from '../../engine/auth.js';
import { type Micros, SECOND } from '../../engine/clock.js';
import { forbidden, notFound } from '../../engine/http.js';
import { cancel, schedule } from '../../engine/jobs.js';
import type { Exchange } from '../../engine/router.js';
import { pathInteger } from '../../engine/schema.js';
import { BULLE_OUT_OF_SCOPE, covers } from '../../engine/scope.js';
import type { Service, Slice, Store } from '../../engine/store.js';
import { findConnection, needsReconnect } from '../connections.js';
import type { MockPlatform } from '../platforms.js';
import { type Delivery, isWaiting, type PostsState, refOf, type StoredPost } from './post.js';
import { seedPosts } from './seed.js';

export const postsSlice: Slice<PostsState> = { name: 'posts', seed: seedPosts };

export const DELIVER_JOB = 'posts.deliver';
/** Time that the platforms need for an immediate publication of the social route. */
const PUBLISHING_TIME: Micros = 5 * SECOND;

export const findPost = (store: Store, id: number | string): StoredPost | undefined =>
  store.get(postsSlice).items.find((post) => post.id === id);

type NewPost = Omit<StoredPost, 'id' | 'deliveries' | 'created_at' | 'updated_at'> & {
  /** Scheduled dates: some platforms have an own date, the others have the post's date. */
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

/** Schedules the remaining platforms, each at its date. A date in the past is due immediately. */
export function planDelivery({ store, clock }: Service, { id, deliveries, immediate }: StoredPost): void {
  cancel(store, DELIVER_JOB, id);
  const dates = deliveries.filter(isWaiting).map(({ scheduled_at }) => scheduled_at);
  if (dates.length === 0) return;
  const at = Math.max(Math.min(...dates), clock.now()) + (immediate ? PUBLISHING_TIME : 0);
  schedule(store, { kind: DELIVER_JOB, id, at });
}

/** Publishes on the platforms whose date has passed. */
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

/** Publishes a post on platforms, now or at the time `at` of its schedule, and schedules the rest. */
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

/** Returns the message of a failure that a test has set up, and counts the failure down. */
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

/** The reason why a platform would refuse a post at a given time. `null` if it would accept the post. */
export function brokenConnection(store: Store, bulleId: string, platform: string, at: Micros): string | null {
  const connection = findConnection(store, bulleId, platform);
  if (connection?.connected !== true) return `Le compte ${platform} n'est plus connecté.`;
  return needsReconnect(connection, at) ? `La connexion au compte ${platform} doit être renouvelée.` : null;
}

/** A post by its id. `undefined` if there is none, 403 if its location is out of scope. */
export function coveredPost(store: Store, key: ApiKey, id: number): StoredPost | undefined {
  const post = findPost(store, id);
  if (post !== undefined && !covers(store, key, post.bulle_id)) throw forbidden(BULLE_OUT_OF_SCOPE);
  return post;
}

/** The post of the path. */
export function namedPost({ service, key, params }: Exchange): StoredPost {
  const id = pathInteger(params, 'post_id');
  const post = coveredPost(service.store, key, id);
  if (post === undefined) throw notFound(`Publication introuvable : ${id}`);
  return post;
}
