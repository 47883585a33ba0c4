import { type ApiPromise, apiOf, Resource } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { DryRunOption, DryRunResult } from '../core/types.js';
import {
  type SocialPost,
  type SocialPublication,
  type SocialPublishParams,
  type SocialQuota,
  socialEndpoints,
} from './social-schema.js';
import type { BulleArgs, NeedsBulle } from './sphere.js';

/**
 * Simplified publishing: one text, published immediately unless it is scheduled. The specification describes these routes
 * as requiring the key of one location, and also lists `bulle_id` as required for a sphere key.
 */
export class Social extends Resource {
  /**
   * Publishes a text **immediately**, or at `scheduled_at`. `POST /social/publish`, permission `publish`.
   *
   * The call uses the monthly quota of the location. The specification describes these routes as requiring a bubble key,
   * and also lists `bulle_id` as required for a sphere key. So try a sphere key once before you rely on it.
   * @remarks The client sends the call with either key. A write that may have succeeded is never sent again: after
   * `outcome: 'unknown'`, `social.quota` shows whether the quota was used. The `post_id` is then unknown. `dry_run:
   * true` returns a preview and executes nothing. The specification does not list `dry_run` for this route itself.
   * @throws a {@link QuotaExceededError} if the monthly quota is used up.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @throws a {@link DryRunNotHonoredError} if the response is not a preview: the text was then published or scheduled.
   * @example const { post_id } = await client.social.publish({ text: 'Fournée de 16 h', platforms: ['facebook'], bulle_id });
   */
  publish<Only extends boolean | undefined = false>(
    params: SocialPublishParams & NeedsBulle<this> & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, SocialPublication>> {
    return apiOf(this).send(socialEndpoints.publish, params, options);
  }

  /**
   * Reads the monthly quota of a location for social publications. `GET /social/quota`, permission `read`.
   *
   * The specification describes the route as requiring a bubble key, and lists `bulle_id` as required with a sphere key.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @example const quota = await client.social.quota({ bulle_id });
   */
  quota(...[params, options]: BulleArgs<this>): ApiPromise<SocialQuota> {
    return apiOf(this).send(socialEndpoints.quota, params, options);
  }

  /**
   * Reads the status of a social publication on its platforms. `GET /social/posts/{post_id}`, permission `read`.
   * @throws a {@link NotFoundError} if the key's scope contains no such publication.
   * @example const { published, errors } = await client.social.get(post_id);
   */
  get(post_id: string, options?: RequestOptions): ApiPromise<SocialPost> {
    return apiOf(this).send(socialEndpoints.get, {}, options, { post_id });
  }
}
