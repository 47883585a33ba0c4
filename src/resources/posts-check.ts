import type { Session } from '../core/call.js';
import { codePoints } from '../core/schema.js';
import { parseTimestamp } from '../core/timestamps.js';
import type { Platform } from '../core/types.js';
import type { Connection } from './connections-schema.js';
import type { PlatformLimits } from './platforms-schema.js';
import type { PostCreateParams } from './posts-schema.js';

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

/** Gives the kept value of a key, or the one of `ask`; calls at the same time share one. */
type Memo<T> = (key: string, ask: () => Promise<T>) => Promise<T>;

/**
 * Keeps values for a while. A failure is not kept.
 * @param lifetime Milliseconds for which a value is good, from when it was asked for.
 */
function createMemo<T>(lifetime: number): Memo<T> {
  const entries = new Map<string, { value: Promise<T>; since: number }>();
  return (key, ask) => {
    const kept = entries.get(key);
    if (kept && performance.now() - kept.since < lifetime) return kept.value;
    const entry = { value: ask(), since: performance.now() };
    entries.set(key, entry);
    entry.value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.value;
  };
}

/** What a client and its views keep of the reads behind `posts.check`. */
interface CheckMemory {
  readonly connections: Memo<Connection[]>;
  readonly limits: Memo<PlatformLimits>;
}

const memories = new WeakMap<Session, CheckMemory>();

/** Limits for good, connections for a minute: somebody may be connecting an account right now. */
export function memoryOf(session: Session): CheckMemory {
  const memory = memories.get(session) ?? { connections: createMemo(60_000), limits: createMemo(Infinity) };
  memories.set(session, memory);
  return memory;
}

type Fault = readonly [code: PostIssue['code'], message: string];

/** Hold a post against what is known of the location's accounts and the platforms' limits; `now` in ms since 1970. */
export function findIssues(
  params: PostCreateParams,
  connections: readonly Connection[],
  limits: PlatformLimits,
  now: number,
): PostIssue[] {
  return params.platforms.flatMap((platform) => {
    const accounts = connections.filter((connection) => connection.platform === platform);
    // Where a location has several accounts on a platform, the one with the fewest faults counts.
    const [least = [['not_connected', 'no account is connected']]] = accounts
      .map((account) => accountFaults(account, now))
      .sort((a, b) => a.length - b.length);
    const faults = [...least, ...textFaults(params, platform, limits), ...mediaFaults(params, platform, limits)];
    return faults.map(([code, message]) => ({ platform, code, message: `${platform}: ${message}` }));
  });
}

function accountFaults({ connected, needs_reconnect, expires_at, name }: Connection, now: number): Fault[] {
  const account = `the account${name ? ` ${name}` : ''}`;
  const faults: Fault[] = [];
  if (!connected) faults.push(['not_connected', `${account} is not connected`]);
  if (needs_reconnect) faults.push(['needs_reconnect', `${account} must be connected again`]);
  const end = parseTimestamp(expires_at);
  if (end && end.getTime() <= now) faults.push(['expired', `${account} expired at ${end.toISOString()}`]);
  return faults;
}

function textFaults(params: PostCreateParams, platform: string, { character_limits }: PlatformLimits): Fault[] {
  const own = params.content_per_platform?.[platform];
  const length = codePoints(typeof own === 'string' ? own : (params.content ?? params.text ?? ''));
  const { [platform]: limit = length } = character_limits;
  return length > limit ? [['text_too_long', `${length} characters, ${limit} at most`]] : [];
}

function mediaFaults(params: PostCreateParams, platform: string, limits: PlatformLimits): Fault[] {
  const { image_url, image_urls = [], video_url } = params;
  const { [platform]: images } = limits.image_limits;
  const { length } = image_urls;
  const faults: Fault[] = [];
  if (images && length > 0) {
    const { carousel_min, carousel_max } = images;
    const least = carousel_min ?? 0;
    if (length < least) faults.push(['too_few_images', `${length} images, a carousel has ${least} at least`]);
    const most = carousel_max ? `a carousel has ${carousel_max} at most` : 'the platform has no carousel';
    if (length > (carousel_max ?? 0)) faults.push(['too_many_images', `${length} images, ${most}`]);
  }
  const isImageLarge = [image_url, ...image_urls].some((url) => isLarger(url, images?.max_size_mb));
  if (isImageLarge || isLarger(video_url, limits.video_limits[platform]?.max_size_mb)) {
    const what = isImageLarge ? 'an image' : 'the video';
    faults.push(['media_too_large', `${what} is too large for the platform`]);
  }
  return faults;
}

/** Only a data URI (base64) shows how large it is: an address would have to be asked, and it may be anybody's. */
function isLarger(url = '', megabytes = Infinity): boolean {
  const [, base64 = ''] = /^data:[^,]*;base64,([^=]*)/.exec(url) ?? [];
  return Math.floor((base64.length * 3) / 4) > megabytes * 2 ** 20;
}
