import type { Post } from 'multilocal';
import type { Action } from './actions.js';
import { type Digests, differences, digestsOf } from './digests.js';
import type { Entry, Sent } from './journal-content.js';
import { likenessOf } from './likeness.js';
import { refusal } from './sentences.js';
import { isOut, platformsIn, platformsOf } from './shown.js';
import type { Sides, Step } from './sides.js';
import { whenWritten } from './words.js';

/** The posts that the keys of a plan have made, by id. */
export function ownIds({ plan, recorded }: Pick<Sides, 'plan' | 'recorded'>): ReadonlySet<string> {
  return new Set(plan.actions.flatMap(({ key }) => recorded.get(key)?.made?.ids ?? []).map(String));
}

/** Refuses a post that is there already, under whatever key, and of whatever maker. Two equal actions of one plan are meant. */
export function twinOf(action: Action, sides: Sides): Step | undefined {
  const { plan, recorded, there, now } = sides;
  const place = String(action.params.bulle_id ?? '');
  const posts = there.posts.get(place);
  if (!posts) return { do: 'read', reading: { what: 'posts', place } };
  const digests = digestsOf(action);
  const [twin, ...more] = [...posts.values()].filter((post) => {
    return likenessOf(post, digests, now) === 'twin' ? !isMeant(post, action, sides) : isSameOf(post, action, sides);
  });
  // A killed run may have made some of the twins: its lost actions are looked up by themselves.
  const lost = plan.actions.filter(({ key }) => key !== action.key && mayHaveMade(recorded.get(key), digests));
  if (!twin || lost.length > more.length) return undefined;
  const [key, entry] =
    [...recorded].find(([, { made }]) => made?.ids?.some((id) => String(id) === String(twin.id))) ?? [];
  const maker = entry?.plan === plan.name ? undefined : entry?.plan;
  return refusal('twin', { ids: [twin.id], plan: maker, key });
}

/** A post of a key of the plan is meant if the key wants it, or if a correction takes it away. What is out stays what it is. */
function isMeant(post: Post, action: Action, { plan, recorded, there, now }: Sides): boolean {
  const latest = there.clock?.latest ?? now;
  return plan.actions.some((each) => {
    const isOfKey = recorded.get(each.key)?.made?.ids?.some((id) => String(id) === String(post.id));
    if (!isOfKey) return false;
    return each.key === action.key || !isOut(post, latest) || likenessOf(post, digestsOf(each), now) === 'twin';
  });
}

/** A post that another key made for the same action is the same one, although a retry gave it another minute. */
function isSameOf(post: Post, action: Action, { plan, recorded }: Sides): boolean {
  if (whenWritten(action.params) === undefined) return false;
  const shared = platformsOf(digestsOf(action)).filter((name) => !platformsIn(post, 'failed').includes(name));
  if (!shared.some((name) => (post.platforms as string[]).includes(name))) return false;
  const own = new Set(plan.actions.map(({ key }) => key));
  return [...recorded].some(([key, { made }]) => {
    return !own.has(key) && made?.hash === action.hash && made.ids?.some((id) => String(id) === String(post.id));
  });
}

function mayHaveMade(entry: Entry | undefined, digests: Digests): boolean {
  const { change, digests: own }: Partial<Sent> = entry?.sent ?? {};
  return entry?.sent !== undefined && change === undefined && differences(own, digests).length === 0;
}
