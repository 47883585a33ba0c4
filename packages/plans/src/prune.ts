import type { Post } from 'multilocal';
import type { Endpoint } from 'multilocal/internal/endpoint';
import { endpoints } from 'multilocal/internal/endpoints';
import type { Action } from './actions.js';
import type { Context } from './context.js';
import { idOf, isOnline, isOpen } from './decide.js';
import type { Entry } from './journal-content.js';
import type { Ledger } from './ledger.js';
import { glance, look } from './look.js';
import { readPosts } from './sights.js';

/** A pending post that the ledger knows and the plan no longer has. */
export interface LeftOver {
  readonly key: string;
  readonly id: string | number;
  /** Whether it is online on another platform, so that no plan deletes it. */
  readonly isOnline: boolean;
  readonly entry: Entry;
  /** The deletion, as an action of the plan. */
  readonly action: Action;
}

type Entries = ReadonlyMap<string, Entry>;

/** Returns the pending posts whose key begins with the name of a plan and a slash, and that the plan does not have. */
export async function leftOvers(
  entries: Entries,
  context: Context,
  name: string | undefined,
  actions: readonly Action[],
): Promise<LeftOver[]> {
  const known = strangersOf(entries, name, actions).flatMap(([key, entry]) => {
    const id = idOf(entry);
    return id === undefined ? [] : [{ key, entry, id }];
  });
  if (known.length === 0) return [];
  const pending = await readPosts(context, { status: 'pending' });
  const found = known.flatMap((one) => {
    // A deletion that was begun is finished, so that its key does not stay open.
    if (one.entry.change === 'delete') return [{ ...one, isOnline: false }];
    const post = pending.get(String(one.id));
    return post && (isHalf(post) || !isOnline(post)) ? [{ ...one, isOnline: isOnline(post) }] : [];
  });
  return found.map((one, index) => ({ ...one, action: deletionOf(one.key, one.entry, actions.length + index) }));
}

/** Whether a post that is online on a platform will appear on another. A service may list what is not pending. */
function isHalf(post: Post): boolean {
  const isPending = post.status === 'pending' || post.status === 'scheduled';
  return isPending && post.platforms.some((platform) => !Reflect.get(post, `published_${platform}`));
}

/** The deletion of what a key has made, as an action of the plan. */
function deletionOf(key: string, { ids, hash }: Entry, index: number): Action {
  const endpoint = endpoints.find(({ operation }) => operation === 'posts.delete') as Endpoint;
  const params = { post_id: Number(ids?.[0]) };
  const target = `post_id ${params.post_id}`;
  return { index, key, givenKey: key, plan: undefined, operation: endpoint.operation, endpoint, params, hash, target };
}

/** Looks up the posts that an earlier run lost and that the plan no longer has: they may be pending. */
export async function lookUpLost(
  context: Context,
  ledger: Ledger,
  name: string | undefined,
  actions: readonly Action[],
): Promise<void> {
  for (const [key, entry] of lostOf(ledger, name, actions))
    await look(context, ledger, deletionOf(key, entry, actions.length));
}

/**
 * The same for a rehearsal, which saves nothing and does not wait: all entries, those of such posts as a run will find them, and the
 * keys of which the service does not show what happened.
 */
export async function foundWith(
  context: Context,
  ledger: Ledger,
  name: string | undefined,
  actions: readonly Action[],
): Promise<{ entries: Entries; unclear: string[] }> {
  const entries = new Map(ledger.entries());
  const unclear: string[] = [];
  for (const [key, entry] of lostOf(ledger, name, actions)) {
    const trace = await glance(context, ledger, deletionOf(key, entry, actions.length));
    if (trace.state === 'applied') entries.set(key, { ...entry, outcome: 'applied', ids: trace.ids });
    else if (trace.state === 'unclear') unclear.push(key);
  }
  // Without its id, it is unknown whether a post is pending.
  for (const [key, { outcome, ids }] of strangersOf(entries, name, actions))
    if (outcome === 'applied' && ids?.length !== 1) unclear.push(key);
  return { entries, unclear };
}

function lostOf(ledger: Ledger, name: string | undefined, actions: readonly Action[]) {
  const strangers = strangersOf(ledger.entries(), name, actions);
  return strangers.filter(([, entry]) => isOpen(entry) && entry.change === undefined);
}

/** The keys that runs of this plan have deleted, and that it has not forgotten since. */
export function prunedOf(entries: Entries, name: string | undefined, actions: readonly Action[]): string[] {
  return strangersOf(entries, name, actions).flatMap(([key, { outcome, change }]) =>
    outcome === 'not_applied' && change === 'delete' ? [key] : [],
  );
}

/**
 * The posts of a plan that it no longer has. A plan without a name has none. `noel/est/lyon` is not a post of the plan `noel` if the
 * plan `noel/est` has made it.
 */
function strangersOf(
  entries: Entries,
  name: string | undefined,
  actions: readonly Action[],
): (readonly [string, Entry])[] {
  if (name === undefined) return [];
  const own = new Set(actions.map(({ key }) => key));
  return [...entries].filter(([key, { operation, plan = name }]) => {
    return key.startsWith(`${name}/`) && plan === name && !own.has(key) && operation === 'posts.create';
  });
}
