import { codePoints } from '../core/schema.js';
import { DAY, parseTimestamp } from '../core/timestamps.js';
import type { Platform } from '../core/types.js';
import type { Connection } from './connections-schema.js';
import type { PlatformLimits } from './platforms-schema.js';
import type { PostCreateParams } from './posts-schema.js';
import { perSession, SharedReads } from './shared.js';

/** A reason why a post would fail on one platform. */
export interface PostIssue {
  /** The platform where the post would fail. */
  platform: Platform;
  /**
   * - `not_connected`: the location has no connected account on the platform.
   * - `needs_reconnect`: the owner must connect the account again.
   * - `expired`: the access to the account has expired.
   * - `text_too_long`: the text has more characters than the platform allows.
   * - `too_few_images`, `too_many_images`: the carousel has fewer or more images than the platform allows.
   * - `media_too_large`: the file is larger than the platform allows. Only data URIs are checked.
   */
  code:
    | 'not_connected'
    | 'needs_reconnect'
    | 'expired'
    | 'text_too_long'
    | 'too_few_images'
    | 'too_many_images'
    | 'media_too_large';
  /** English text for people. It may change between versions, so compare `code` instead. */
  message: string;
}

/** The result of `posts.check`. */
export interface PostCheck {
  /** `true` if `issues` is empty. */
  ok: boolean;
  /** The issues found, in the order of `platforms`. */
  issues: PostIssue[];
}

/** The cached reads of `posts.check`, which a client and its views share. */
export const memoryOf = perSession(() => ({
  connections: new SharedReads<Connection[]>(),
  limits: new SharedReads<PlatformLimits>(),
}));

/** Milliseconds for which accounts are cached, because they may be connected at any time. */
export const ACCOUNTS_AGE = 60_000;
/** Milliseconds for which limits are cached. */
export const LIMITS_AGE = DAY;

/** The limits that the service returned. Some may be missing. */
type SomeLimits = Partial<PlatformLimits>;

type Finding = readonly [code: PostIssue['code'], message: string];

/**
 * Compares a post with the accounts of its location and the limits. `now` is in ms since 1970. `nameOf` names a platform in
 * messages.
 */
export function findIssues(
  params: PostCreateParams,
  connections: readonly Connection[],
  limits: SomeLimits,
  now: number,
  nameOf: (platform: string) => string = String,
): PostIssue[] {
  // What comes from `extra` may have any type.
  return [params.platforms].flat().flatMap((platform) => {
    const accounts = connections.filter((connection) => connection.platform === platform);
    // If a location has several accounts on a platform, the one with the fewest issues counts.
    const [least = [['not_connected', 'no account is connected']]] = accounts
      .map((account) => accountFindings(account, now))
      .sort((a, b) => a.length - b.length);
    const findings = [...least, ...textFindings(params, platform, limits), ...mediaFindings(params, platform, limits)];
    return findings.map(([code, message]) => ({ platform, code, message: `${nameOf(platform)}: ${message}` }));
  });
}

function accountFindings({ connected, needs_reconnect, expires_at, name }: Connection, now: number): Finding[] {
  const account = `the account${name ? ` ${name}` : ''}`;
  const findings: Finding[] = [];
  if (!connected) findings.push(['not_connected', `${account} is not connected`]);
  if (needs_reconnect) findings.push(['needs_reconnect', `${account} must be connected again`]);
  const end = parseTimestamp(expires_at);
  if (end && end.getTime() <= now) findings.push(['expired', `${account} expired at ${end.toISOString()}`]);
  return findings;
}

function textFindings(params: PostCreateParams, platform: string, { character_limits }: SomeLimits): Finding[] {
  const own = params.content_per_platform?.[platform];
  const length = codePoints(typeof own === 'string' ? own : `${params.content ?? params.text ?? ''}`);
  const limit = character_limits?.[platform] ?? length;
  return length > limit ? [['text_too_long', `${length} characters, but at most ${limit} are allowed`]] : [];
}

function mediaFindings(params: PostCreateParams, platform: string, limits: SomeLimits): Finding[] {
  const { image_url, image_urls, video_url } = params;
  const images = limits.image_limits?.[platform];
  const carousel = [image_urls ?? []].flat();
  const { length } = carousel;
  const findings: Finding[] = [];
  if (images && length > 0) {
    const { carousel_min, carousel_max } = images;
    const least = carousel_min ?? 0;
    // Two nulls are taken for a platform without carousels, and one for no limit.
    const limit = carousel_max ?? (carousel_min === null && carousel_max === null ? 0 : length);
    if (length < least) findings.push(['too_few_images', `${length} images, but at least ${least} are needed`]);
    if (length > limit) findings.push(['too_many_images', `${length} images, but at most ${limit} are allowed`]);
  }
  const isImageLarge = [image_url, ...carousel].some((url) => isLarger(url, images?.max_size_mb));
  if (isImageLarge || isLarger(video_url, limits.video_limits?.[platform]?.max_size_mb)) {
    const what = isImageLarge ? 'an image' : 'the video';
    findings.push(['media_too_large', `${what} is too large for the platform`]);
  }
  return findings;
}

/**
 * Only the size of a base64 data URI is known. Other addresses are not requested, because they may belong to anyone.
 */
function isLarger(url = '', megabytes = Infinity): boolean {
  const [, base64 = ''] = /^data:[^,]*;base64,([^=]*)/.exec(url) ?? [];
  return Math.floor((base64.length * 3) / 4) > megabytes * 2 ** 20;
}
