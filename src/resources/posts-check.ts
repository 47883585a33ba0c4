import { Memo } from '../core/memo.js';
import { codePoints } from '../core/schema.js';
import { parseTimestamp } from '../core/timestamp.js';
import type { Platform } from '../core/types.js';
import type { Connection } from './connections.js';
import type { PlatformLimits } from './platforms.js';
import type { PostCreateParams } from './posts-model.js';

/** What stands in the way of a post on one platform. */
export interface PostIssue {
  /** The platform that it stands in the way of. */
  platform: Platform;
  /**
   * - `not_connected`: the location has no account there, or it is switched off.
   * - `needs_reconnect`: its owner must connect the account again.
   * - `expired`: the access to the account has run out.
   * - `text_too_long`: more characters than the platform takes.
   * - `too_few_images`, `too_many_images`: fewer or more than a carousel of the platform has.
   * - `media_too_large`: more megabytes than the platform takes; found for data URIs alone.
   */
  code:
    | 'not_connected'
    | 'needs_reconnect'
    | 'expired'
    | 'text_too_long'
    | 'too_few_images'
    | 'too_many_images'
    | 'media_too_large';
  /** For people, in English; may change. */
  message: string;
}

/** What `posts.check` found. */
export interface PostCheck {
  /** Nothing was found. */
  ok: boolean;
  /** In the order of `platforms`. */
  issues: PostIssue[];
}

/** What a client and its views keep of the reads behind `posts.check`. */
export interface CheckMemory {
  readonly connections: Memo<Connection[]>;
  readonly limits: Memo<PlatformLimits>;
}

/** Limits for good, connections for a minute: somebody may be connecting an account right now. */
export function createCheckMemory(): CheckMemory {
  return { connections: new Memo(60_000), limits: new Memo(Number.POSITIVE_INFINITY) };
}

type Fault = Pick<PostIssue, 'code' | 'message'>;

/** Hold a post against what is known of the location's accounts and the platforms' limits; `now` in ms since 1970. */
export function judge(
  params: PostCreateParams,
  connections: readonly Connection[],
  limits: PlatformLimits,
  now: number,
): PostIssue[] {
  return params.platforms.flatMap((platform) => {
    const accounts = connections.filter((connection) => connection.platform === platform);
    const faults = [
      ...accountFaults(accounts, now),
      ...textFaults(params, platform, limits),
      ...mediaFaults(params, platform, limits),
    ];
    return faults.map(({ code, message }) => ({ platform, code, message: `${platform}: ${message}` }));
  });
}

/** Where a location has several accounts on a platform, the one with the fewest faults counts. */
function accountFaults(accounts: readonly Connection[], now: number): Fault[] {
  if (accounts.length === 0) return [{ code: 'not_connected', message: 'no account is connected' }];
  const faults = accounts.map((account) => faultsOf(account, now));
  return faults.reduce((least, other) => (other.length < least.length ? other : least));
}

function faultsOf({ connected, needs_reconnect, expires_at, name }: Connection, now: number): Fault[] {
  const account = name ? `the account ${name}` : 'the account';
  const faults: Fault[] = [];
  if (!connected) faults.push({ code: 'not_connected', message: `${account} is not connected` });
  if (needs_reconnect) faults.push({ code: 'needs_reconnect', message: `${account} must be connected again` });
  const end = parseTimestamp(expires_at);
  if (end && end.getTime() <= now) {
    faults.push({ code: 'expired', message: `the access to ${account} ran out at ${end.toISOString()}` });
  }
  return faults;
}

function textFaults(params: PostCreateParams, platform: string, { character_limits }: PlatformLimits): Fault[] {
  const own = params.content_per_platform?.[platform];
  const text = typeof own === 'string' ? own : (params.content ?? params.text ?? '');
  const limit = character_limits[platform];
  const length = codePoints(text);
  if (limit === undefined || length <= limit) return [];
  return [{ code: 'text_too_long', message: `${length} characters, ${limit} at most` }];
}

function mediaFaults(params: PostCreateParams, platform: string, limits: PlatformLimits): Fault[] {
  const { image_url, image_urls = [], video_url } = params;
  const images = limits.image_limits[platform];
  const videos = limits.video_limits[platform];
  const faults: Fault[] = [];
  if (images && image_urls.length > 0) {
    const { carousel_min, carousel_max } = images;
    const count = `${image_urls.length} images`;
    if (carousel_min != null && image_urls.length < carousel_min) {
      faults.push({ code: 'too_few_images', message: `${count}, a carousel has ${carousel_min} at least` });
    }
    if (carousel_max == null) {
      faults.push({ code: 'too_many_images', message: `${count}, and the platform has no carousel` });
    } else if (image_urls.length > carousel_max) {
      faults.push({ code: 'too_many_images', message: `${count}, a carousel has ${carousel_max} at most` });
    }
  }
  const tooLarge = [
    ...[image_url, ...image_urls].filter((url) => isLarger(url, images?.max_size_mb)).map(() => 'an image'),
    ...[video_url].filter((url) => isLarger(url, videos?.max_size_mb)).map(() => 'the video'),
  ];
  if (tooLarge.length > 0) {
    faults.push({ code: 'media_too_large', message: `${tooLarge[0]} has more megabytes than the platform takes` });
  }
  return faults;
}

/** Only a data URI (base64) shows how large it is: an address would have to be asked, and it may be anybody's. */
function isLarger(url: string | undefined, megabytes: number | undefined): boolean {
  if (megabytes === undefined || !url?.startsWith('data:')) return false;
  const base64 = /^[^,]*;base64,([^=]*)/.exec(url)?.[1];
  return base64 !== undefined && Math.floor((base64.length * 3) / 4) > megabytes * 1024 * 1024;
}
