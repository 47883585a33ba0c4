import type { Client, ReviewRequestParams } from 'multilocal';
import { withoutForm } from 'multilocal/internal/text';
import { type Action, inView } from './actions.js';
import { canonical, instantOf, sha256 } from './hash.js';
import type { Entry } from './journal-content.js';

/**
 * What a journal keeps of the parameters of an action, by their names: ids, platforms, moments and days as they are, the
 * SHA-256 of anything else. So a lost action is looked for by what was sent, although its parameters have changed since, and
 * a correction names the fields that differ.
 */
export type Digests = Readonly<Record<string, string>>;

/** What a lookup asks the service for, or compares as it is. */
const PLAIN = new Set([
  ...['bulle_id', 'fiche_id', 'fiche_ids', 'post_id', 'article_id', 'review_id'],
  ...['platforms', 'type', 'date_start', 'date_end'],
  // Nobody asks for it, but journals of earlier versions have it as it is: with another digest, a new text would be a new post.
  'publish_now',
]);

/** Returns the digests of an action. */
export function digestsOf({ operation, params, order }: Pick<Action, 'operation' | 'params' | 'order'>): Digests {
  if (operation === 'acquisition.requestReviews') return digestsOfRequests(params);
  // Both names mean the same field.
  const { text, ...others } = params;
  const all = operation === 'posts.create' && text !== undefined ? { ...others, content: text } : params;
  const digests = Object.entries(all).map(([name, value]) => [name, digest(name, value)]);
  return { ...Object.fromEntries(digests), ...(order !== undefined && { platforms: order }) };
}

/** Contacts leave only their number: a digest of a phone number could be reversed. */
function digestsOfRequests({ contacts, fiche_id }: Action['params']): Digests {
  const channels = (contacts as ReviewRequestParams['contacts']).map(({ channel }) => channel);
  const count = (wanted: string) => String(channels.filter((channel) => channel === wanted).length);
  return { ...(typeof fiche_id === 'string' && { fiche_id }), sms: count('sms'), email: count('email') };
}

function digest(name: string, value: unknown): string {
  if (name.startsWith('scheduled_')) return instantOf(String(value));
  if (PLAIN.has(name)) return [value].flat().join(',');
  return typeof value === 'string' ? digestOf(value) : sha256(canonical(value));
}

/** The SHA-256 of a text without its form: services trim, normalise and lower what they store. */
export function digestOf(text: string | null | undefined): string {
  return sha256((withoutForm(text) ?? '').toLowerCase());
}

/** The names of the parameters that differ. One differs in its form only if none is found. */
export function differences(before: Digests = {}, now: Digests): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => before[name] !== now[name]);
}

/**
 * The actions in the view of a client, with the keys and hashes that they have with their platforms in the order in which the journal
 * knows them: another order is neither a correction nor another post. The hash of a plan stands for what is written, and depends on no
 * journal.
 */
export function asKnown(given: readonly Action[], client: Client, entries: ReadonlyMap<string, Entry>): Action[] {
  let actions = inView(given, client);
  for (const order of new Set([...entries.values()].flatMap(({ digests }) => digests?.platforms ?? []))) {
    const turned = given.map((action) => inOrder(action, order));
    if (turned.every((action, index) => action === given[index])) continue;
    const others = inView(turned, client);
    const taken = new Set(actions.map(({ key }) => key));
    const isKnown = ({ key }: Action) => entries.get(key)?.digests?.platforms === order;
    actions = actions.map((action, index) => {
      const other = others[index] as Action;
      const { key, hash } = other;
      if (!isKnown(other) || (key === action.key && turned[index] === given[index])) return action;
      const isFree = key === action.key || !(entries.has(action.key) || taken.has(key));
      // Equal actions have numbers, which may all be known: `#2` of one order is not the first of another.
      const areKnown = others.filter((each) => each.hash === hash).every(isKnown);
      return isFree || areKnown ? { ...action, key, hash, order } : action;
    });
  }
  return actions;
}

/** The action with its platforms in an order. The same action if it has others, or has that order. */
function inOrder(action: Action, order: string): Action {
  const [written, names] = [[action.params.platforms].flat(), order.split(',')];
  const isTurned = `${written}` !== order && `${written.sort()}` === `${[...names].sort()}`;
  return isTurned ? { ...action, params: { ...action.params, platforms: names } } : action;
}
