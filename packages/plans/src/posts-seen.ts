import type { Post } from 'multilocal';
import { type Action, at, type PlanProblem } from './actions.js';
import { digestOf, digestsOf } from './digests.js';
import type { Entry } from './journal-content.js';
import { likenessOf } from './likeness.js';
import { fieldOf } from './made.js';
import { type HandChange, problemOf } from './sentences.js';
import { dateOn, isOut, platformsIn, platformsOf, timeOf } from './shown.js';
import type { Sides } from './sides.js';
import { ownIds } from './twins.js';
import { localMoment, whenWritten } from './words.js';

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

/** What somebody has changed by hand of a post that a plan has made: its text, or a moment. */
export function handChanges(action: Action, entry: Entry | undefined, post: Post): HandChange[] {
  const { digests } = entry?.made ?? {};
  if (!digests || entry?.sent) return [];
  const found: HandChange[] = [];
  if (digests.content !== undefined && digestOf(post.content) !== digests.content) {
    const wanted = fieldOf(action, 'content');
    found.push({ field: 'content', there: post.content ?? '', wanted: `${wanted ?? ''}` });
  }
  const moment = (date: number) => localMoment(new Date(date), whenWritten(action.params));
  for (const platform of platformsIn(post, 'scheduled')) {
    const now = timeOf(Reflect.get(post, `scheduled_${platform}`));
    if (!(Math.abs(now - timeOf(dateOn(digests, platform))) >= MINUTE)) continue;
    const wanted = timeOf(dateOn(digestsOf(action), platform));
    const plan = Number.isNaN(wanted) ? undefined : moment(wanted);
    return [...found, { field: 'scheduled_at', there: moment(now), wanted: plan, platform }];
  }
  return found;
}

/** Warns about what somebody has changed by hand. */
export function changedByHand(action: Action, entry: Entry | undefined, posts: readonly Post[]): PlanProblem[] {
  return posts.flatMap((post) => {
    const changes = handChanges(action, entry, post);
    return changes.length === 0 ? [] : [problemOf('changed_by_hand', { id: post.id, changes }, at(action))];
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
    return [problemOf('same_account', { platform, id: found.id }, at(action, 'platforms'))];
  });
}
