import type { Post } from 'multilocal';
import type { Action } from './actions.js';
import { type Digests, digestsOf } from './digests.js';
import { linesOf } from './hash.js';
import type { Approved, Entry, Made } from './journal-content.js';
import { type Likeness, likenessOf, recordedLikeness } from './likeness.js';
import { isPost, isSocial } from './operations.js';
import { refusal } from './problems.js';
import type { LeftOverOptions, PlanChange } from './results.js';
import { DUE_WITHIN, firstMomentOf, isOut, isPending } from './shown.js';
import type { LeftOverStep, Reading, Sides } from './sides.js';
import { whenWritten } from './words.js';

/** A pending post that a plan has made, and no longer has. */
export interface LeftOver {
  readonly key: string;
  readonly entry: Entry;
  /** Its pending posts, as the service shows them. */
  readonly posts: readonly Post[];
  /** The action that seems to replace it. `'several'`: more than one does. */
  readonly replacedBy?: Action | 'several' | undefined;
  /** What follows for it. */
  readonly step: LeftOverStep;
}

/** More than half of more posts than that is a mass deletion. */
const FEW = 10;
const LIKENESSES: readonly Likeness[] = ['twin', 'moved', 'reworded'];

/**
 * The keys that the name of a plan has and the plan no longer has, of posts where it speaks. A plan without a name has those of plans
 * without a name, of which only what one of its actions seems to replace is its business.
 */
export function orphansOf({ plan, recorded }: Pick<Sides, 'plan' | 'recorded'>): (readonly [string, Entry])[] {
  const own = new Set(plan.actions.map(({ key }) => key));
  return [...recorded].filter(([key, entry]) => {
    const { bulle_id, scheduled_at } = (entry.made ?? entry.sent)?.digests ?? {};
    const isCovered = !plan.covers || bulle_id === undefined || plan.covers.includes(bulle_id);
    // A publication without a moment is never pending.
    const canWait = isPost(entry.operation) || (isSocial(entry.operation) && scheduled_at !== undefined);
    return entry.plan === plan.name && !own.has(key) && canWait && isCovered;
  });
}

/** The lost posts that a plan no longer has: they may be pending. Those whose moment has come long ago are not. */
export function lostOrphans(sides: Sides): (readonly [string, Entry])[] {
  if (sides.plan.name === undefined) return [];
  return orphansOf(sides).filter(([, { made, sent }]) => {
    const isLost = sent !== undefined && sent.change === undefined;
    const hasNoId = made !== undefined && !made.ids?.length;
    const begun = made ?? (sent && { ...sent, at: sent.service_time });
    return (isLost || hasNoId) && begun !== undefined && firstMomentOf(begun) + DUE_WITHIN > sides.now;
  });
}

/** Returns the left-overs of a plan, or what must be read first. */
export function leftOversOf(sides: Sides, options: LeftOverOptions): readonly LeftOver[] | Reading {
  const { there, recorded } = sides;
  const isNamed = sides.plan.name !== undefined;
  const known = orphansOf(sides).filter(([, { made }]) => made?.ids?.length);
  const waiting = sides.plan.actions.filter(
    ({ key, operation }) => (isPost(operation) || isSocial(operation)) && isFree(recorded.get(key)),
  );
  if (known.length === 0 || (!isNamed && waiting.length === 0)) return [];
  if (!there.pending && known.some(([, { operation }]) => isPost(operation))) return { what: 'pending' };
  const all: Found[] = [];
  for (const [key, entry] of known) {
    const posts = postsOf(entry, sides);
    if ('what' in posts) return posts;
    all.push({ key, entry, posts: posts.filter(isPending) });
  }
  const pairs = pairsOf(all, waiting, sides.now);
  // What is online already is no left-over, unless a new key takes it over.
  const found = all.filter(({ key, posts }) => posts.length > 0 || (options.leftOver === 'prune' && pairs.has(key)));
  if (found.length > 0 && !there.clock) return { what: 'clock' };
  const own = isNamed ? found : found.filter(({ key }) => pairs.has(key));
  const isMass = isMassDeletion(own.filter(({ key }) => !pairs.has(key)).length, sides) && !options.allowMassDeletion;
  return own.map((one) => {
    const replacedBy = pairs.get(one.key);
    return { ...one, replacedBy, step: stepOf({ ...one, replacedBy }, sides, options, isMass) };
  });
}

/**
 * The posts of an entry that may be pending. A social publication is in no list, and the list of pending posts may lack one: what is still to
 * appear is asked for by its id, and only a 404 says that it is gone.
 */
