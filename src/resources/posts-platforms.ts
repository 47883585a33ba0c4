import type { PerPlatform, Timestamp } from '../core/types.js';

/** ISO 8601: when a post is to go out on each platform; `null` on those that it does not go to. */
export type ScheduledDates = PerPlatform<'scheduled', string | null>;

/** ISO 8601: when a post went out on each platform; `null` before, and on those that it does not go to. */
export type PublishedDates = PerPlatform<'published', string | null>;

/** What went wrong on each platform; `null` if nothing did. */
export type PublicationErrors = PerPlatform<'error', string | null>;

/** A future moment for single platforms, with `Z` or an offset, in place of `scheduled_at`. */
export type PlatformSchedule = PerPlatform<'scheduled', Timestamp | undefined>;

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
