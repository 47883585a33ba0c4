import { checkBody } from '../core/response.js';
import * as s from '../core/schema.js';
import type { ByPlatform, PerPlatform, ScheduledAt } from '../core/types.js';

/**
 * ISO 8601: the date for which the post is scheduled on each platform. May be `null`, always if the post does not target
 * the platform.
 * @interface
 */
export type ScheduledDates = PerPlatform<'scheduled', string | null>;

/**
 * ISO 8601: when the post was published on each platform. May be `null`, always if the post does not target the platform.
 * @interface
 */
export type PublishedDates = PerPlatform<'published', string | null>;

/**
 * The error message of each platform. May be `null`, always if the post does not target the platform.
 * @interface
 */
export type PublicationErrors = PerPlatform<'error', string | null>;

/**
 * A date for one platform, with `Z` or an offset. It is not documented what `scheduled_at` then means for that platform.
 * @interface
 */
export type PlatformSchedule = PerPlatform<'scheduled', ScheduledAt | undefined>;

/** The status of a post on one platform. */
export interface PlatformStatus {
  /** ISO 8601: the date for which the post is scheduled. `null` if the post has none. */
  scheduled: string | null;
  /** ISO 8601: when the post was published. `null` if the post has no such date. */
  published: string | null;
  /** The error message of the platform. `null` if the post has none. */
  error: string | null;
  /** Reference of the publication, unchanged from the service. `null` if the post has none. */
  ref: unknown;
}

const needs = s.object({ platforms: s.list(s.string) });

/**
 * Groups the flat `scheduled_<platform>`, `published_<platform>` and `error_<platform>` fields of a post by platform.
 *
 * The result has every platform that the post targets or that has a value in one of its fields, including platforms
 * that this version does not know.
 * @throws an {@link InvalidResponseError} if the post lacks its platforms, which other `validation` lets through.
 * @example
 * for (const [platform, status] of Object.entries(postStatusByPlatform(post))) {
 *   console.log(platform, status?.published ?? status?.error ?? 'to come');
 * }
 */
export function postStatusByPlatform(post: {
  platforms: readonly string[];
  platform_refs?: Readonly<Record<string, unknown>> | null;
}): ByPlatform<PlatformStatus> {
  checkBody('postStatusByPlatform', needs, post);
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

/** The platforms that have fields in a post. A platform has all three fields, so `scheduled_at` does not count. */
function namedIn(fields: ReadonlyMap<string, unknown>): string[] {
  return [...fields.keys()]
    .filter((name) => name.startsWith('scheduled_'))
    .map((name) => name.slice('scheduled_'.length))
    .filter((name) => fields.has(`published_${name}`) && fields.has(`error_${name}`));
}
