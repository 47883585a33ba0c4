import type { ReviewRequestParams } from 'multilocal';
import { withoutForm } from 'multilocal/internal/text';
import type { Action } from './actions.js';
import { canonical, instantOf, sha256 } from './hash.js';

/**
 * What a journal keeps of the parameters of an action, by their names: ids, platforms, moments and days as they are, the
 * SHA-256 of anything else. So a lost action is looked for by what was sent, although its parameters have changed since, and
 * a correction names the fields that differ.
 */
export type Digests = Readonly<Record<string, string>>;

/** What a lookup asks the service for, or compares as it is. */
const PLAIN = new Set([
  ...['bulle_id', 'fiche_id', 'fiche_ids', 'post_id', 'article_id', 'review_id'],
  ...['type', 'date_start', 'date_end', 'publish_now'],
]);

/** Returns the digests of an action in its place, whether its target is written out or not. */
export function digestsOf(action: Pick<Action, 'operation' | 'params' | 'own'>): Digests {
  const { operation } = action;
  const params = { ...action.own, ...action.params };
  if (operation === 'acquisition.requestReviews') return digestsOfRequests(params);
  // Both names mean the text of what is published.
  const { text, ...others } = params;
  const isNow = operation === 'social.publish' && params.scheduled_at === undefined;
  const content = others.platforms === undefined || text === undefined ? {} : { content: text };
  const all = 'content' in content ? { ...others, ...content, ...(isNow && { publish_now: true }) } : params;
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, digest(name, value)]));
}

/** Contacts leave only their number: a digest of a phone number could be reversed. */
function digestsOfRequests({ contacts, fiche_id }: Action['params']): Digests {
  const channels = (contacts as ReviewRequestParams['contacts']).map(({ channel }) => channel);
  const count = (wanted: string) => String(channels.filter((channel) => channel === wanted).length);
  return { ...(typeof fiche_id === 'string' && { fiche_id }), sms: count('sms'), email: count('email') };
}

/** What a journal keeps of a value. */
export function digest(name: string, value: unknown): string {
  if (name.startsWith('scheduled_')) return instantOf(String(value));
  if (name === 'platforms') return [value].flat().sort().join(',');
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
