import { withoutForm } from '../core/text.js';
import { isLater, parseTimestamp } from '../core/timestamps.js';
import { millisecondsOf } from './parameters.js';
import type { Post, PostFindParams } from './posts-schema.js';

/**
 * Whether a post is the one that was asked for. A date that is missing or cannot be read excludes no post: an extra post
 * is better than a missing one. `since` is a moment of the service's clock.
 */
export function isFound(post: Post, { content, platforms, scheduled_at }: PostFindParams, since: string): boolean {
  if (isLater(since, post.created_at) === true) return false;
  if (withoutForm(post.content) !== withoutForm(content)) return false;
  if (platforms && !isSameSet(platforms, post.platforms)) return false;
  return scheduled_at === undefined || mayBeScheduled(post, millisecondsOf(scheduled_at));
}

function isSameSet(wanted: readonly string[], given: readonly string[]): boolean {
  return new Set(given).size === wanted.length && wanted.every((platform) => given.includes(platform));
}

/** Whether a known date of the post is that moment: each platform has its own. Services may drop the fractions of seconds. */
function mayBeScheduled(post: Post, at: number): boolean {
  const dates = Object.entries(post).flatMap(([name, date]) =>
    name.startsWith('scheduled_') && typeof date === 'string' ? (parseTimestamp(date) ?? []) : [],
  );
  return dates.length === 0 || dates.some((date) => Math.abs(+date - at) < 1_000);
}
