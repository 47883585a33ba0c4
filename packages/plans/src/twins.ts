import type { Post } from 'multilocal';
import type { Action } from './actions.js';
import { type Digests, differences, digestsOf } from './digests.js';
import type { Entry, Made, Sent } from './journal-content.js';
import { likenessOf, recordedLikeness } from './likeness.js';
import { refusal } from './problems.js';
import { DUE_WITHIN, firstMomentOf, isOut, isPending, platformsIn, platformsOf } from './shown.js';
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
    return likenessOf(post, digests, now) === 'twin' && !isMeant(post, action, sides);
  });
  // A killed run may have made some of the twins: its lost actions are looked up by themselves.
  const lost = plan.actions.filter(({ key }) => key !== action.key && mayHaveMade(recorded.get(key), digests));
  if (!twin || lost.length > more.length) return hadCome(action, sides);
  const [key, entry] =
    [...recorded].find(([, { made }]) => made?.ids?.some((id) => String(id) === String(twin.id))) ?? [];
  return refusal('twin', { ids: [twin.id], plan: otherPlan(entry, sides), key });
}

/** The other plan that has made an entry. */
function otherPlan(entry: Entry | undefined, { plan }: Sides): string | undefined {
  return entry?.plan === plan.name ? undefined : entry?.plan;
}

/** The keys that the plan does not have (any more). */
function othersOf({ plan, recorded }: Sides): (readonly [string, Entry])[] {
  const own = new Set(plan.actions.map(({ key }) => key));
  return [...recorded].filter(([key]) => !own.has(key));
}

/** What another key made of the same row, and what cannot be corrected any more: it is online, or gone after its moment. */
function hadCome(action: Action, sides: Sides): Step | undefined {
  const { plan, recorded, there, now } = sides;
  if (whenWritten(action.params) === undefined) return undefined;
  // What this key has made itself, even if it is gone, is no other version of what another key made.
  const isNew = !recorded.has(action.key);
  const posts = there.posts.get(String(action.params.bulle_id ?? ''));
  const digests = digestsOf(action);
  const wanted = platformsOf(digests);
  for (const [key, entry] of othersOf(sides)) {
    const like = entry.made && recordedLikeness(entry.made, digests, now);
    const ids = entry.made?.ids ?? [];
    // A person may have settled that it was online. Then it has no id.
    const isSeen = ids.length > 0 || wanted.some((platform) => entry.online?.includes(platform));
    if (!like || !isSeen || (like === 'near' && !(isNew && entry.plan === plan.name))) continue;
    const own = ids.flatMap((id) => posts?.get(String(id)) ?? []);
    // A retry, or a person, may have given it another minute.
    const twin = own.find((post) => wanted.some((name) => isOnOrTo(post, name)));
    if (twin && like === 'twin') return refusal('twin', { ids: [twin.id], plan: otherPlan(entry, sides), key });
    // What is still to appear somewhere is a left-over.
    if (own.some(isPending)) continue;
    const out = own.find((post) => platformsIn(post, 'online').some((platform) => wanted.includes(platform)));
    if (out || ids.length === 0) return refusal('already_online', { ids: out && [out.id], where: 'other key', key });
    if (own.length > 0 || firstMomentOf(entry.made as Made) > (there.clock?.latest ?? now) + DUE_WITHIN) continue;
    return refusal('may_be_online', { ids, online: entry.online ?? [], key });
  }
  return undefined;
}

/** Whether a post is on a platform, or is still to appear there. */
function isOnOrTo(post: Post, platform: string): boolean {
  return (post.platforms as string[]).includes(platform) && !platformsIn(post, 'failed').includes(platform);
}

/** A social publication is in no list, so only the journal knows whether another key has made it, or may have. */
export function publishedBefore(action: Action, sides: Sides): Step | undefined {
  const digests = digestsOf(action);
  const found = othersOf(sides).find(([, { operation, made, sent }]) => {
    const begun = made ?? (sent && { ...sent, at: sent.service_time });
    return operation === action.operation && begun && recordedLikeness(begun, digests, sides.now) === 'twin';
  });
  if (!found) return undefined;
  const [key, entry] = found;
  if (!entry.made) return refusal('unknown_outcome', { other: key });
  // Without a moment, it is no left-over that could be taken over.
  const isTimed = digests.scheduled_at !== undefined;
  return refusal('twin', { ids: entry.made.ids, plan: otherPlan(entry, sides), ...(isTimed && { key }) });
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

function mayHaveMade(entry: Entry | undefined, digests: Digests): boolean {
  const { change, digests: own }: Partial<Sent> = entry?.sent ?? {};
  return entry?.sent !== undefined && change === undefined && differences(own, digests).length === 0;
}
