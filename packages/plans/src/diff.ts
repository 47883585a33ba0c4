import { isRepeatable } from 'multilocal/internal/call';
import { endpoints } from 'multilocal/internal/endpoints';
import type { Action } from './actions.js';
import { busyUntil } from './clock.js';
import { digestsOf } from './digests.js';
import type { Entry, Sent } from './journal-content.js';
import { CLOCK, changeOf, corrected, isOther, kept, NEW_KEY, otherAction } from './made.js';
import { rowOf as factsOf } from './operations.js';
import { platformsOf } from './shown.js';
import type { Sides, Step } from './sides.js';
import { twinOf } from './twins.js';
import { localMoment } from './words.js';

/** The code of an action whose real request was answered with a preview. */
export const PREVIEWED = 'preview_received';

const ANSWERED =
  'the service answered the request with a preview. Check the address and the key: they may belong to a test system';
const UNREADABLE = 'no read of the service shows whether it did';
const UNCLEAR = 'the service does not show whether it did';

/**
 * Says what follows for an action: from what is wanted, what the journal has recorded of its key, and what is there. It asks for what
 * it must see first. Changes nothing, so everything that looks at a plan (rehearsal, run, status, cost, calendar) says the same.
 */
export function stepOf(action: Action, sides: Sides): Step {
  const entry = sides.recorded.get(action.key);
  if (!entry || (!entry.made && !entry.sent)) return fresh(action, entry, sides);
  if (isOfAnotherPlan(action, entry) && hashIn(entry) !== action.hash) return ofAnotherPlan(action, entry);
  if (entry.sent) return begun(action, entry, entry.sent, sides);
  return hashIn(entry) === action.hash ? kept(action, entry, sides) : corrected(action, entry, sides);
}

/** What a run intends with an action, before anything is read: for costs and permissions. */
export function intentOf(action: Action, entry: Entry | undefined): 'create' | 'keep' | 'update' | 'replace' | 'other' {
  if (!entry || (!entry.made && !entry.sent)) return 'create';
  if (isOfAnotherPlan(action, entry) && hashIn(entry) !== action.hash) return 'other';
  if (entry.sent && entry.sent.change === undefined) return isRepeatableEntry(entry) ? 'create' : 'other';
  if (!entry.sent && hashIn(entry) === action.hash)
    return factsOf(entry.operation).update?.isReplaced ? 'keep' : 'other';
  if (isOther(action, entry)) return 'other';
  if (isRepeatable(action.endpoint)) return entry.target === action.target ? 'create' : 'other';
  return changeOf(action, entry) ?? 'other';
}

function hashIn({ made, sent }: Entry): string | undefined {
  return (sent ?? made)?.hash;
}

/** Entries and plans without a name belong to nobody and everybody. */
function isOfAnotherPlan({ plan }: Action, entry: Entry): boolean {
  return entry.plan !== undefined && plan !== undefined && entry.plan !== plan;
}

function ofAnotherPlan({ params }: Action, { plan, operation, made, sent }: Entry): Step {
  const { ids = [] } = made ?? {};
  const what = `${operation}${ids.length > 0 ? `, id ${ids.join(', ')}` : ''}`;
  const when = localMoment(new Date(made?.at ?? sent?.service_time ?? 0), params.scheduled_at);
  const message = `The key belongs to the plan ${plan}, which has carried out something else under it (${what}, ${when}). Give the action another \`key\`, or the plan the \`name\` of that one.`;
  return { do: 'refuse', code: 'key_of_another_plan', message };
}

/** Nothing was made under the key. */
function fresh(action: Action, entry: Entry | undefined, sides: Sides): Step {
  if (!factsOf(action.operation).update?.isReplaced) return { do: 'create' };
  const twin = sides.again ? undefined : twinOf(action, sides);
  if (twin) return twin;
  const seen = entry?.online ?? [];
  if (seen.length === 0) return { do: 'create' };
  const wanted = platformsOf(digestsOf(action));
  const platforms = wanted.filter((platform) => !seen.includes(platform));
  if (platforms.length === wanted.length) return { do: 'create' };
  if (platforms.length > 0) return { do: 'create', platforms };
  const message = `A post of this key was online on all its platforms. ${NEW_KEY}`;
  return { do: 'refuse', code: 'already_online', message };
}

