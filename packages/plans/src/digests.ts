import { withoutForm } from 'multilocal/internal/text';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import type { Action } from './actions.js';
import { canonical, sha256 } from './hash.js';

/**
 * What a journal keeps of the parameters of an action, by their names: ids, platforms, moments and days as they are, the
 * SHA-256 of anything else. So a lost action is looked for by what was sent, although its parameters have changed since, and
 * a correction names the fields that differ.
 */
export type Digests = Readonly<Record<string, string>>;

const PLAIN =
  /^(?:bulle_id|fiche_ids?|post_id|article_id|review_id|platforms|type|date_\w+|scheduled_\w+|publish_now)$/;

/** Returns the digests of an action. `undefined` for operations that are neither looked for nor corrected. */
export function digestsOf({ operation, params }: Pick<Action, 'operation' | 'params'>): Digests | undefined {
  if (operation === 'acquisition.requestReviews') return digestsOfRequests(params);
  if (UNREADABLE.has(operation)) return undefined;
  // Both names mean the same field.
  const { text, ...others } = params;
  const all = operation === 'posts.create' && text !== undefined ? { ...others, content: text } : params;
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, digest(name, value)]));
}

/** Nothing shows whether they happened, and nothing can be corrected. */
const UNREADABLE = new Set([
  'social.publish',
  'gmb.optimizer.apply',
  'seo.keywordLookup',
  'images.upload',
  'images.generate',
]);

/** Contacts leave only their number: a digest of a phone number could be reversed. */
function digestsOfRequests({ contacts, fiche_id }: Action['params']): Digests {
  const channels = [contacts].flat().map((contact) => String(Object(contact).channel));
  const count = (wanted: string) => String(channels.filter((channel) => channel === wanted).length);
  const target: Digests = typeof fiche_id === 'string' ? { fiche_id } : {};
  return { ...target, sms: count('sms'), email: count('email') };
}

function digest(name: string, value: unknown): string {
  if (name.startsWith('scheduled_')) return parseTimestamp(String(value))?.toISOString() ?? String(value);
  if (PLAIN.test(name)) return [value].flat().join(',');
  return typeof value === 'string' ? digestOf(value) : sha256(canonical(value));
}

/** The SHA-256 of a text without its form: services trim, normalise and lower what they store. */
export function digestOf(text: string | null | undefined): string {
  return sha256((withoutForm(text) ?? '').toLowerCase());
}

/** The names of the parameters that differ. One differs in its form only if none is found. */
export function differences(before: Digests, now: Digests): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => before[name] !== now[name]);
}
