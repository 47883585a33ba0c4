import type { Post } from 'multilocal';
import type { Action } from './actions.js';
import { busyUntil } from './clock.js';
import { type Digests, differences, digestOf, digestsOf } from './digests.js';
import type { Entry, Made, Sent } from './journal-content.js';
import { likenessOf, MINUTE, recordedLikeness } from './likeness.js';
import { isPost, isSocial, rowOf } from './operations.js';
import { refusal } from './problems.js';
import { DUE_WITHIN, firstMomentOf, isOut, isPending, platformsIn, platformsOf, type Thing, timeOf } from './shown.js';
import type { Sides, Step, There } from './sides.js';
import { listingOf } from './targets.js';
import { whenWritten } from './words.js';

/** The posts that the keys of a plan have made, by id. */
export function ownIds({ plan, recorded }: Pick<Sides, 'plan' | 'recorded'>): ReadonlySet<string> {
  return new Set(plan.actions.flatMap(({ key }) => recorded.get(key)?.made?.ids ?? []).map(String));
}

/** The location or listing in whose list an action is looked for before it happens. `undefined`: in none. */
export function listOf({ operation, params, own }: Action): string | undefined {
  if (isPost(operation)) return String(params.bulle_id ?? '');
  const listing = listingOf({ ...own, ...params }, []);
  return operation === 'reviews.reply' && typeof listing === 'string' ? listing : undefined;
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
  if (!twin || lost.length > more.length) return madeBefore(action, sides);
  const [key, entry] =
    [...recorded].find(([, { made }]) => made?.ids?.some((id) => String(id) === String(twin.id))) ?? [];
  return refusal('twin', { ids: [twin.id], ...makerOf(key, entry, sides) });
}

/** A review has one reply. What somebody has written is replaced only with `again`, and the same text is done. */
export function replyTo(action: Action, entry: Entry | undefined, { plan, recorded, there, again, now }: Sides): Step {
  const { operation, params, index, target, hash } = action;
  const isReply = (one: Action) => one.operation === operation;
  const isSame = (one: Action) => isReply(one) && one.index < index && one.params.review_id === params.review_id;
  const before = again ? undefined : plan.actions.find(isSame);
  if (before) return refusal('already_answered', { action: before.index + 1 });
  const place = listOf(action);
  if (place === undefined) return { do: 'create' };
  const reviews = there.reviews.get(place);
  if (!reviews) {
    const wanted = plan.actions.filter((one) => isReply(one) && listOf(one) === place && !recorded.get(one.key)?.made);
    return { do: 'read', reading: { what: 'reviews', place, ids: wanted.map((one) => String(one.params.review_id)) } };
  }
  const review = reviews.get(String(params.review_id));
  if (!review?.responded) return { do: 'create' };
  const { response_text, reply_date, review_id } = review;
  const digests = digestsOf(action);
  if (digestOf(response_text) !== digests.text)
    return again ? { do: 'create' } : refusal('already_answered', { text: response_text ?? '' });
  const at = new Date(timeOf(reply_date) || now).toISOString();
  return {
    do: 'note',
    entry: { ...entry, operation, target, plan: action.plan, made: { ids: [review_id], hash, digests, at } },
  };
}

/** The other plan that has made an entry, and the key from which this plan could take it over: one that it does not have. */
function makerOf(key: string | undefined, entry: Entry | undefined, { plan: { name, actions } }: Sides) {
  const plan = entry?.plan === name ? undefined : entry?.plan;
  return { plan, key: actions.some((one) => one.key === key) ? undefined : key };
}

/** The keys that the plan does not have (any more), or under which it wants another publication: no correction takes that one away. */
function othersOf({ plan, recorded }: Sides): (readonly [string, Entry])[] {
  const own = new Map(plan.actions.map(({ key, hash }) => [key, hash]));
  return [...recorded].filter(([key, { operation, made, sent }]) =>
    isSocial(operation) ? (sent ?? made)?.hash !== own.get(key) : !own.has(key),
  );
}

/**
 * What another key has made of the same row, or may have: it is there, is online, is gone after its moment, or is on its way. A publication
 * is in no list, so only the journal knows of it.
 */
