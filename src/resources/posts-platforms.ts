import { PLATFORMS } from '../core/parameters.js';
import type { Schema } from '../core/schema.js';
import type { Timestamp } from '../core/types.js';

/** When a post is to go out, by platform. */
export interface ScheduledDates {
  /** ISO 8601: when it is to go out on Instagram; `null` when it does not go there. */
  scheduled_instagram?: string | null;
  /** ISO 8601: when it is to go out on Facebook; `null` when it does not go there. */
  scheduled_facebook?: string | null;
  /** ISO 8601: when it is to go out on the Google listing; `null` when it does not go there. */
  scheduled_gmb?: string | null;
  /** ISO 8601: when it is to go out on LinkedIn; `null` when it does not go there. */
  scheduled_linkedin?: string | null;
  /** ISO 8601: when it is to go out on Pinterest; `null` when it does not go there. */
  scheduled_pinterest?: string | null;
  /** ISO 8601: when it is to go out on TikTok; `null` when it does not go there. */
  scheduled_tiktok?: string | null;
  /** ISO 8601: when it is to go out on Snapchat; `null` when it does not go there. */
  scheduled_snapchat?: string | null;
  /** ISO 8601: when it is to go out on YouTube; `null` when it does not go there. */
  scheduled_youtube?: string | null;
}

/** When a post went out, by platform. */
export interface PublishedDates {
  /** ISO 8601: when it went out on Instagram; `null` before, and when it does not go there. */
  published_instagram?: string | null;
  /** ISO 8601: when it went out on Facebook; `null` before, and when it does not go there. */
  published_facebook?: string | null;
  /** ISO 8601: when it went out on the Google listing; `null` before, and when it does not go there. */
  published_gmb?: string | null;
  /** ISO 8601: when it went out on LinkedIn; `null` before, and when it does not go there. */
  published_linkedin?: string | null;
  /** ISO 8601: when it went out on Pinterest; `null` before, and when it does not go there. */
  published_pinterest?: string | null;
  /** ISO 8601: when it went out on TikTok; `null` before, and when it does not go there. */
  published_tiktok?: string | null;
  /** ISO 8601: when it went out on Snapchat; `null` before, and when it does not go there. */
  published_snapchat?: string | null;
  /** ISO 8601: when it went out on YouTube; `null` before, and when it does not go there. */
  published_youtube?: string | null;
}

/** Why a post did not go out, by platform. */
export interface PublicationErrors {
  /** What went wrong on Instagram; `null` when nothing did. */
  error_instagram?: string | null;
  /** What went wrong on Facebook; `null` when nothing did. */
  error_facebook?: string | null;
  /** What went wrong on the Google listing; `null` when nothing did. */
  error_gmb?: string | null;
  /** What went wrong on LinkedIn; `null` when nothing did. */
  error_linkedin?: string | null;
  /** What went wrong on Pinterest; `null` when nothing did. */
  error_pinterest?: string | null;
  /** What went wrong on TikTok; `null` when nothing did. */
  error_tiktok?: string | null;
  /** What went wrong on Snapchat; `null` when nothing did. */
  error_snapchat?: string | null;
  /** What went wrong on YouTube; `null` when nothing did. */
  error_youtube?: string | null;
}

/** When a new post is to go out on single platforms, in place of `scheduled_at`. */
export interface PlatformSchedule {
  /** A future moment for Instagram, with `Z` or an offset. */
  scheduled_instagram?: Timestamp | undefined;
  /** A future moment for Facebook, with `Z` or an offset. */
  scheduled_facebook?: Timestamp | undefined;
  /** A future moment for the Google listing, with `Z` or an offset. */
  scheduled_gmb?: Timestamp | undefined;
  /** A future moment for LinkedIn, with `Z` or an offset. */
  scheduled_linkedin?: Timestamp | undefined;
  /** A future moment for Pinterest, with `Z` or an offset. */
  scheduled_pinterest?: Timestamp | undefined;
  /** A future moment for TikTok, with `Z` or an offset. */
  scheduled_tiktok?: Timestamp | undefined;
  /** A future moment for Snapchat, with `Z` or an offset. */
  scheduled_snapchat?: Timestamp | undefined;
  /** A future moment for YouTube, with `Z` or an offset. */
  scheduled_youtube?: Timestamp | undefined;
}

/** @internal A field for each platform: `scheduled_facebook` … */
// @__NO_SIDE_EFFECTS__
export function perPlatform<Prefix extends string, S extends Schema>(prefix: Prefix, schema: S) {
  const fields = PLATFORMS.map((platform) => [`${prefix}_${platform}`, schema]);
  return Object.fromEntries(fields) as { [Name in `${Prefix}_${(typeof PLATFORMS)[number]}`]: S };
}

/** How a post stands on one platform. */
export interface PlatformStatus {
  /** ISO 8601: when it is to go out; `null` when that is not known. */
  scheduled: string | null;
  /** ISO 8601: when it went out; `null` before. */
  published: string | null;
  /** What went wrong; `null` when nothing did. */
  error: string | null;
  /** The service's reference of the publication, as it came; `null` before. */
  ref: unknown;
}

/**
 * Gather the flat `scheduled_<platform>`, `published_<platform>` and `error_<platform>` fields of a post by platform.
 *
 * A platform is there when the post goes to it, or when one of its fields is filled; platforms that this version does
 * not know are included.
 * @example
 * for (const [platform, { published, error }] of Object.entries(postStatusByPlatform(post))) {
 *   console.log(platform, published ?? error ?? 'to come');
 * }
 */
export function postStatusByPlatform(post: {
  platforms: readonly string[];
  platform_refs?: Readonly<Record<string, unknown>> | null;
}): Record<string, PlatformStatus> {
  const fields = new Map<string, unknown>(Object.entries(post));
  const refs = new Map<string, unknown>(Object.entries(post.platform_refs ?? {}));
  const date = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : null;
  };
  const statuses = new Map<string, PlatformStatus>();
  for (const platform of new Set([...post.platforms, ...refs.keys(), ...namedIn(fields)])) {
    const status = {
      scheduled: date(`scheduled_${platform}`),
      published: date(`published_${platform}`),
      error: date(`error_${platform}`),
      ref: refs.get(platform) ?? null,
    };
    const isConcerned = post.platforms.includes(platform) || Object.values(status).some((value) => value !== null);
    if (isConcerned) statuses.set(platform, status);
  }
  return Object.fromEntries(statuses);
}

/** The platforms whose fields a post has. Only a name with all three is one: `scheduled_at` belongs to none. */
function namedIn(fields: ReadonlyMap<string, unknown>): string[] {
  return [...fields.keys()]
    .filter((name) => name.startsWith('scheduled_'))
    .map((name) => name.slice('scheduled_'.length))
    .filter((name) => fields.has(`published_${name}`) && fields.has(`error_${name}`));
}
