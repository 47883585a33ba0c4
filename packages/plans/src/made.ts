import type { Post } from 'multilocal';
import { isRepeatable } from 'multilocal/internal/call';
import type { Action } from './actions.js';
import { type Digests, differences, digestsOf } from './digests.js';
import type { Entry, Made, Sent } from './journal-content.js';
import { recordedLikeness } from './likeness.js';
import { rowOf as factsOf, isPost, isSocial } from './operations.js';
import { refusal } from './problems.js';
import {
  DUE_WITHIN,
  failedOn,
  firstMomentOf,
  hasTextAndMoments,
  isOut,
  platformsIn,
  platformsOf,
  type Thing,
} from './shown.js';
import type { Sides, Step } from './sides.js';
import { objectsOf, sameSince, thingsOf, twinOf } from './twins.js';

/** It was carried out as it is wanted: whether it is still there, and has not failed. */
export function unchanged(action: Action, entry: Entry, sides: Sides): Step {
  if (!isLookedAt(action, entry)) return { do: 'nothing' };
  const found = thingsOf(action, entry, sides.there);
  if ('do' in found) return found;
  const posts = found.things as readonly Post[];
  if (posts.length === 0) return gone(action, entry, sides);
  return doubled(posts) ?? failed(action, entry, posts, sides) ?? { do: 'nothing' };
}

/**
 * Whether what is as it is wanted is looked at. A publication is in no list: once it was seen everywhere, that costs no request any more.
 * Each article would cost a request, and no plan makes one anew that somebody has deleted.
 */
export function isLookedAt(action: Action, entry: Entry): boolean {
  const { operation, online = [] } = entry;
  const isUnseen = () => platformsOf(digestsOf(action)).some((platform) => !online.includes(platform));
  const { object } = factsOf(operation);
  return (object === 'post' || (object === 'social' && isUnseen())) && objectsOf(entry, action).length > 0;
}

/** A preview that the service carried out, of what was to replace a post, leaves two posts. */
function doubled(posts: readonly Post[]): Step | undefined {
  const live = posts.flatMap((post) => [...platformsIn(post, 'online'), ...platformsIn(post, 'scheduled')]);
  const platform = live.find((name, index) => live.indexOf(name) < index);
  if (platform === undefined) return undefined;
  return refusal('twin', { ids: posts.map(({ id }) => id), platform });
}

export const CLOCK: Step = { do: 'read', reading: { what: 'clock' } };

/** The key was carried out with other parameters, or such a correction was begun. Both kinds of it may be repeated. */
export function corrected(action: Action, entry: Entry, sides: Sides): Step {
  if (isOther(action, entry)) return otherAction(entry);
  if (isRepeatable(action.endpoint)) return entry.target === action.target ? { do: 'create' } : otherAction(entry);
  const change = changeOf(action, entry);
  if (change === undefined) return uncorrectable(action);
  const found = thingsOf(action, entry, sides.there);
  if ('do' in found) return found;
  const { made, sent } = entry;
  const { things } = found;
  if (things.length === 0)
    return sent?.change === 'delete' ? { do: 'note', entry: asNotApplied(entry) } : gone(action, entry, sides);
  const { clock } = sides.there;
  if (!clock) return CLOCK;
  const [thing] = things;
  if (sent && things.some((each) => isOut(each, clock.latest))) {
    const isNew = sent.hash === action.hash && hasTextAndMoments(thing, digestsOf(action));
    const ended = { ...(made as Made), ...(isNew && renewed(sent)) };
    return { do: 'note', entry: { ...entry, sent: undefined, made: ended } };
  }
  const refused = 'platforms' in (thing as Thing) ? failed(action, entry, things as Post[], sides) : undefined;
  if (refused) return refused;
  if (entry.online?.length || things.some((each) => isOut(each, clock.latest))) {
    return refusal('already_online', { ids: made?.ids, where: 'key' });
  }
  // A post that was published again where it had failed is another one, and only one of them is pending.
  if (!thing || things.length > 1) return uncorrectable(action);
  const twin = sides.again || sent || !('platforms' in thing) ? undefined : twinOf(action, sides);
  if (twin) return twin;
  return { do: change, id: thing.id, fields: sent ? updatable(action) : fieldsOf(action, entry, thing) };
}

/** What is recorded after an update. */
export function renewed({ hash, digests }: Sent): Pick<Made, 'hash' | 'digests'> {
  return { hash, digests };
}

/** The entry of an action whose result is gone: it may be carried out anew. */
export function asNotApplied(entry: Entry): Entry {
  return { ...entry, made: undefined, sent: undefined };
}

/** The entry without one of the things that it has made. */
export function withoutId(entry: Entry, id: string | number | undefined): Entry {
  const ids = entry.made?.ids?.filter((each) => String(each) !== String(id)) ?? [];
  return ids.length === 0 ? asNotApplied(entry) : { ...entry, sent: undefined, made: { ...(entry.made as Made), ids } };
}

/** The entry of an action that has happened after all. What was published again adds to what was there. */
export function foundAs(
  entry: Entry,
  { hash, digests, wanted = digests, service_time }: Sent,
  ids: Made['ids'],
): Entry {
  const all = [...(entry.made?.ids ?? []), ...(ids ?? [])];
  const made: Made = { ...(all.length > 0 && { ids: all }), hash, digests: wanted, at: service_time };
  return { ...entry, sent: undefined, made };
}

