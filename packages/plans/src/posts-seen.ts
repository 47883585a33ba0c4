import type { Post } from 'multilocal';
import { type Action, at, type PlanProblem } from './actions.js';
import { digest, digestOf, digestsOf } from './digests.js';
import type { Entry } from './journal-content.js';
import { likenessOf } from './likeness.js';
import { fieldOf } from './made.js';
import { dateOn, platformsIn, platformsOf, timeOf } from './shown.js';
import type { Sides } from './sides.js';
import { ownIds } from './twins.js';
import { localMoment, platformName, whenWritten } from './words.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The posts of an entry, as far as they were read. */
export function postsOf(
  action: Pick<Action, 'params'>,
  entry: Entry | undefined,
  { posts, things }: Sides['there'],
): Post[] {
  const list = posts.get(String(action.params.bulle_id ?? ''));
  return (entry?.made?.ids ?? []).flatMap((id) => {
    const thing = things.get(`post ${id}`) ?? list?.get(String(id));
    return thing && thing !== 'gone' && 'platforms' in thing ? thing : [];
  });
}

/** The platforms on which a key was seen online, if they are more than the journal knows. */
export function newlyOnline(entry: Entry | undefined, posts: readonly Post[]): string[] | undefined {
  const known = entry?.online ?? [];
  const all = new Set([...known, ...posts.flatMap((post) => platformsIn(post, 'online'))]);
  return all.size > known.length ? [...all] : undefined;
}

const MEDIA = ['image_url', 'image_urls', 'video_url'] as const;

/** A field that somebody has changed in the service since a plan made the post. */
interface HandChange {
  readonly field: 'content' | 'scheduled_at' | 'platforms' | (typeof MEDIA)[number];
  /** What is there, and what is wanted. */
  readonly words: string;
}

/** What somebody has changed by hand of a post that a plan has made: its text, its pictures, its platforms, or a moment. */
export function handChanges(action: Action, entry: Entry | undefined, post: Post): HandChange[] {
  const { digests, doubt } = entry?.made ?? {};
  if (!digests || doubt || entry?.sent) return [];
  const found: HandChange[] = [];
  if (digests.content !== undefined && digestOf(post.content) !== digests.content) {
    const words = `the text "${post.content}", and the plan wants "${fieldOf(action, 'content') ?? ''}"`;
    found.push({ field: 'content', words });
  }
  // A service may fill in the first of several pictures.
  const hasMedia = MEDIA.some((field) => digests[field] !== undefined);
  for (const field of MEDIA) {
    const shown: unknown = post[field] ?? undefined;
    const is = shown === undefined ? undefined : digest(field, shown);
    if (is === digests[field] || (hasMedia && digests[field] === undefined)) continue;
    const words = `${shown ?? 'nothing'} as ${field}, and the plan wants ${fieldOf(action, field) ?? 'nothing'}`;
    found.push({ field, words });
  }
  const listed = (names: readonly string[]) => names.map(platformName).join(', ') || 'no platform';
  const own = platformsOf(digests).filter((name) => !entry?.online?.includes(name));
  const isAlone = entry?.made?.ids?.length === 1;
  const others = post.platforms.filter((name) => !platformsOf(digests).includes(name));
  if (isAlone && (others.length > 0 || own.some((name) => !(post.platforms as string[]).includes(name)))) {
    const words = `the platforms ${listed(post.platforms)}, and the plan wants ${listed(platformsOf(digestsOf(action)))}`;
    found.push({ field: 'platforms', words });
  }
  const moment = (date: number) => localMoment(new Date(date), whenWritten(action.params));
  for (const platform of platformsIn(post, 'scheduled')) {
    const now = timeOf(Reflect.get(post, `scheduled_${platform}`));
    if (!(Math.abs(now - timeOf(dateOn(digests, platform))) >= MINUTE)) continue;
    const wanted = timeOf(dateOn(digestsOf(action), platform));
    const plan = Number.isNaN(wanted) ? 'no moment' : moment(wanted);
    const words = `${moment(now)} on ${platformName(platform)}, and the plan wants ${plan}`;
    return [...found, { field: 'scheduled_at', words }];
  }
  return found;
}

/** Warns about what somebody has changed by hand. */
export function changedByHand(action: Action, entry: Entry | undefined, posts: readonly Post[]): PlanProblem[] {
  return posts.flatMap((post) => {
    const found = handChanges(action, entry, post).map(({ words }) => words);
    if (found.length === 0) return [];
    const message = `Somebody has changed the post (id ${post.id}) in the service since it was made: it now has ${found.join('; it has ')}.`;
    return [{ code: 'changed_by_hand', message, path: at(action) }];
  });
}

/** Warns about posts on the same account within an hour, and about the same text within a day. The plan warns of its own ones itself. */
export function near(action: Action, sides: Sides): PlanProblem[] {
  const { there, now } = sides;
  const posts = [...(there.posts.get(String(action.params.bulle_id ?? ''))?.values() ?? [])];
  if (posts.length === 0) return [];
  const own = ownIds(sides);
  const others = posts.filter((post) => !own.has(String(post.id)) && post.status !== 'error');
  const digests = digestsOf(action);
  return platformsOf(digests).flatMap((platform) => {
    const due = timeOf(dateOn(digests, platform));
    const isWithin = (post: Post, time: number) => {
      const dates = [Reflect.get(post, `scheduled_${platform}`), Reflect.get(post, `published_${platform}`)];
      return dates.some((date) => Math.abs(timeOf(date) - due) < time) && likenessOf(post, digests, now) !== 'twin';
    };
    // A row that was moved after its post was online, or under another name, has the same text.
    const same = others.find((post) => digestOf(post.content) === digests.content && isWithin(post, DAY));
    const found = same ?? others.find((post) => isWithin(post, HOUR));
    if (!found) return [];
    const what = same ? 'the same text within a day' : 'another post on the same account within an hour';
    const message = `${platform}: the service has ${what} (id ${found.id}).`;
    return [{ code: 'same_account', message, path: at(action, 'platforms') }];
  });
}