function postsOf({ operation, made }: Entry, { there, now }: Sides): readonly Post[] | Reading {
  const { ids = [], digests } = made as Made;
  const { bulle_id } = digests ?? {};
  const kind = isPost(operation) ? 'post' : 'social';
  const lists = kind === 'post' ? [there.pending, there.posts.get(bulle_id ?? '')] : [];
  const found: Post[] = [];
  for (const id of ids) {
    const listed = lists.find((list) => list?.has(String(id)))?.get(String(id));
    const thing = listed ?? there.things.get(`${kind} ${id}`);
    if (thing === undefined && firstMomentOf(made as Made) + DUE_WITHIN > now) return { what: 'thing', kind, id };
    if (thing === undefined || thing === 'gone') continue;
    found.push(kind === 'post' ? (thing as Post) : { ...(thing as Post), bulle_id: bulle_id ?? null });
  }
  return found;
}

function isFree(entry: Entry | undefined): boolean {
  return !entry?.made && !entry?.sent;
}

type Found = Pick<LeftOver, 'key' | 'entry' | 'posts'>;

/**
 * The action that seems to replace a left-over, by its key: first what is the same action, then the same post, then what was moved,
 * then what was reworded. Where several fit equally, nobody knows which is meant.
 */
function pairsOf(found: readonly Found[], waiting: readonly Action[], now: number): Map<string, Action | 'several'> {
  const pairs = new Map<string, Action | 'several'>();
  const taken = new Set<Action>();
  const likenesses = [
    // Without a moment, the same words may be meant once more as soon as the first ones are online.
    ({ entry, posts }: Found, action: Action) =>
      entry.made?.hash === action.hash && (posts.length > 0 || whenWritten(action.params) !== undefined),
    ...LIKENESSES.map((likeness) => ({ posts }: Found, action: Action) => {
      return posts.some((post) => likenessOf(post, digestsOf(action), now) === likeness);
    }),
  ];
  for (const isAlike of likenesses) {
    const fits = found.flatMap((one) => {
      const isFit = (action: Action) =>
        action.operation === one.entry.operation && !taken.has(action) && isAlike(one, action);
      const actions = pairs.has(one.key) ? [] : waiting.filter(isFit);
      return actions.length > 0 ? [{ key: one.key, actions }] : [];
    });
    for (const { key, actions } of fits) {
      const [action] = actions as [Action];
      const isAlone =
        actions.length === 1 && fits.every((other) => other.key === key || !other.actions.includes(action));
      pairs.set(key, isAlone ? action : 'several');
      for (const one of actions) taken.add(one);
    }
  }
  return pairs;
}

/** An export that was cut in half must not delete the other half. */
function isMassDeletion(deleted: number, sides: Sides): boolean {
  const { name } = sides.plan;
  const pending = [...sides.recorded.values()].filter((entry) => {
    if (entry.plan !== name || !isPost(entry.operation) || !entry.made?.ids?.length) return false;
    const posts = postsOf(entry, sides);
    return !('what' in posts) && posts.some(isPending);
  }).length;
  return pending > FEW && deleted > pending / 2;
}

function stepOf(
  { entry, posts, replacedBy }: Omit<LeftOver, 'step'>,
  { there }: Sides,
  { leftOver = 'refuse' }: LeftOverOptions,
  isMass: boolean,
): LeftOverStep {
  if (leftOver === 'keep') return { do: 'nothing' };
  const [post] = posts as [Post];
  const ids = posts.map((one) => one.id);
  const isSame = replacedBy instanceof Object && replacedBy.hash === entry.made?.hash;
  if (isSocial(entry.operation) && !(isSame && leftOver === 'prune'))
    return refusal('left_over', { ids, is: 'social' });
  if (leftOver === 'refuse') return refusal('left_over', { ids });
  if (replacedBy === 'several') return refusal('left_over', { ids, is: 'several' });
  if (replacedBy && isSame) return { do: 'adopt', key: replacedBy.key };
  if (posts.some((one) => isOut(one, there.clock?.latest ?? Number.POSITIVE_INFINITY))) {
    return refusal('already_online', { ids, where: 'left over' });
  }
  if (replacedBy) return { do: 'adopt', key: replacedBy.key };
  if (isMass) return refusal('mass_deletion', { ids });
  return { do: 'delete', id: entry.sent?.id ?? post.id };
}

/**
 * Keys that say where a row stands move on when a row is added or removed. If each post were corrected in turn, two would have the same text
 * for a moment. So an action takes over what another key has made as it is wanted here, and no longer there. The last key of such a row gets
 * what is left. Returns the entries that change. Nothing is sent.
 */
