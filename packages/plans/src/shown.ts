import type { Article, Post, SocialPost } from 'multilocal';
import { postStatusByPlatform } from 'multilocal/internal/posts-platforms';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import { type Digests, digestOf } from './digests.js';
import type { Made } from './journal-content.js';

export const HOUR = 3_600_000;
/** The most that the service shows on a page of posts, reviews or reports. */
export const PAGE = 100;
/** Pages of the reviews of a listing that are searched for those of a plan. */
export const MOST_PAGES = 10;

/** What an action has made, as the service shows it. */
export type Thing = Post | Article;

/**
 * - `open`: it was not carried out, or its parameters have changed since.
 * - `scheduled`: the service has it, and it is not online yet.
 * - `publishing`: its time has come, and the service does not show a result yet.
 * - `online`: it is online.
 * - `done`: it happened, and nothing of it is to be seen online: a QR code, a deletion, or a post that another action has deleted.
 * - `failed`: a platform has refused it.
 * - `gone`: it was made, and the service no longer has it.
 * - `unknown`: the response was lost, and it is not known yet what happened.
 */
export type PlanState = 'open' | 'scheduled' | 'publishing' | 'online' | 'done' | 'failed' | 'gone' | 'unknown';

/** What became of an action on one platform. */
export interface PlatformState {
  /** What became of the post on this platform. */
  readonly state: PlanState;
  /** When it was published, or is due. ISO 8601. */
  readonly at?: string;
  /** The message of the platform. */
  readonly error?: string;
  /** Where it is, if the reference of the platform is a web address. */
  readonly link?: string;
}

/** What a post shows, as a whole and by platform. */
export interface Shown {
  readonly state: PlanState;
  readonly platforms: Readonly<Record<string, PlatformState>>;
}

/** The platforms of a post with their dates. Where the service names those that failed, the status of the post is not that of the others. */
export function datesOf(post: Post) {
  const dates = Object.entries(postStatusByPlatform(post));
  const isNamed = post.status === 'error' && dates.some(([, own]) => own?.error && !own.published);
  return dates.map(([name, own]) => ({ name, ...own, status: isNamed ? 'pending' : post.status }));
}

/** What a post shows on each of its platforms. `now`: in ms. The status of the whole post counts alone if the service names no platform. */
export function shownOf(post: Post, now: number): Shown {
  const platforms = datesOf(post).map(({ name, status, ...own }) => [name, stateOf(own, status, now)] as const);
  const states = platforms.length > 0 ? platforms.map(([, { state }]) => state) : [stateOf({}, post.status, now).state];
  return { state: worst(states), platforms: Object.fromEntries(platforms) };
}

/** A social publication as a post, so that both are looked at alike. */
export function asPost({ post_id, scheduled, published, errors, ...rest }: SocialPost): Post {
  const dates = rest.platforms.map((name) => ({
    [`scheduled_${name}`]: scheduled?.[name] ?? null,
    [`published_${name}`]: published?.[name] ?? null,
    [`error_${name}`]: errors?.[name] ?? null,
  }));
  return Object.assign({ ...rest, id: post_id } as unknown as Post, ...dates);
}

type Dates = { readonly [Name in 'scheduled' | 'published' | 'error']?: string | null | undefined } & {
  readonly ref?: unknown;
};

function stateOf(
  { scheduled = null, published = null, error, ref }: Dates,
  status: string,
  now: number,
): PlatformState {
  const due = parseTimestamp(scheduled)?.getTime();
  const at = published ?? scheduled;
  const link = typeof ref === 'string' && /^https?:\/\//i.test(ref) && { link: ref };
  const where = { ...(at !== null && { at }), ...link };
  if (published !== null) return { state: 'online', ...where };
  if (error || status === 'error') return { state: 'failed', ...where, ...(error && { error }) };
  if (status === 'published') return { state: 'online', ...where };
  return { state: status === 'publishing' || (due !== undefined && due <= now) ? 'publishing' : 'scheduled', ...where };
}

const BY_WEIGHT: readonly PlanState[] = ['failed', 'gone', 'unknown', 'open', 'publishing', 'scheduled'];

/** The state of several together: the one that a person must look at first. */
export function worst(states: readonly PlanState[]): PlanState {
  return BY_WEIGHT.find((state) => states.includes(state)) ?? 'online';
}