/** A request was begun, and nobody knows yet whether it happened. */
function begun(action: Action, entry: Entry, sent: Sent, sides: Sides): Step {
  if (sent.error === PREVIEWED) return { do: 'ask', why: ANSWERED };
  const isSame = sent.hash === action.hash;
  const { there, now } = sides;
  const trace = there.traces.get(action.key);
  const isRepeated = isRepeatableEntry(entry);
  if (!isRepeated && trace === undefined) return { do: 'look up' };
  // An older version of the plan may be on its way: it must not arrive last.
  if (!sent.isLost && !(isRepeated && isSame)) {
    if (!there.clock) return CLOCK;
    const until = busyUntil(entry.operation, sent, there.clock, now);
    if (until !== undefined) return { do: 'wait', until };
  }
  if (!isRepeated) return { do: 'ask', why: trace === 'none' ? UNREADABLE : UNCLEAR };
  if (sent.change) return corrected(action, entry, sides);
  return isOther(action, entry) || entry.target !== action.target ? otherAction(entry) : { do: 'create' };
}

/** Whether the request of an entry may be sent again: twice has the effect of once. */
export function isRepeatableEntry({ operation, sent }: Entry): boolean {
  const endpoint = endpoints.find((each) => each.operation === operation);
  return sent?.change !== undefined || (endpoint !== undefined && isRepeatable(endpoint));
}
<<<<<<< HEAD
=======

/** It was carried out as it is wanted: whether it is still there, and has not failed. */
function kept(action: Action, entry: Entry, sides: Sides): Step {
  if (!factsOf(entry.operation).update?.isReplaced || !entry.made?.ids?.length) return { do: 'nothing' };
  const found = thingsOf(action, entry, sides.there);
  if ('do' in found) return found;
  if (found.things.length === 0) return gone(entry, sides);
  return failed(action, entry, found.things as Post[], sides) ?? { do: 'nothing' };
}

const CLOCK: Step = { do: 'read', reading: { what: 'clock' } };

