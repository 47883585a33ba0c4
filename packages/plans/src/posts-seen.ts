import type { Post } from 'multilocal';
import { type Action, at, type PlanProblem } from './actions.js';
import { digestOf, digestsOf } from './digests.js';
import type { Entry } from './journal-content.js';
import { likenessOf } from './likeness.js';
import { fieldOf } from './made.js';
import { dateOn, isOut, platformsIn, platformsOf, timeOf } from './shown.js';
import type { Sides } from './sides.js';
import { ownIds } from './twins.js';
import { localMoment, platformName, whenWritten } from './words.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

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

/** A field that somebody has changed in the service since a plan made the post. */
interface HandChange {
  readonly field: 'content' | 'scheduled_at';
  /** What is there, and what is wanted. */
  readonly words: string;
}

/** What somebody has changed by hand of a post that a plan has made: its text, or a moment. */
export function handChanges(action: Action, entry: Entry | undefined, post: Post): HandChange[] {
  const { digests } = entry?.made ?? {};
  if (!digests || entry?.sent) return [];
  const found: HandChange[] = [];
  if (digests.content !== undefined && digestOf(post.content) !== digests.content) {
    const words = `the text "${post.content}", and the plan wants "${fieldOf(action, 'content') ?? ''}"`;
    found.push({ field: 'content', words });
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

/** Warns about pending posts on the same account within an hour. The plan warns of its own ones itself. */
export function near(action: Action, sides: Sides): PlanProblem[] {
  const { there, now } = sides;
  const posts = [...(there.posts.get(String(action.params.bulle_id ?? ''))?.values() ?? [])];
  if (posts.length === 0) return [];
  const own = ownIds(sides);
  const others = posts.filter(
    (post) => !own.has(String(post.id)) && post.status !== 'error' && !isOut(post, Number.NEGATIVE_INFINITY),
  );
  const digests = digestsOf(action);
  return platformsOf(digests).flatMap((platform) => {
    const due = timeOf(dateOn(digests, platform));
    const isNear = (post: Post) => Math.abs(timeOf(Reflect.get(post, `scheduled_${platform}`)) - due) < HOUR;
    const found = others.find((post) => isNear(post) && likenessOf(post, digests, now) !== 'twin');
    if (!found) return [];
    const message = `${platform}: the service has another post (id ${found.id}) on the same account within an hour.`;
    return [{ code: 'same_account', message, path: at(action, 'platforms') }];
  });
}