export function shifted({ plan, recorded, now }: Pick<Sides, 'plan' | 'recorded' | 'now'>): Map<string, Entry> {
  const actions = plan.actions.filter(({ operation }) => isPost(operation));
  const wanted = new Map(actions.map((action) => [action.key, digestsOf(action)] as const));
  const isLike = ({ made }: Entry, own: Digests = {}) => recordedLikeness(made as Made, own, now) === 'twin';
  const moving = new Map<string, Entry>();
  const byText = new Map<string | undefined, string[]>();
  for (const [key, entry] of recorded) {
    const { operation, plan: maker, made, sent } = entry;
    if (!isPost(operation) || maker !== plan.name || !made?.ids?.length || made.doubt || sent) continue;
    if (isLike(entry, wanted.get(key))) continue;
    moving.set(key, entry);
    byText.set(made.digests?.content, [...(byText.get(made.digests?.content) ?? []), key]);
  }
  const takes = new Map<string, string>();
  const taken = new Set<string>();
  for (const { key } of actions) {
    const [entry, own, isMoving] = [recorded.get(key), wanted.get(key), moving.has(key)];
    if (entry && !isMoving && (entry.made || entry.sent || entry.online)) continue;
    const from = byText.get(own?.content)?.find((other) => {
      // What a new key replaces, and the plan no longer has, is a left-over.
      const isFree = other !== key && !taken.has(other) && (isMoving || wanted.has(other));
      return isFree && isLike(moving.get(other) as Entry, own);
    });
    if (from === undefined) continue;
    takes.set(key, from);
    taken.add(from);
  }
  const changes = new Map([...takes].map(([key, from]) => [key, moving.get(from) as Entry]));
  for (const first of takes.keys()) {
    if (taken.has(first)) continue;
    let last = first;
    for (let next = takes.get(last); next !== undefined; next = takes.get(last)) last = next;
    const { operation, target, plan: maker } = moving.get(last) as Entry;
    changes.set(last, moving.get(first) ?? { operation, target, plan: maker });
  }
  return changes;
}

/** The left-overs that an action takes over: their entry goes to its key. It is then corrected like any other. */
export function adoptionsOf(found: readonly LeftOver[]): (readonly [from: string, to: Action, entry: Entry])[] {
  return found.flatMap(({ key, entry, replacedBy, step }) => {
    if (step.do !== 'adopt' || replacedBy === undefined || replacedBy === 'several') return [];
    const lines = linesOf([{ key, step: 'adopt', replacedBy: replacedBy.key }]);
    const approved = approving(entry.approved, replacedBy, lines);
    return [[key, replacedBy, { ...entry, plan: replacedBy.plan, approved }] as const];
  });
}

/** Adds lines to what runs of the plan of an action have carried out. Those of another version of the plan are forgotten. */
export function approving(
  before: Approved | undefined,
  { planHash = '' }: Pick<Action, 'planHash'>,
  more: readonly string[],
): Approved {
  return { plan: planHash, lines: [...(before?.plan === planHash ? before.lines : []), ...more] };
}

/** The lines that runs of this very plan have carried out already, so that its approval stays valid. */
export function approvedLines({ plan: { actions }, recorded }: Pick<Sides, 'plan' | 'recorded'>): string[] {
  const of = actions[0]?.planHash;
  return [...recorded.values()].flatMap(({ approved }) => (approved?.plan === of ? (approved?.lines ?? []) : []));
}

/** The line of the approved hash for a retry. */
export function retryLine({ key }: Pick<Action, 'key'>, platforms: readonly string[]): string {
  return JSON.stringify(['retry', key, platforms]);
}

/** The lines of the hash for what a run does beyond the actions of its plan. */
export function allLines(
  sides: Sides,
  left: readonly LeftOver[],
  actions: readonly { readonly key: string; readonly change?: PlanChange | undefined }[],
): string[] {
  const own = linesOf(
    left.map(({ key, step, replacedBy, posts }) => ({ key, step: step.do, replacedBy: Object(replacedBy).key, posts })),
  );
  const retried = actions.flatMap(({ key, change }) =>
    change?.kind === 'retry' ? retryLine({ key }, change.platforms ?? []) : [],
  );
  return [...approvedLines(sides), ...own, ...retried];
}

/** Gives the entries of left-overs to the actions that replace them, as a run does. Returns the keys of these actions. */
export function adopt(recorded: Map<string, Entry>, left: readonly LeftOver[]): ReadonlySet<string> {
  const adoptions = adoptionsOf(left);
  for (const [from, { key }, entry] of adoptions) {
    recorded.delete(from);
    recorded.set(key, entry);
  }
  return new Set(adoptions.map(([, { key }]) => key));
}
