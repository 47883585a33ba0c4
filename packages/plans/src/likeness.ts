import type { Post } from 'multilocal';
import { type Digests, digestOf } from './digests.js';
import type { Made } from './journal-content.js';
import { dateOn, platformsIn, platformsOf, timeOf } from './shown.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/**
 * How a post of a location is like an action there, on a platform that both have. People change keys, names of files, moments and
 * texts, so a post is known by what it is.
 *
 * - `twin`: the same text at the same minute. It is the same post, under any key.
 * - `moved`: the same text at another minute, pending.
 * - `reworded`: another text at the same minute, pending.
 */
export type Likeness = 'twin' | 'moved' | 'reworded';

/** Says how a post is like an action. `undefined`: not at all. `now`: in ms. */
export function likenessOf(post: Post, digests: Digests, now: number): Likeness | undefined {
  const hasText = textOf(post) === digests.content;
  const shared = platformsOf(digests).filter((each) => (post.platforms as string[]).includes(each));
  const isAtOneMinute = (platform: string) => isTimed(post, digests, platform, now);
  if (!isAtOnePlace(post, digests) || !(hasText || shared.some(isAtOneMinute))) return undefined;
  // A post that a platform has refused may be published there again.
  const failed = platformsIn(post, 'failed');
  const live = shared.filter((platform) => !failed.includes(platform));
  if (hasText && live.some(isAtOneMinute)) return 'twin';
  const pending = platformsIn(post, 'scheduled').filter((platform) => live.includes(platform));
  if (hasText) return pending.length > 0 ? 'moved' : undefined;
  return pending.some((platform) => isDated(post, digests, platform)) ? 'reworded' : undefined;
}

/** Whether a post is online at the minute of an action, on a platform of both. */
export function isOnlineAt(post: Post, digests: Digests): boolean {
  const online = platformsIn(post, 'online');
  const isThere = (platform: string) => online.includes(platform) && isDated(post, digests, platform);
  return isAtOnePlace(post, digests) && platformsOf(digests).some(isThere);
}

/** Whether what was published, or was begun, is the same publication: location, text, minute, and a platform. */
export function isSamePublication({ digests = {}, at }: Pick<Made, 'digests' | 'at'>, own: Digests, now: number) {
  if (digests.content !== own.content || digests.bulle_id !== own.bulle_id) return false;
  if (!platformsOf(digests).some((platform) => platformsOf(own).includes(platform))) return false;
  const [date, due] = [digests, own].map(({ scheduled_at }) => scheduled_at);
  // Without a moment, two are the same if the first one was made within a day.
  if (date === undefined && due === undefined) return Math.abs(timeOf(at) - now) < DAY;
  return Math.abs(timeOf(date) - timeOf(due)) < MINUTE;
}

/** A large plan compares each post of a location many times. */
const texts = new WeakMap<Post, string>();

function textOf(post: Post): string {
  const text = texts.get(post) ?? digestOf(post.content);
  texts.set(post, text);
  return text;
}

/** A key of one location names no location, and lists only its own posts. */
function isAtOnePlace({ bulle_id }: Post, digests: Digests): boolean {
  return bulle_id == null || digests.bulle_id === undefined || bulle_id === digests.bulle_id;
}

function isDated(post: Post, digests: Digests, platform: string): boolean {
  const due = timeOf(dateOn(digests, platform));
  const own = [Reflect.get(post, `scheduled_${platform}`), Reflect.get(post, `published_${platform}`)];
  return own.some((date) => Math.abs(timeOf(date) - due) < MINUTE);
}

/** Without a moment, two posts are the same if the first one was made within a day. */
function isTimed(post: Post, digests: Digests, platform: string, now: number): boolean {
  if (dateOn(digests, platform) !== undefined) return isDated(post, digests, platform);
  return !(Math.abs(timeOf(post.created_at) - now) >= DAY);
}
