import type { MockNewPost, MockPlatform, MockPlatformFailure, MockPosts } from './helper-types.js';
import { cancel } from './jobs.js';
import { type Names, requireKnownNames, unknown } from './known-names.js';
import { findBulle, PLATFORMS } from './model/brand.js';
import {
  addPost,
  DELIVER_JOB,
  deliver,
  findPost,
  planDelivery,
  postsSlice,
  type StoredPost,
  servedPost,
} from './model/posts.js';
import { ids } from './seed/brand.js';
import type { Service } from './service.js';
import { requireInstant } from './timestamps.js';

const DEFAULT_PLATFORMS: readonly MockPlatform[] = ['facebook'];
const NEW_POST: Names<MockNewPost> = { content: true, platforms: true, bulle_id: true, scheduled_at: true };
const FAILURE: Names<MockPlatformFailure> = { bulle_id: true, post_id: true, message: true, times: true };

/** `service` is asked for at each call: `reset` replaces it, and work that is due is done before. */
export function createPosts(service: () => Service): MockPosts {
  return {
    add(fields = {}) {
      requireKnownNames('posts.add', fields, NEW_POST);
      const { content = 'Une nouvelle fournée.', platforms = DEFAULT_PLATFORMS } = fields;
      const { bulle_id = ids.bulle, scheduled_at } = fields;
      const current = service();
      platforms.forEach(requirePlatform);
      if (findBulle(current.store, bulle_id)?.sphere_id !== ids.sphere) {
        throw new RangeError(`the brand has no location ${bulle_id}`);
      }
      const at = scheduled_at === undefined ? current.clock.now() : requireInstant('scheduled_at', scheduled_at);
      const post = addPost(current, {
        sphere_id: ids.sphere,
        bulle_id,
        content,
        image_url: null,
        image_urls: null,
        video_url: null,
        dates: platforms.map((platform) => ({ platform, own: false, at })),
        immediate: false,
        warnings: [],
      });
      if (scheduled_at === undefined) deliver(current, post, post.deliveries);
      else planDelivery(current, post);
      return servedPost(post);
    },
    remove(id) {
      const { store } = service();
      const { items } = store.get(postsSlice);
      items.splice(items.indexOf(find(store, id)), 1);
      cancel(store, DELIVER_JOB, id);
    },
    get: (id) => servedPost(find(service().store, id)),
    all() {
      const { items } = service().store.get(postsSlice);
      return items.filter(({ sphere_id }) => sphere_id === ids.sphere).map(servedPost);
    },
    failPlatform(platform, failure = {}) {
      requirePlatform(platform);
      requireKnownNames('posts.failPlatform', failure, FAILURE);
      const { bulle_id, post_id, message = 'La plateforme a refusé la publication.', times = 1 } = failure;
      // No Infinity: the state is JSON.
      if (!Number.isSafeInteger(times) || times < 1) throw new RangeError('times must be a whole number, 1 or more');
      const { failures } = service().store.get(postsSlice);
      failures.push({ platform, bulle_id: bulle_id ?? null, post_id: post_id ?? null, message, times });
    },
  };
}

function requirePlatform(platform: MockPlatform): void {
  if (!PLATFORMS.includes(platform)) throw unknown('unknown platform', platform, PLATFORMS);
}

function find(store: Service['store'], id: number): StoredPost {
  const post = findPost(store, id);
  if (post === undefined) throw new RangeError(`the mock holds no post ${id}`);
  return post;
}