/** The key was carried out with other parameters, or such a correction was begun. Both kinds of it may be repeated. */
function corrected(action: Action, entry: Entry, sides: Sides): Step {
  if (isOther(action, entry)) return otherAction(entry);
  if (isRepeatable(action.endpoint)) return entry.target === action.target ? { do: 'create' } : otherAction(entry);
  const change = changeOf(action, entry);
  if (change === undefined) return uncorrectable(action);
  const found = thingsOf(action, entry, sides.there);
  if ('do' in found) return found;
  const { made, sent } = entry;
  const { things } = found;
  if (things.length === 0) return sent?.change === 'delete' ? { do: 'note', entry: freed(entry) } : gone(entry, sides);
  const { clock } = sides.there;
  if (!clock) return CLOCK;
  const [thing] = things;
  if (sent && things.some((each) => isOut(each, clock.latest))) {
    const isNew = sent.hash === action.hash && hasTextAndMoments(thing, digestsOf(action));
    return {
      do: 'note',
      entry: { ...entry, sent: undefined, made: { ...(made as Made), ...(isNew && renewed(sent)) } },
    };
  }
  const refused = 'platforms' in (thing as Thing) ? failed(action, entry, things as Post[], sides) : undefined;
  if (refused) return refused;
  if (things.some((each) => isOut(each, clock.latest))) {
    const message = `What was made under this key (id ${made?.ids?.join(', ')}) is online, or about to be, and cannot be corrected by a plan. ${NEW_KEY}`;
    return { do: 'refuse', code: 'already_online', message };
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
export function freed(entry: Entry): Entry {
  return { ...entry, made: undefined, sent: undefined };
}

/** What was made is gone. If its moment had come, it may have appeared before, and may still be on the platforms. */
function gone(entry: Entry, { there, again }: Sides): Step {
  if (!there.clock) return CLOCK;
  const { made, online = [] } = entry;
  const hadCome = online.length > 0 || firstMomentOf(made as Made) <= there.clock.latest + DUE_WITHIN;
  if (!hadCome || again) return { do: 'note', entry: freed(entry) };
  const seen = online.length > 0 ? ` It was online on ${online.map(platformName).join(', ')}.` : '';
  const message = `The service no longer has what this key made (id ${made?.ids?.join(', ')}), and its moment had come: it may be online.${seen} Look on the platforms. ${AGAIN} It then leaves out the platforms where it was seen. Or settle the key in the journal as not_applied.`;
  return { do: 'refuse', code: 'may_be_online', message };
}

/** Some platforms have refused what was made, and none of its posts is on its way there. */
function failed(action: Action, entry: Entry, posts: readonly Post[], { retryFailed }: Sides): Step | undefined {
  const on = (state: 'online' | 'scheduled') => posts.flatMap((post) => platformsIn(post, state));
  const live = [...on('online'), ...on('scheduled'), ...(entry.online ?? [])];
  const found = posts.flatMap(failedOn).filter(({ platform }) => !live.includes(platform));
  const wanted = platformsOf(digestsOf(action));
  const platforms = wanted.filter((platform) => found.some((one) => one.platform === platform));
  if (platforms.length === 0) return undefined;
  if (retryFailed) return { do: 'create', platforms, isRetry: true };
  const reasons = platforms.map((platform) => {
    const { error } = found.findLast((one) => one.platform === platform) ?? {};
    return `${platformName(platform)}${error ? `: ${error}` : ''}`;
  });
  const message = `The post (id ${entry.made?.ids?.join(', ')}) has failed on ${reasons.join('; ')}. \`retryFailed\` publishes it again there, and only there.`;
  return { do: 'refuse', code: 'failed', message };
}

/** What an entry has made, as far as the service still has it. */
function thingsOf(action: Action, entry: Entry, there: There): { readonly things: readonly Thing[] } | Step {
  const kind = factsOf(entry.operation).object === 'post' ? 'post' : 'article';
  const place = String(action.params.bulle_id ?? '');
  const list = kind === 'post' ? there.posts.get(place) : undefined;
  if (kind === 'post' && !list) return { do: 'read', reading: { what: 'posts', place } };
  const all = (entry.made?.ids ?? []).map((id) => ({
    id,
    thing: there.things.get(`${kind} ${id}`) ?? list?.get(String(id)),
  }));
  const missing = all.find(({ thing }) => thing === undefined);
  if (missing) return { do: 'read', reading: { what: 'thing', kind, id: missing.id } };
  return { things: all.flatMap(({ thing }) => (thing === undefined || thing === 'gone' ? [] : thing)) };
}

/** The posts that the keys of a plan have made, by id. */
export function ownIds({ plan, recorded }: Pick<Sides, 'plan' | 'recorded'>): ReadonlySet<string> {
  return new Set(plan.actions.flatMap(({ key }) => recorded.get(key)?.made?.ids ?? []).map(String));
}

/** Refuses a post that is there already, whoever has made it, under whatever key. Two equal actions of one plan are meant. */
function twinOf(action: Action, sides: Sides): Step | undefined {
  const { plan, recorded, there, now } = sides;
  const place = String(action.params.bulle_id ?? '');
  const posts = there.posts.get(place);
  if (!posts) return { do: 'read', reading: { what: 'posts', place } };
  const digests = digestsOf(action);
  const own = ownIds(sides);
  const [twin, ...more] = [...posts.values()].filter((post) => {
    return !own.has(String(post.id)) && likenessOf(post, digests, now) === 'twin';
  });
  // A killed run may have made some of the twins: its lost actions are looked up by themselves.
  const lost = plan.actions.filter(({ key }) => key !== action.key && mayHaveMade(recorded.get(key), digests));
  if (!twin || lost.length > more.length) return undefined;
  const [key, entry] =
    [...recorded].find(([, { made }]) => made?.ids?.some((id) => String(id) === String(twin.id))) ?? [];
  const maker =
    entry?.plan !== undefined && entry.plan !== plan.name
      ? ` The plan ${entry.plan} has made it: \`plan.name\` continues that plan.`
      : '';
  const known =
    key === undefined || maker ? maker : ` The key ${key} has made it: \`leftOver: 'prune'\` takes it over.`;
  const message = `The service already has this post (id ${twin.id}): same location, text and moment on a platform.${known} ${AGAIN}`;
  return { do: 'refuse', code: 'twin', message };
}

function mayHaveMade(entry: Entry | undefined, digests: Digests): boolean {
  const { change, digests: own }: Partial<Sent> = entry?.sent ?? {};
  return entry?.sent !== undefined && change === undefined && differences(own, digests).length === 0;
}

function uncorrectable({ operation }: Action): Step {
  const message = `${operation} was carried out with other parameters under this key, and cannot be corrected. ${NEW_KEY}`;
  return { do: 'refuse', code: 'already_done', message };
}

/** A view of another location does not move a post: a plan that is run in each view would delete all but the last one. */
function isOther({ operation, target, isInView }: Action, entry: Entry): boolean {
  return entry.operation !== operation || (isInView === true && entry.target !== target);
}

function otherAction(entry: Entry): Step {
  const { operation, target, sent } = entry;
  const what = `${operation}${target === undefined ? '' : ` (${target})`}`;
  const message = `The key belongs to ${what}, which ${sent ? 'may have been' : 'was'} carried out. ${NEW_KEY}`;
  return { do: 'refuse', code: 'already_done', message };
}

/** How a correction is made, or `undefined` if there is no way. */
function changeOf(action: Action, { made, sent }: Entry): 'update' | 'replace' | undefined {
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
>>>>>>> bdc80f0463016a116fc1440b22287faa6ddc1850
