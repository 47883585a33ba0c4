import { type Api, type ApiPromise, apiOf, Resource } from '../core/api.js';
import { type Endpoint, endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { copyOf } from '../core/request.js';
import * as s from '../core/schema.js';
import { type DryRunOption, type DryRunResult, scopeOf } from '../core/types.js';
import { serviceTime } from '../stages/listeners.js';
import { missingBulleId } from '../stages/preflight.js';
import { type Connection, connectionEndpoints } from './connections-schema.js';
import { type ListPromise, type Paging, sendList } from './pages.js';
import { platformEndpoints } from './platforms-schema.js';
import { ACCOUNTS_AGE, findIssues, LIMITS_AGE, memoryOf, type PostCheck } from './posts-check.js';
import { isFound } from './posts-find.js';
import {
  type CreatedPost,
  type Post,
  type PostCreateParams,
  type PostFindParams,
  type PostListParams,
  type PostUpdateParams,
  postEndpoints,
  postFindParamsSchema,
} from './posts-schema.js';
import { type SharedReads, sharing } from './shared.js';
import type { NeedsBulle } from './sphere.js';

/** Page size if the call has no `limit`. */
const DEFAULT_LIMIT = 50;

/**
 * Pages are read by offset. The service returns a bare array without a total, and its maximum page size may be lower
 * than documented. So the last page is one without posts, or one with fewer posts than the previous page.
 */
const paging: Paging<Post[], Post> = {
  needs: s.list(s.object({ id: s.integer })),
  items: (page) => page,
  id: ({ id }) => id,
  next: (page, params, before) => {
    const { limit = DEFAULT_LIMIT, offset = 0 } = params;
    const full = before?.length ?? 1;
    return page.length < full ? undefined : { ...params, limit, offset: Number(offset) + page.length };
  },
};

/**
 * The paging of `posts.findRecent`, which compares posts, and must miss none. A page begins with the last post of the page
 * before. If it does not, posts have left the list, and it is read again, once.
 */
function comparing(): typeof paging {
  let looks = 1;
  return {
    ...paging,
    needs: s.list(s.object({ id: s.integer, content: s.maybe(s.string), platforms: s.list(s.string) })),
    position: ({ offset = 0 }) => Number(offset),
    next: (page, params, before) => {
      const isTorn = params.offset && before?.[1] && before.every(({ id }) => id !== page[0]?.id);
      if (isTorn && looks-- > 0) return { ...params, offset: 0 };
      const next = paging.next(page, params, before);
      return next && page[1] ? { ...next, offset: Number(next.offset) - 1 } : next;
    },
  };
}

/** `posts.check` has the parameters of `posts.create`, but only reads. */
const check = endpoint({ ...postEndpoints.create, operation: 'posts.check', permission: 'read' });

const findRecent = endpoint({ ...postEndpoints.list, operation: 'posts.findRecent', params: postFindParamsSchema });

/** Posts: published on the social platforms of a location, now or later. */
export class Posts extends Resource {
  /**
   * Creates a post, which is published in one hour, at `scheduled_at`, or immediately with `publish_now`. `POST
   * /posts`, permission `schedule`.
   *
   * `content` (or `text`) has 1 to 5000 characters, `image_urls` 2 to 10 addresses.
   * @remarks `posts.check` finds problems before you publish. A write that may have succeeded is never sent again:
   * after `outcome: 'unknown'`, `posts.findRecent` shows whether the post was created. `dry_run: true` returns a
   * preview and executes nothing. The specification does not list `dry_run` for this route itself.
   * @throws a {@link PlatformNotConnectedError} if the location has no connected account on one of the platforms.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @throws a {@link DryRunNotHonoredError} if the response is not a preview: the post was then created.
   * @example
   * const { id } = await client.posts.create({
   *   content: 'La brioche du dimanche',
   *   platforms: ['facebook', 'gmb'],
   *   scheduled_at: '2026-12-01T09:00:00+01:00',
   *   bulle_id,
   * });
   */
  create<Only extends boolean | undefined = false>(
    params: PostCreateParams & NeedsBulle<this> & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, CreatedPost>> {
    return apiOf(this).send(postEndpoints.create, params, options);
  }

  /**
   * Lists posts. `GET /posts`, permission `read`.
   *
   * `limit` is 1 to 100, 50 by default. The order is not documented. A sphere key without `bulle_id` lists the whole
   * brand.
   * @remarks `await` returns one page, `for await` all posts. The service counts pages from the first post, so a
   * deletion during the iteration makes it skip posts: delete after the iteration. The service returns no total, so the
   * iteration ends at an empty page or at a page that is shorter than the previous one.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} if `bulle_id` is out of scope or unknown.
   * @example for await (const { id } of client.posts.list({ status: 'error' })) console.log(id);
   */
  list(params?: PostListParams, options?: RequestOptions): ListPromise<Post[], Post> {
    return sendList(apiOf(this), postEndpoints.list, params, options, paging);
  }

  /**
   * Reads one post. `GET /posts/{post_id}`, permission `read`.
   * @throws a {@link NotFoundError} if the key's scope contains no such post.
   * @example const status = postStatusByPlatform(await client.posts.get(42));
   */
  get(post_id: number, options?: RequestOptions): ApiPromise<Post> {
    return apiOf(this).send(postEndpoints.get, {}, options, { post_id });
  }

  /**
   * Changes a pending post. `PUT /posts/{post_id}`, permission `schedule`.
   *
   * Only the fields that you pass change. It is not documented how the service refuses a post that is not pending. The
   * response is not documented either: the method returns the body unchanged, or `undefined` if it is empty.
   * @throws a {@link NotFoundError} if the key's scope contains no such post.
   * @example await client.posts.update(131, { scheduled_at: '2026-12-01T09:00:00+01:00' });
   */
  update(post_id: number, params: PostUpdateParams, options?: RequestOptions): ApiPromise<unknown> {
    return apiOf(this).send(postEndpoints.update, params, options, { post_id });
  }

  /**
   * Deletes a post with the status `pending` or `error`. `DELETE /posts/{post_id}`, permission `delete`.
   *
   * The response is not documented: the method returns the body unchanged, or
   * `undefined` if it is empty.
   * @throws a {@link NotFoundError} if the key's scope contains no such post.
   * @example await client.posts.delete(14);
   */
  delete(post_id: number, options?: RequestOptions): ApiPromise<unknown> {
    return apiOf(this).send(postEndpoints.delete, {}, options, { post_id });
  }

  /**
   * Publishes a scheduled post immediately. `POST /posts/{post_id}/publish`, permission `publish`.
   *
   * The response is not documented: the method returns the body unchanged, or `undefined` if it is empty.
   * @remarks A write that may have succeeded is never sent again: after `outcome: 'unknown'`, `posts.get` shows
   * `published_<platform>`. `dry_run: true` returns a preview and executes nothing. The specification does not list
   * `dry_run` for this route itself.
   * @throws a {@link NotFoundError} if the key's scope contains no such post.
   * @throws a {@link DryRunNotHonoredError} if the response is not a preview: the post was then published.
   * @example await client.posts.publish(131);
   */
  publish<Only extends boolean | undefined = false>(
    post_id: number,
    params?: DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, unknown>> {
    return apiOf(this).send(postEndpoints.publish, params, options, { post_id });
  }

  /**
   * Checks a post before you publish it. Reads `GET /connections` and `GET /platforms/limits`, permission `read`. Its
   * parameters are the same as for `posts.create`.
   *
   * The client caches the limits for a day and the connections for 60 s, so another check within 60 s costs no
   * request. With the key of a whole brand, known from `Client.connect`, one read covers all locations
   * that have accounts. With another client, each location costs a request. An account can publish only if `connected` is true,
   * `needs_reconnect` is not, and `expires_at` has not passed. Characters are counted in code points. An entry of
   * `content_per_platform` is checked if it is a string. Images and videos at an address are not fetched: sizes are
   * checked only for data URIs, and the durations of videos are not checked.
   * @throws an {@link InvalidRequestError} if `posts.create` would refuse the parameters.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @example
   * const { ok, issues } = await client.posts.check({ content, platforms: ['facebook', 'gmb'], bulle_id });
   * if (!ok) for (const { platform, code } of issues) console.warn(platform, code);
   */
  async check(params: PostCreateParams & NeedsBulle<this>, options?: RequestOptions): Promise<PostCheck> {
    const memory = memoryOf(apiOf(this).session);
    const asked = apiOf(this).check(check, params, options);
    const { bulle_id } = asked;
    // `extra` belongs to the post.
    const [accounts, limits] = await sharing(apiOf(this), check, options, (api, others, signal) => {
      const read = async <T>(reads: SharedReads<T>, key: unknown, endpoint: Endpoint, params: object, age: number) => {
        const ask = async (ends: AbortSignal) =>
          (await api.ask<T>(endpoint, params, { ...others, signal: ends, lenient: true })).data;
        return (await reads.get(key, ask, signal, age)).value;
      };
      const list = (one?: string) =>
        read(memory.connections, one, connectionEndpoints.list, { bulle_id: one }, ACCOUNTS_AGE);
      return Promise.all([
        accountsOf(api, bulle_id, list),
        read(memory.limits, '', platformEndpoints.limits, {}, LIMITS_AGE),
      ]);
    });
    const locations = new Set(accounts.map((account) => account.bulle_id).filter((id) => id != null));
    if (bulle_id === undefined && locations.size > 1) {
      throw missingBulleId('Only reads were sent.', { operation: 'posts.check' });
    }
    const accountsHere = accounts.filter(
      (account) => bulle_id === undefined || (account.bulle_id ?? bulle_id) === bulle_id,
    );
    const issues = findIssues(asked, accountsHere, limits, Date.now());
    return { ok: issues.length === 0, issues };
  }

  /**
   * Finds recent posts by their text, for example after `outcome: 'unknown'`. `GET /posts` page by page, permission
   * `read`. Each request reads 100 posts.
   *
   * `since` is a moment of this machine's clock. The client converts it to the clock of the service, which it learns from
   * the `Date` header of responses, so that clocks may differ by hours. The corrected moment is up to some seconds too
   * early, so that no post is missed. `platforms` and `scheduled_at` narrow the result. A date that a post lacks
   * excludes no post.
   *
   * Pass `bulle_id` if you can: the order of posts is not documented, so every page is read. It is also not documented
   * whether the list includes posts of `client.social`.
   * @throws an {@link InvalidRequestError} if `since` is not a valid date.
   * @example
   * const { text = '', content = text, platforms, scheduled_at, bulle_id } = params;
   * try {
   *   await client.posts.create(params);
   * } catch (error) {
   *   if (!isMultilocalError(error) || !error.sentAt) throw error; // The outcome is known.
   *   // Better wait a minute: the service may still be working on the request.
   *   const since = error.sentAt;
   *   const [post] = await client.posts.findRecent({ content, since, platforms, scheduled_at, bulle_id });
   *   if (!post) throw error; // It was not created.
   * }
   */
  async findRecent(params: PostFindParams, options?: RequestOptions): Promise<Post[]> {
    // The caller may change the parameters before the last page is read.
    apiOf(this).check(findRecent, params, options);
    // `extra` belongs to the requests of the list.
    const asked = copyOf(apiOf(this).check(findRecent, params));
    const found: Post[] = [];
    const filters = { limit: 100, bulle_id: asked.bulle_id };
    const reading = { ...options, lenient: true, fresh: true };
    for await (const post of sendList(apiOf(this), postEndpoints.list, filters, reading, comparing())) {
      // The first page may be the first response that shows the clock of the service.
      const since = serviceTime(apiOf(this).session, asked.since);
      if (isFound(post, asked, since)) found.push(post);
    }
    return found;
  }
}

/** Reads the accounts of a location, or of the whole brand at once if the key covers it. */
async function accountsOf(
  { session }: Api,
  bulle_id: string | undefined,
  list: (bulle_id?: string) => Promise<readonly Connection[]>,
): Promise<readonly Connection[]> {
  if (bulle_id !== undefined && session.identity && scopeOf(session.identity).kind === 'sphere') {
    const all = await list();
    const locations = all.map((account) => account.bulle_id);
    // Without their locations, accounts say nothing about one of them. A location without accounts may be unknown, and
    // the service then refuses the read below.
    if (locations.includes(bulle_id) && locations.every((id) => id != null)) return all;
  }
  return list(bulle_id);
}
