import type { ApiPromise } from '../core/api-promise.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { platforms, scheduledAt } from '../core/parameters.js';
import {
  array,
  boolean,
  maybe,
  nullable,
  object,
  opaque,
  optional,
  record,
  strictObject,
  string,
  text,
} from '../core/schema.js';
import type { Send } from '../core/send.js';
import type {
  BulleTarget,
  DryRunEither,
  DryRunOff,
  DryRunOn,
  DryRunPreview,
  OpenEnum,
  Platform,
  PlatformName,
  Timestamp,
} from '../core/types.js';

/** What became of a social publication. */
export interface SocialPublication {
  /** For `social.get`; not the id of `posts.get`. */
  post_id: string;
  /** `publishing` at once, `scheduled` for later. */
  status: OpenEnum<'publishing' | 'scheduled'>;
  /** ISO 8601; `null` when it goes out at once. */
  scheduled_at?: string | null;
  /** The platforms that it goes to. */
  platforms: Platform[];
  /** The monthly quota as it stands; its fields are not documented. */
  quota?: Record<string, unknown> | null;
}

/** The monthly quota of social publications of a location. The service does not document the names of the counters. */
export interface SocialQuota {
  /** The location. */
  bulle_id: string;
  [counter: string]: unknown;
}

/** How a social publication stands on its platforms. */
export interface SocialPost {
  /** As `social.publish` gave it. */
  post_id: string;
  /** Where it stands on the whole. */
  status: OpenEnum<'scheduled' | 'publishing' | 'published' | 'error'>;
  /** The platforms that it goes to. */
  platforms: Platform[];
  /** Its text. */
  content?: string | null;
  /** By platform, ISO 8601: when it is to go out; `null` for a platform that it does not go to. */
  scheduled?: Record<string, string | null> | null;
  /** By platform, ISO 8601: when it went out; `null` before. */
  published?: Record<string, string | null> | null;
  /** By platform: what went wrong; `null` when nothing did. */
  errors?: Record<string, string | null> | null;
}

/** What `social.publish` takes. */
export interface SocialPublishParams extends BulleTarget {
  /** At least one, each once. */
  platforms: readonly PlatformName[];
  /** 1 to 63 206 characters, counted in code points. Platforms may take fewer: `client.platforms.limits()`. */
  text: string;
  /** Address of the single image. */
  image_url?: string | undefined;
  /** Addresses of the images. */
  image_urls?: readonly string[] | undefined;
  /** Address of the video. */
  video_url?: string | undefined;
  /** A future moment, with `Z` or an offset. Without it the text goes out **at once**. */
  scheduled_at?: Timestamp | undefined;
}

/** @internal */
export const socialPublication = object({
  post_id: string,
  status: string,
  scheduled_at: maybe(string),
  platforms: array(string),
  quota: maybe(opaque),
});

/** @internal */
export const socialQuota = object({ bulle_id: string });

const byPlatform = maybe(record(nullable(string)));

/** @internal */
export const socialPost = object({
  post_id: string,
  status: string,
  platforms: array(string),
  content: maybe(string),
  scheduled: byPlatform,
  published: byPlatform,
  errors: byPlatform,
});

/** @internal */
export const socialEndpoints = {
  publish: endpoint({
    operation: 'social.publish',
    method: 'POST',
    path: '/social/publish',
    trace: '`social.quota()` has one more used',
    permission: 'publish',
    target: 'bulle_id',
    targetRequired: true,
    dryRun: true,
    slow: true,
    params: strictObject({
      platforms,
      text: text(1, 63_206),
      image_url: optional(text(1)),
      image_urls: optional(array(text(1))),
      video_url: optional(text(1)),
      scheduled_at: optional(scheduledAt),
      bulle_id: optional(text(1)),
      dry_run: optional(boolean),
    }),
    response: socialPublication,
  }),
  quota: endpoint({
    operation: 'social.quota',
    method: 'GET',
    path: '/social/quota',
    permission: 'read',
    target: 'bulle_id',
    targetRequired: true,
    params: strictObject({ bulle_id: optional(text(1)) }),
    response: socialQuota,
  }),
  get: endpoint({
    operation: 'social.get',
    method: 'GET',
    path: '/social/posts/{post_id}',
    permission: 'read',
    response: socialPost,
  }),
};

/** Simplified publishing: one text, out at once unless it is scheduled. */
export class Social {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Publish a text **at once**, or at `scheduled_at`. `POST /social/publish`, permission `publish`.
   *
   * Spends the monthly quota of the location. Never sent twice when it may have happened: after `outcome: 'unknown'`,
   * `social.quota` shows whether one was spent; the `post_id` for `social.get` is lost with the answer.
   * @throws a {@link QuotaExceededError} when the monthly quota is used up.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @example const { post_id } = await client.social.publish({ text: 'Fournée de 16 h', platforms: ['facebook'], bulle_id });
   */
  publish(params: SocialPublishParams & DryRunOff, options?: RequestOptions): ApiPromise<SocialPublication>;
  /**
   * Preview a publication: nothing goes out. `POST /social/publish` with `dry_run: true`, permission `publish`.
   *
   * The specification names publishing among the operations with previews, yet does not list `dry_run` for this route.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the text then went out.
   * @example const { quota } = await client.social.publish({ text: 'Bonjour', platforms: ['gmb'], bulle_id, dry_run: true });
   */
  publish(params: SocialPublishParams & DryRunOn, options?: RequestOptions): ApiPromise<DryRunPreview>;
  /**
   * Publish or preview, as `dry_run` says. `POST /social/publish`, permission `publish`.
   * @example await client.social.publish({ text: 'Bonjour', platforms: ['gmb'], bulle_id, dry_run: rehearse });
   */
  publish(
    params: SocialPublishParams & DryRunEither,
    options?: RequestOptions,
  ): ApiPromise<SocialPublication | DryRunPreview>;
  publish(params: SocialPublishParams & DryRunEither, options?: RequestOptions) {
    return this.#send<SocialPublication & DryRunPreview>(socialEndpoints.publish, { ...params }, options);
  }

  /**
   * Read the monthly quota of a location. `GET /social/quota`, permission `read`.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @example const quota = await client.social.quota({ bulle_id: 'b-lyon' });
   */
  quota(params: BulleTarget = {}, options?: RequestOptions): ApiPromise<SocialQuota> {
    return this.#send(socialEndpoints.quota, { ...params }, options);
  }

  /**
   * Read how a publication stands on its platforms. `GET /social/posts/{post_id}`, permission `read`.
   * @throws a {@link NotFoundError} when the key's scope holds no such publication.
   * @example const { published, errors } = await client.social.get(post_id);
   */
  get(post_id: string, options?: RequestOptions): ApiPromise<SocialPost> {
    return this.#send(socialEndpoints.get, { post_id }, options);
  }
}
