import type { Article, Post } from 'multilocal';
import { isRepeatable } from 'multilocal/internal/call';
import { endpoints } from 'multilocal/internal/endpoints';
import type { Action } from './actions.js';
import { type Digests, differences, digestOf, digestsOf } from './digests.js';
import type { Ended, Entry } from './journal-content.js';
import { isScheduled, ONLINE } from './lookup.js';

/** What the service shows of an action, as far as it was looked at. */
export interface Sight {
  /** What the action has made. `gone`: the service answers 404 for its id. */
  readonly object?: Post | Article | 'gone';
  /** The result of a lookup that settled nothing. `none`: there is no lookup for the operation. */
  readonly trace?: 'unclear' | 'none';
  /** Until when another run may still be sending the request, in ms since 1970. `undefined`: none can be. */
  readonly busyUntil?: number | undefined;
}

/** What is to be done with an action next. */
export type Next =
  /** It has happened. */
  | { readonly do: 'nothing' }
  /** Its request is sent. */
  | { readonly do: 'send' }
  /** Its result is looked up: it may have happened. */
  | { readonly do: 'look' }
  /** What it has made is read. `change`: what follows if it is pending. Without a change, a list is enough if it has the object. */
  | { readonly do: 'see'; readonly operation: string; readonly id: string | number; readonly change?: Change }
  /** What it has made is changed or deleted. After a deletion, the action is carried out anew. */
  | { readonly do: 'change'; readonly change: Change; readonly fields: readonly string[] }
  /** The entry is set right by what the service shows. */
  | { readonly do: 'note'; readonly entry: Ended }
  /** It cannot be done under this key. */
  | { readonly do: 'refuse'; readonly code: 'already_online' | 'already_done'; readonly message: string }
  /** Another run may still be sending it. */
  | { readonly do: 'wait'; readonly until: number }
  /** A person must find out whether it happened. */
  | { readonly do: 'settle'; readonly why: string };

type Change = 'update' | 'delete';

/** The code of an action whose real request was answered with a preview. */
export const PREVIEWED = 'preview_received';

/** Whether it is unknown if an action happened. The earlier run was killed, or did not receive a clear response. */
export function isOpen(entry: Entry | undefined): boolean {
  return entry?.outcome === 'started' || entry?.outcome === 'unknown';
}

/** Whether the request of an entry may be sent again: twice has the effect of once. */
export function isRepeatableEntry({ operation, change }: Entry): boolean {
  const endpoint = endpoints.find((each) => each.operation === operation);
  return change !== undefined || (endpoint !== undefined && isRepeatable(endpoint));
}

/**
 * Says what follows for an action from its entry and from what the service shows. It asks for what it needs to see. Changes
 * nothing, so a rehearsal and a run decide alike.
 */
export function decide(action: Action, entry: Entry | undefined, sight: Sight): Next {
  if (!entry || entry.outcome === 'not_applied') return { do: 'send' };
  const isSame = entry.hash === action.hash;
  if (entry.outcome === 'applied') return isSame ? whetherThere(entry, sight) : corrected(action, entry, sight);
  if (entry.error === PREVIEWED) return { do: 'settle', why: ANSWERED };
  if (isRepeatableEntry(entry)) {
    // An older version of the plan may be on its way: it must not arrive last.
    if (!isSame && sight.busyUntil !== undefined) return { do: 'wait', until: sight.busyUntil };
    if (entry.change) return corrected(action, entry, sight);
    return entry.operation === action.operation && entry.target === action.target ? { do: 'send' } : otherAction(entry);
  }
  if (sight.trace === undefined) return { do: 'look' };
  if (sight.busyUntil !== undefined) return { do: 'wait', until: sight.busyUntil };
  return { do: 'settle', why: sight.trace === 'none' ? UNREADABLE : UNCLEAR };
}

const ANSWERED =
  'the service answered the request with a preview. Check the address and the key: they may belong to a test system';
const UNREADABLE = 'no read of the service shows whether it did';
const UNCLEAR = 'the service does not show whether it did';

/** The id of what was made, if it is one thing. */
export function idOf({ ids = [] }: Entry): string | number | undefined {
  return ids.length === 1 ? ids[0] : undefined;
}

/** A post that a person has deleted frees its key. */
function whetherThere(entry: Entry, { object }: Sight): Next {
  const id = idOf(entry);
  if (entry.operation !== 'posts.create' || id === undefined) return { do: 'nothing' };
  if (object === undefined) return { do: 'see', operation: entry.operation, id };
  return object === 'gone' ? { do: 'note', entry: freed(entry) } : { do: 'nothing' };
}

/**
 * The key was carried out with other parameters, or such a correction was begun, and it is unknown whether it happened. Both
 * kinds of it may be repeated.
 */