/** What is online, or about to be. */
export const ONLINE: readonly unknown[] = ['published', 'publishing'];
export const PENDING: readonly unknown[] = ['pending', 'scheduled', 'error'];

/** What is due within this time counts as online: a correction could arrive after the platforms have it. */
export const DUE_WITHIN = 2 * 60_000;

/** Whether nothing may change or delete a thing any more: it is online, on one platform is enough, or about to be. */
export function isOut(thing: Thing, latest: number): boolean {
  if (!('platforms' in thing)) return ONLINE.includes(thing.status);
  return !PENDING.includes(thing.status) || Object.values(shownOf(thing, latest + DUE_WITHIN).platforms).some(isOn);
}

function isOn({ state }: PlatformState): boolean {
  return state === 'online' || state === 'publishing';
}

/** Whether a post will still appear on a platform. A service may list what is not pending. */
export function isPending(post: Post): boolean {
  const { state, platforms } = shownOf(post, Number.NEGATIVE_INFINITY);
  const states = Object.values(platforms).map((one) => one.state);
  return PENDING.includes(post.status) && [...states, ...(states.length === 0 ? [state] : [])].includes('scheduled');
}

/** The platforms on which a post is in a state. */
export function platformsIn(post: Post, wanted: PlanState): string[] {
  return Object.entries(shownOf(post, Number.NEGATIVE_INFINITY).platforms).flatMap(([name, { state }]) =>
    state === wanted ? name : [],
  );
}

/** A platform that has refused a post, and why. */
export type Failure = { readonly platform: string; readonly error?: string | null | undefined };

/** The platforms that have refused a post. `all`: those that it has if the service names none. */
export function failedOn(post: Post, all: readonly string[]): Failure[] {
  const { state: whole, platforms } = shownOf(post, Number.NEGATIVE_INFINITY);
  if (whole === 'failed' && Object.keys(platforms).length === 0) return all.map((platform) => ({ platform }));
  return Object.entries(platforms).flatMap(([platform, { state, error }]) =>
    state === 'failed' ? { platform, error } : [],
  );
}

/** The platforms of an action. */
export function platformsOf({ platforms = '' }: Digests): string[] {
  return platforms.split(',').filter(Boolean);
}

/** The moment of an action on a platform, as its digests have it. */
export function dateOn(digests: Digests, platform: string): string | undefined {
  return digests[`scheduled_${platform}`] ?? digests.scheduled_at;
}

/** When something was due first, in ms. Without a moment, the service takes one hour after it was made. */
export function firstMomentOf({ digests = {}, at }: Pick<Made, 'digests' | 'at'>): number {
  const moments = platformsOf(digests).map((platform) => timeOf(dateOn(digests, platform)));
  const made = Date.parse(at) + (digests.publish_now === 'true' ? 0 : HOUR);
  const all = moments.map((moment) => (Number.isNaN(moment) ? made : moment));
  return Math.min(...(all.length > 0 ? all : [made]));
}

/** A date of the service in ms. `NaN` if it is none, which is near to no other. */
export function timeOf(date: unknown): number {
  return parseTimestamp(String(date))?.getTime() ?? Number.NaN;
}

/** Whether a post is on the platforms of an action, and on no other. */
export function isOnPlatforms({ platforms }: Post, digests: Digests): boolean {
  const wanted = platformsOf(digests);
  // A response may name a platform twice. The schemas allow that to no plan.
  const shown = new Set<string>(platforms);
  return shown.size === wanted.length && wanted.every((platform) => shown.has(platform));
}

/** Whether a post has the moments of an action. Services may drop the fractions of seconds. */
export function isScheduled(post: Post, digests: Digests): boolean {
  return platformsOf(digests).every((platform) => {
    const date = dateOn(digests, platform);
    return date === undefined || Math.abs(timeOf(date) - timeOf(Reflect.get(post, `scheduled_${platform}`))) < 1_000;
  });
}

/** Whether a post has the text and the moments of an action. */
export function hasTextAndMoments(thing: unknown, digests: Digests = {}): boolean {
  const { content } = Object(thing) as Partial<Post>;
  return typeof content === 'string' && digestOf(content) === digests.content && isScheduled(thing as Post, digests);
}