export function madeBefore(action: Action, sides: Sides): Step | undefined {
  const { there, now } = sides;
  const digests = digestsOf(action);
  const wanted = platformsOf(digests);
  for (const [key, entry] of othersOf(sides)) {
    const { made, sent, online = [] } = entry;
    const begun = made ?? (sent && !sent.change && { ...sent, at: sent.service_time });
    const like = begun && recordedLikeness(begun, digests, now);
    if (!like || (like === 'near' && !isMoved(action, entry, sides))) continue;
    if (!made) {
      const step = onItsWay(key, entry, sent as Sent, sides);
      if (step) return step;
      continue;
    }
    const { ids = [] } = made;
    // Without a moment, a publication is no left-over that could be taken over.
    const from = isPost(entry.operation) || digests.scheduled_at ? key : undefined;
    const twin = (all: typeof ids) => refusal('twin', { ids: all, ...makerOf(from, entry, sides) });
    if (ids.length === 0) {
      if (isSocial(entry.operation)) return twin(ids);
      // A person may have settled that it was online. Then it has no id.
      if (!wanted.some((platform) => online.includes(platform))) continue;
      return refusal('already_online', { ids: undefined, where: 'other key', key });
    }
    const found = thingsOf(action, entry, there);
    if ('do' in found) return found;
    const own = found.things as readonly Post[];
    // A retry, or a person, may have given it another minute.
    const same = own.find((post) => wanted.some((name) => isOnOrTo(post, name)));
    if (same && like === 'twin') return twin([same.id]);
    // What is still to appear somewhere is a left-over.
    if (own.some(isPending)) continue;
    const out = own.find((post) => platformsIn(post, 'online').some((platform) => wanted.includes(platform)));
    if (out) return refusal('already_online', { ids: [out.id], where: 'other key', key });
    if (own.length > 0 || firstMomentOf(made) > (there.clock?.latest ?? now) + DUE_WITHIN) continue;
    return refusal('may_be_online', { ids, online, key });
  }
  return undefined;
}

/** Refuses a retry if somebody has helped out: another post has the text on a platform that failed, at whatever minute since then. */
export function sameSince(action: Action, made: Made, platforms: readonly string[], sides: Sides): Step | undefined {
  const place = String(action.params.bulle_id ?? '');
  const posts = sides.there.posts.get(place);
  if (!posts) return { do: 'read', reading: { what: 'posts', place } };
  const [own, { content }, since] = [ownIds(sides), digestsOf(action), firstMomentOf(made) - MINUTE];
  for (const post of posts.values()) {
    if (own.has(String(post.id)) || digestOf(post.content) !== content) continue;
    const dateOf = (name: string): unknown =>
      Reflect.get(post, `published_${name}`) ?? Reflect.get(post, `scheduled_${name}`);
    const on = platforms.find((name) => isOnOrTo(post, name) && !(timeOf(dateOf(name) ?? post.created_at) < since));
    if (on !== undefined) return refusal('twin', { ids: [post.id], on });
  }
  return undefined;
}

/** The key under which another run has begun or made the same row since `known` was: what was read before does not show it. */
export function begunSince(known: Sides['recorded'], action: Action, sides: Sides): string | undefined {
  const digests = digestsOf(action);
  const [key] =
    othersOf(sides).find(([other, { made, sent }]) => {
      const before = known.get(other);
      const begun = made ?? (sent && { ...sent, at: sent.service_time });
      const isNew = begun && !before?.made && !before?.sent;
      return isNew && recordedLikeness(begun, digests, sides.now) === 'twin';
    }) ?? [];
  return key;
}

/** Whether what is near is another version of the same row. What its key has made itself, even if it is gone, is none of what another made. */
function isMoved({ key, operation, params }: Action, entry: Entry, { plan, recorded }: Sides): boolean {
  const isNew = !recorded.has(key) && entry.plan === plan.name;
  return isPost(operation) && isNew && whenWritten(params) !== undefined && entry.made !== undefined;
}

/** What another run may be making. Once that has ended, lists show a post, and nothing shows a publication. */
function onItsWay(key: string, { operation }: Entry, { isLost: _, ...sent }: Sent, { there, now }: Sides) {
  if (isSocial(operation)) return refusal('unknown_outcome', { other: key });
  if (!there.clock) return { do: 'read', reading: { what: 'clock' } } as const;
  const until = busyUntil(operation, sent, there.clock, now);
  return until === undefined ? undefined : ({ do: 'wait', until } as const);
}

/** Whether a post is on a platform, or is still to appear there. */
function isOnOrTo(post: Post, platform: string): boolean {
  return (post.platforms as string[]).includes(platform) && !platformsIn(post, 'failed').includes(platform);
}

/** The ids of what an entry has made, or of what its action names. Of what a person has settled as gone, nothing is left to look at. */
export function objectsOf({ made }: Entry, { params }: Action): readonly (string | number)[] {
  return made?.ids ?? ([params.post_id ?? params.article_id].filter((id) => id !== undefined) as (string | number)[]);
}

/** What an entry has made, as far as the service still has it. */
export function thingsOf(action: Action, entry: Entry, there: There): { readonly things: readonly Thing[] } | Step {
  const { object } = rowOf(entry.operation);
  const kind = object === 'social' || object === 'article' ? object : 'post';
  const place = String(action.params.bulle_id ?? '');
  const list = kind === 'post' ? there.posts.get(place) : undefined;
  if (isPost(entry.operation) && !list) return { do: 'read', reading: { what: 'posts', place } };
  const all = objectsOf(entry, action).map((id) => ({
    id,
    thing: there.things.get(`${kind} ${id}`) ?? list?.get(String(id)),
  }));
  const missing = all.find(({ thing }) => thing === undefined);
  if (missing) return { do: 'read', reading: { what: 'thing', kind, id: missing.id } };
  return { things: all.flatMap(({ thing }) => (thing === undefined || thing === 'gone' ? [] : thing)) };
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
