import * as z from 'zod/mini';
import { dateTime, found, optionsSchema, readOptions, whole, word } from '../../engine/options.js';
import { brandBulle } from '../../engine/scope.js';
import { cancel, type Service } from '../../engine/store.js';
import { ids } from '../../seed/brand.js';
import { type MockPlatform, PLATFORMS } from '../platforms.js';
import { addPost, DELIVER_JOB, findPost, type MockPost, postsSlice, servedPost } from './post.js';

/** A post to add from outside the API. */
export interface MockNewPost {
  /** Text of the post. Default: a short French text. */
  content?: string | undefined;
  /** The platforms that the post targets. @default ['facebook'] */
  platforms?: readonly MockPlatform[] | undefined;
  /** The location of the post. @default the location of `keys.bulle` */
  bulle_id?: string | undefined;
  /** ISO 8601. The post is then pending. Without it, the post is published now. */
  scheduled_at?: string | undefined;
}

/** Selects the publication that fails: the next one on the platform that matches all given fields. */
export interface MockPlatformFailure {
  /** Only posts of this location. */
  bulle_id?: string | undefined;
  /** Only the post with this id. */
  post_id?: number | undefined;
  /** Text of `error_<platform>`. Default: a French text. */
  message?: string | undefined;
  /** Number of publications that fail. @default 1 */
  times?: number | undefined;
}

/** Changes to posts from outside the API, as another user or a platform would make them. */
export interface MockPosts {
  /** Adds a post, for example to shift the pages while a client reads them. */
  add(fields?: MockNewPost): MockPost;
  /** Removes a post from every list. @throws RangeError if it does not exist. */
  remove(id: number): void;
  /** Returns a post. @throws RangeError if it does not exist. */
  get(id: number): MockPost;
  /** Returns every post of the brand, oldest first. */
  all(): MockPost[];
  /** Lets the next publication on a platform fail. Otherwise, a publication fails only if its account is not usable. */
  failPlatform(platform: MockPlatform, failure?: MockPlatformFailure): void;
}

const platform = word('platform', PLATFORMS);

const newPost = optionsSchema('posts.add', {
  content: z._default(z.string(), 'Une nouvelle fournée.'),
  platforms: z._default(z.array(platform), ['facebook']),
  bulle_id: z._default(z.string(), ids.bulle),
  scheduled_at: z.optional(dateTime),
});

const newFailure = optionsSchema('posts.failPlatform', {
  bulle_id: z._default(z.nullable(z.string()), null),
  post_id: z._default(z.nullable(z.number()), null),
  message: z._default(z.string(), 'La plateforme a refusé la publication.'),
  // No `Infinity`, because the state is JSON.
  times: z._default(whole(1), 1),
});

export function createPosts(service: () => Service): MockPosts {
  const find = (id: number) => found(findPost(service().store, id), `the mock has no post ${id}`);
  return {
    add(fields = {}) {
      const { content, platforms, bulle_id, scheduled_at } = readOptions(newPost, fields);
      const current = service();
      found(brandBulle(current.store, bulle_id), `posts.add: the brand has no location ${bulle_id}`);
      const at = scheduled_at ?? current.clock.now();
      const dates = platforms.map((name) => ({ platform: name, own: false, at }));
      return servedPost(addPost(current, dates, { sphere_id: ids.sphere, bulle_id, content }));
    },
    remove(id) {
      const post = find(id);
      const { store } = service();
      const { items } = store.get(postsSlice);
      items.splice(items.indexOf(post), 1);
      cancel(store, DELIVER_JOB, id);
    },
    get: (id) => servedPost(find(id)),
    all: () =>
      service()
        .store.get(postsSlice)
        .items.filter(({ sphere_id }) => sphere_id === ids.sphere)
        .map(servedPost),
    failPlatform(on, failure = {}) {
      const failing = readOptions(platform, on);
      service()
        .store.get(postsSlice)
        .failures.push({ platform: failing, ...readOptions(newFailure, failure) });
    },
  };
}
