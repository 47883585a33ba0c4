import { until } from '../core/abort.js';
import type { Api } from '../core/api.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { type ListPromise, type Paging, sendList } from '../core/pages.js';
import { missingBulleId } from '../core/preflight.js';
import type { ApiPromise } from '../core/promise.js';
import { withoutForm } from '../core/text.js';
import { isLater } from '../core/timestamps.js';
import type { DryRunOption, DryRunResult } from '../core/types.js';
import { connectionEndpoints } from './connections-schema.js';
import { platformEndpoints } from './platforms-schema.js';
import { findIssues, memoryOf, type PostCheck } from './posts-check.js';
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

/** The size of a page where the call names none. */
const DEFAULT_LIMIT = 50;

/**
 * By offset: the service gives a bare array and no total. How many posts make a full page is the service's to say, whose
 * cap or default may be lower than documented. So the last page is an empty one, or one with fewer posts than the page before.
 */
const paging: Paging<Post[], Post> = {
  items: (page) => page,
  id: ({ id }) => id,
  next: (page, params, before) => {
    const { limit = DEFAULT_LIMIT, offset = 0 } = params as PostListParams;
    const full = before?.length ?? 1;
    return page.length < full ? undefined : { ...params, limit, offset: offset + page.length };
  },
};

/** `posts.check` takes what `posts.create` takes, and only reads. */
const check = endpoint({ ...postEndpoints.create, operation: 'posts.check', method: 'GET', permission: 'read' });

const findRecent = endpoint({ ...postEndpoints.list, operation: 'posts.findRecent', params: postFindParamsSchema });

