import type { Post } from 'multilocal';
import { type Digests, digestOf } from './digests.js';
import type { Made } from './journal-content.js';
import { dateOn, HOUR, platformsIn, platformsOf, timeOf } from './shown.js';

export const MINUTE = 60_000;
export const DAY = 24 * HOUR;

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

/**
 * How what another key made, or began, is like an action: the journal knows it although nothing is there any more. `twin`: the same text at
 * the same minute. `near`: the same text within half a day (later, it is one of a series), or another one at the same minute.
 */
export function recordedLikeness(
  { digests = {}, at }: Pick<Made, 'digests' | 'at'>,
  own: Digests,
  now: number,
): 'twin' | 'near' | undefined {
  const shared = platformsOf(digests).filter((platform) => platformsOf(own).includes(platform));
  if (digests.bulle_id !== own.bulle_id || shared.length === 0) return undefined;
  const between = shared.map((platform) => {
    const [date, due] = [dateOn(digests, platform), dateOn(own, platform)];
    // Without a moment, two are the same if the first one was made within a day.
    if (date === undefined && due === undefined) return Math.abs(timeOf(at) - now) < DAY ? 0 : DAY;
    return Math.abs(timeOf(date) - timeOf(due));
  });
  const isWithin = (time: number) => between.some((one) => one < time);
  if (digests.content !== own.content) return isWithin(MINUTE) ? 'near' : undefined;
  return isWithin(MINUTE) ? 'twin' : isWithin(DAY / 2) ? 'near' : undefined;
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