/** What is there no more may have appeared before, if its moment had come, and may still be online. Of an article, nobody knows. */
function gone(action: Action, entry: Entry, { there, again, recorded }: Sides): Step {
  const { operation, target, made, online = [] } = entry;
  const isOfDeletion = (other: Entry) => other.operation === 'posts.delete' && other.target === target;
  if (isNamed(action) && [...recorded.values()].some((other) => other.made && isOfDeletion(other)))
    return { do: 'nothing' };
  if (!there.clock) return CLOCK;
  const isTimed = isPost(operation) || isSocial(operation);
  const hadCome = !isTimed || online.length > 0 || firstMomentOf(made as Made) <= there.clock.latest + DUE_WITHIN;
  if (!hadCome || again) return { do: 'note', entry: asNotApplied(entry) };
  return refusal('may_be_online', { ids: objectsOf(entry, action), online });
}

/** Whether the plan names the object that is changed. */
function isNamed({ params }: Action): boolean {
  return (params.post_id ?? params.article_id) !== undefined;
}

/** Some platforms have refused what was made, and none of its posts is on its way there. */
function failed(action: Action, entry: Entry, posts: readonly Post[], sides: Sides): Step | undefined {
  const { retryFailed, now, again } = sides;
  const inState = (state: 'online' | 'scheduled') => posts.flatMap((post) => platformsIn(post, state));
  const live = [...inState('online'), ...inState('scheduled'), ...(entry.online ?? [])];
  const digests = digestsOf(action);
  const own = platformsOf(digests);
  const found = posts.flatMap((post) => failedOn(post, own)).filter(({ platform }) => !live.includes(platform));
  const isFinal = isNamed(action);
  const wanted = isFinal ? found.map(({ platform }) => platform) : own;
  const platforms = wanted.filter((platform) => found.some((one) => one.platform === platform));
  if (platforms.length === 0) return undefined;
  // A retry that adds a platform would leave the others without what the key now stands for.
  const before = [...platformsOf(entry.made?.digests ?? {}), ...live];
  if (retryFailed && !isFinal) {
    // Where keys count rows, another post has this key now. Its other platforms would never get it.
    const isOfOther =
      platforms.length < own.length &&
      entry.made?.digests?.content !== digests.content &&
      recordedLikeness(entry.made as Made, digests, now) === undefined;
    if (isOfOther) return refusal('already_online', { ids: entry.made?.ids, where: 'key' });
    const isWhole = wanted.every((platform) => before.includes(platform));
    if (!isWhole) return uncorrectable(action);
    const same = again ? undefined : sameSince(action, entry.made as Made, platforms, sides);
    return same ?? { do: 'create', platforms, isRetry: true };
  }
  const on = platforms.flatMap((name) => found.findLast(({ platform }) => platform === name) ?? []);
  return refusal('failed', { ids: objectsOf(entry, action), on, isFinal });
}

function uncorrectable({ operation }: Action): Step {
  return refusal('already_done', { operation });
}

/** A view of another location does not move a post: a plan that is run in each view would delete all but the last one. */
export function isOther(action: Action, { operation, target, made, sent }: Entry): boolean {
  const isElsewhere = () => placeIn((made ?? sent)?.digests) !== placeIn(digestsOf(action));
  return operation !== action.operation || (action.isInView === true && target !== action.target && isElsewhere());
}

const placeIn = ({ bulle_id, fiche_id }: Digests = {}) => bulle_id ?? fiche_id;

export function otherAction(entry: Entry): Step {
  const { operation, target, sent } = entry;
  return refusal('already_done', { operation, target, isOpen: sent !== undefined, isOther: true });
}

/** How a correction is made, or `undefined` if there is no way. */
export function changeOf(action: Action, { made, sent }: Entry): 'update' | 'replace' | undefined {
  const { update } = factsOf(action.operation);
  if (!update || !made?.ids?.length || (!update.isReplaced && made.ids.length > 1)) return undefined;
  if (sent?.change === 'delete') return 'replace';
  const now = digestsOf(action);
  // A field that is left out keeps its value, so an update cannot remove it.
  const isPlain = (name: string) => update.fields.includes(name) && now[name] !== undefined;
  if (made.digests && differences(made.digests, now).every(isPlain)) return 'update';
  return update.isReplaced && made.ids.length === 1 ? 'replace' : undefined;
}

/** The fields that a correction changes. Two texts that differ only in their form have one digest. */
function fieldsOf(action: Action, { made }: Entry, thing: Thing): readonly string[] {
  const found = differences(made?.digests, digestsOf(action));
  if (found.length > 0) return found;
  const differs = (name: string) => name !== 'scheduled_at' && Reflect.get(thing, name) !== fieldOf(action, name);
  const all = updatable(action);
  const texts = all.filter(differs);
  return texts.length > 0 ? texts : all;
}

/** A field of what an action makes. `text` is another name of the content of a post. */
export function fieldOf({ params }: Pick<Action, 'params'>, name: string): unknown {
  return params[name] ?? (name === 'content' ? params.text : undefined);
}

/** All fields that a correction can set. After a lost one, any of them may differ. */
function updatable(action: Action): readonly string[] {
  const now = digestsOf(action);
  return (factsOf(action.operation).update?.fields ?? []).filter((name) => now[name] !== undefined);
}
