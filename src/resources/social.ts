import type { Api } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { ApiPromise } from '../core/promise.js';
import type { BulleTarget, DryRunOption, DryRunResult } from '../core/types.js';
import {
  type SocialPost,
  type SocialPublication,
  type SocialPublishParams,
  type SocialQuota,
  socialEndpoints,
} from './social-schema.js';

/** Simplified publishing: one text, out at once unless it is scheduled. */
export class Social {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Publish a text **at once**, or at `scheduled_at`. `POST /social/publish`, permission `publish`.
   *
   * Spends the monthly quota of the location. Never sent twice when it may have happened: after `outcome: 'unknown'`,
   * `social.quota` shows whether one was spent; the `post_id` for `social.get` is lost with the answer.
   * With `dry_run: true` nothing is executed and a preview comes back. The specification names publishing among the
   * operations with previews, yet does not list `dry_run` for this route.
   * @throws a {@link QuotaExceededError} when the monthly quota is used up.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the text then went out.
   * @example const { post_id } = await client.social.publish({ text: 'Fournée de 16 h', platforms: ['facebook'], bulle_id });
   */
  publish<Only extends boolean | undefined = false>(
    params: SocialPublishParams & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, SocialPublication>> {
    return this.#api.send(socialEndpoints.publish, params, options);
  }

  /**
   * Read the monthly quota of a location. `GET /social/quota`, permission `read`.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @example const quota = await client.social.quota({ bulle_id: 'b-lyon' });
   */
  quota(params?: BulleTarget, options?: RequestOptions): ApiPromise<SocialQuota> {
    return this.#api.send(socialEndpoints.quota, params, options);
  }

  /**
   * Read how a publication stands on its platforms. `GET /social/posts/{post_id}`, permission `read`.
   * @throws a {@link NotFoundError} when the key's scope holds no such publication.
   * @example const { published, errors } = await client.social.get(post_id);
   */
  get(post_id: string, options?: RequestOptions): ApiPromise<SocialPost> {
    return this.#api.send(socialEndpoints.get, {}, options, { post_id });
  }
}