/** Posts: published on the social platforms of a location, now or later. */
export class Posts {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Create a post: out in one hour, at `scheduled_at`, or at once with `publish_now`. `POST /posts`, permission
   * `schedule`.
   *
   * `content` (or `text`) holds 1 to 5000 characters, `image_urls` 2 to 10 addresses. Never sent twice when it may have
   * happened: after `outcome: 'unknown'`, `posts.findRecent` shows whether it was created. `posts.check` tells
   * beforehand what would go wrong.
   * With `dry_run: true` nothing is executed and a preview comes back. The specification names publishing among the
   * operations with previews, yet does not list `dry_run` for this route.
   * @throws a {@link PlatformNotConnectedError} when the location has no account on one of the platforms.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the post then exists.
   * @example
   * const { id } = await client.posts.create({
   *   content: 'La brioche du dimanche',
   *   platforms: ['facebook', 'gmb'],
   *   scheduled_at: '2026-12-01T09:00:00+01:00',
   *   bulle_id,
   * });
   */
  create<Only extends boolean | undefined = false>(
    params: PostCreateParams & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, CreatedPost>> {
    return this.#api.send(postEndpoints.create, params, options);
  }

  /**
   * List posts: one page when awaited, all of them when iterated. `GET /posts`, permission `read`.
   *
   * `limit` 1 to 100, default 50; the order is not documented. With a sphere key and no `bulle_id`, the whole brand. The
   * service counts from the first row: posts that are deleted while pages are read pull others past the reader, so
   * delete after the iteration, not within. It tells no total, and may give fewer to a page than was asked for: an
   * iteration ends at an empty page, or at one that is shorter than the page before.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} for a `bulle_id` that the key does not reach.
   * @example for await (const { id } of client.posts.list({ status: 'error' })) console.log(id);
   */
  list(params?: PostListParams, options?: RequestOptions): ListPromise<Post[], Post> {
    return sendList(this.#api, postEndpoints.list, params, options, paging);
  }

  /**
   * Read one post. `GET /posts/{post_id}`, permission `read`.
   * @throws a {@link NotFoundError} when the key's scope holds no such post.
   * @example const status = postStatusByPlatform(await client.posts.get(42));
   */
  get(post_id: number, options?: RequestOptions): ApiPromise<Post> {
    return this.#api.send(postEndpoints.get, {}, options, { post_id });
  }

  /**
   * Change a pending post. `PUT /posts/{post_id}`, permission `schedule`.
   *
   * What is not sent stays. The service does not document its answer: it is given as it came, `undefined` when empty.
   * @throws a {@link ConflictError} when the post is no longer pending.
   * @example await client.posts.update(42, { scheduled_at: '2026-12-01T09:00:00+01:00' });
   */
  update(post_id: number, params: PostUpdateParams, options?: RequestOptions): ApiPromise<unknown> {
    return this.#api.send(postEndpoints.update, params, options, { post_id });
  }

  /**
   * Delete a post that is pending or in error. `DELETE /posts/{post_id}`, permission `delete`.
   *
   * What was published stays on the platforms. The service does not document its answer: it is given as it came,
   * `undefined` when empty.
   * @throws a {@link NotFoundError} when the key's scope holds no such post.
   * @example await client.posts.delete(42);
   */
  delete(post_id: number, options?: RequestOptions): ApiPromise<unknown> {
    return this.#api.send(postEndpoints.delete, {}, options, { post_id });
  }

  /**
   * Publish a scheduled post at once. `POST /posts/{post_id}/publish`, permission `publish`.
   *
   * Never sent twice when it may have happened: after `outcome: 'unknown'`, `posts.get` shows `published_<platform>`.
   * The service does not document its answer: it is given as it came, `undefined` when empty.
   * With `dry_run: true` nothing is executed and a preview comes back. The specification names publishing among the
   * operations with previews, yet does not list `dry_run` for this route.
   * @throws a {@link NotFoundError} when the key's scope holds no such post.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the post then is published.
   * @example await client.posts.publish(42);
   */
  publish<Only extends boolean | undefined = false>(
    post_id: number,
    params?: DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, unknown>> {
    return this.#api.send(postEndpoints.publish, params, options, { post_id });
  }

  /**
   * Tell what would go wrong with a post, before anything is spent. Reads `GET /connections` and
   * `GET /platforms/limits`, permission `read`; takes what `posts.create` takes.
   *
   * The limits are kept for the life of the client, the connections of a location for 60 s: a check right after another
   * costs no request. An account counts only if `connected`, `needs_reconnect` and `expires_at` (now) all say so.
   * Characters are code points; an entry of `content_per_platform` counts if it is a string. Images at an address are
   * not looked at, so their size is judged for data URIs alone, and videos' lengths not at all.
   * @throws an {@link InvalidRequestError} for parameters that `posts.create` would refuse too.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @example
   * const { ok, issues } = await client.posts.check({ content, platforms: ['facebook', 'gmb'], bulle_id });
   * if (!ok) for (const { platform, code } of issues) console.warn(platform, code);
   */
  async check(params: PostCreateParams, options?: RequestOptions): Promise<PostCheck> {
    const memory = memoryOf(this.#api.session);
    const { bulle_id } = this.#api.check(check, params, options) as { bulle_id?: string };
    const { signal, ...rest } = options ?? {};
    signal?.throwIfAborted();
    // Others may be waiting for the same answer, so no caller's signal may end it; and judging needs the right shape.
    const shared = { ...rest, validation: 'throw' } as const;
    const reads = Promise.all([
      memory.connections(bulle_id ?? '', () => this.#api.send(connectionEndpoints.list, { bulle_id }, shared)),
      memory.limits('', () => this.#api.send(platformEndpoints.limits, {}, shared)),
    ]);
    const [accounts, limits] = await (signal ? until(reads, signal) : reads);
    const locations = new Set(accounts.map((account) => account.bulle_id).filter((id) => id != null));
    if (bulle_id === undefined && locations.size > 1) {
      throw missingBulleId('Nothing but reads was sent.', { operation: 'posts.check' });
    }
    const own = accounts.filter((account) => bulle_id === undefined || (account.bulle_id ?? bulle_id) === bulle_id);
    const issues = findIssues(params, own, limits, Date.now());
    return { ok: issues.length === 0, issues };
  }

  /**
   * Find posts by content and age: the way to find out after `outcome: 'unknown'`. `GET /posts` page by page,
   * permission `read`; 100 posts a request.
   *
   * Take `since` from a little before your request, since clocks differ, and name the location where you can: the
   * service documents no order, so every page is read rather than a post missed. It does not say either whether the list
   * holds what went out through `client.social`.
   * @throws an {@link InvalidRequestError} for a `since` that is no moment.
   * @example
   * const since = new Date(Date.now() - 60_000);
   * try {
   *   await client.posts.create(params);
   * } catch (error) {
   *   if (!isMultilocalError(error) || error.outcome !== 'unknown') throw error;
   *   // Better a minute later: the service may still be at it.
   *   const [post] = await client.posts.findRecent({ content: params.content, since, bulle_id: params.bulle_id });
   *   if (!post) throw error; // It was not created.
   * }
   */
  async findRecent(params: PostFindParams, options?: RequestOptions): Promise<Post[]> {
    this.#api.check(findRecent, params, options);
    const { content, bulle_id } = params;
    const since = params.since instanceof Date ? params.since.toISOString() : params.since;
    const wanted = withoutForm(content);
    const found: Post[] = [];
    for await (const post of this.list({ limit: 100, bulle_id }, options)) {
      // One whose date cannot be read is taken for recent: better one too many than one lost.
      const isOlder = isLater(since, post.created_at) === true;
      if (!isOlder && withoutForm(post.content) === wanted) found.push(post);
    }
    return found;
  }
}