function corrected(action: Action, entry: Entry, { object }: Sight): Next {
  if (isOther(action, entry)) return otherAction(entry);
  if (isRepeatable(action.endpoint)) return entry.target === action.target ? { do: 'send' } : otherAction(entry);
  const change = entry.change === 'delete' ? 'delete' : changeOf(action, entry);
  const id = idOf(entry);
  if (change === undefined || id === undefined) return uncorrectable(action);
  if (object === undefined) return { do: 'see', operation: entry.operation, id, change };
  if (object === 'gone') return { do: 'note', entry: freed(entry) };
  if (isOnline(object) && entry.change) {
    const hash = entry.hash === action.hash && shows(object, digestsOf(action)) ? entry.hash : entry.was;
    return { do: 'note', entry: kept(entry, hash) };
  }
  if (isOnline(object)) {
    const message = `What was made under this key (id ${id}) is online, or about to be, and cannot be corrected by a plan. ${NEW_KEY}`;
    return { do: 'refuse', code: 'already_online', message };
  }
  const fields = entry.change ? updatable(action) : fieldsOf(action, entry, object);
  // The service changes only pending posts.
  const hasFailed = 'platforms' in object && object.status === 'error';
  return { do: 'change', change: hasFailed ? 'delete' : change, fields };
}

const NEW_KEY = 'If it is to happen once more, give the action a new `key`.';

function uncorrectable({ operation }: Action): Next {
  const message = `${operation} was carried out with other parameters under this key, and cannot be corrected. ${NEW_KEY}`;
  return { do: 'refuse', code: 'already_done', message };
}

/** A view of another location does not move a post: a plan that is run in each view would delete all but the last one. */
function isOther({ operation, target, isInView }: Action, entry: Entry): boolean {
  return entry.operation !== operation || (isInView === true && entry.target !== target);
}

function otherAction({ operation, target, outcome }: Entry): Next {
  const what = `${operation}${target === undefined ? '' : ` (${target})`}`;
  const known = outcome === 'applied' ? 'was' : 'may have been';
  const message = `The key belongs to ${what}, which ${known} carried out. ${NEW_KEY}`;
  return { do: 'refuse', code: 'already_done', message };
}

/** Whether a post has the text and the moments of an action. */
export function shows(object: Post | Article, digests: Digests = {}): boolean {
  return 'content' in object && digestOf(object.content) === digests.content && isScheduled(object, digests);
}

/** The entry of an action whose result is gone: it may be carried out anew. */
export function freed({ ids: _, change: __, was: ___, error: ____, ...entry }: Entry): Ended {
  return { ...entry, outcome: 'not_applied' };
}

/** The entry of an action whose result is there, with this hash. */
export function kept({ change: _, was: __, error: ___, status: ____, ...entry }: Entry, hash = entry.hash): Ended {
  return { ...entry, hash, outcome: 'applied' };
}

const UPDATES: Readonly<Record<string, readonly string[]>> = {
  'posts.create': ['content', 'scheduled_at'],
  'articles.create': [
    ...['title', 'excerpt', 'meta_title', 'meta_description'],
    ...['target_keyword', 'featured_image_url', 'category'],
  ],
};

/** How a correction is made, or `undefined` if there is no way. */
function changeOf(action: Action, entry: Entry): Change | undefined {
  const fields = UPDATES[action.operation];
  if (!fields) return undefined;
  const now = digestsOf(action);
  // A field that is left out keeps its value, so an update cannot remove it.
  const isPlain = (name: string) => fields.includes(name) && now[name] !== undefined;
  if (differences(entry.digests, now).every(isPlain)) return 'update';
  return action.operation === 'posts.create' ? 'delete' : undefined;
}

/** The fields that a correction changes. Two texts that differ only in their form have one digest. */
function fieldsOf(action: Action, entry: Entry, object: Post | Article): readonly string[] {
  const found = differences(entry.digests, digestsOf(action));
  if (found.length > 0) return found;
  const differs = (name: string) => name !== 'scheduled_at' && Reflect.get(object, name) !== fieldOf(action, name);
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
  return (UPDATES[action.operation] as readonly string[]).filter((name) => now[name] !== undefined);
}

export const PENDING: readonly unknown[] = ['pending', 'scheduled', 'error'];

/** Whether a post is on a platform, or may be on its way; whether an article is online. One platform is enough. */
export function isOnline(object: Post | Article): boolean {
  if (!('platforms' in object)) return ONLINE.includes(object.status);
  const dates = Object.entries(object).filter(([name]) => name.startsWith('published_'));
  return !PENDING.includes(object.status) || dates.some(([, date]) => Boolean(date));
}
