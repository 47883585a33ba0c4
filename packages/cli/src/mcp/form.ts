import type { Action } from '@multilocal/plans/actions';
import { describe } from '@multilocal/plans/describe';
import { showInvisible } from '@multilocal/plans/invisible';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import type { Connected, Session } from './session.js';

/** What a form is about. */
export interface FormContent {
  /** The actions that have not happened yet. */
  readonly actions: readonly Action[];
  /** The actions of the plan that happened before. */
  readonly done: readonly { readonly operation: string; readonly at: string }[];
  /** What is corrected, by key. */
  readonly changes: ReadonlyMap<string, { readonly summary: string }>;
  /** What the rehearsal warned of. */
  readonly warnings: readonly string[];
}

/**
 * The text that a person confirms: each action with its whole texts, the names of locations and listings, and each moment
 * as it was written and in the zone of this machine. Posts and articles that exist are read afresh. Contacts are counted, not shown.
 */
export async function formOf(
  { actions, done, warnings, changes }: FormContent,
  connected: Connected,
  session: Session,
): Promise<string> {
  const { sphere, bulle } = connected.identity;
  const names = await namesOf(actions, connected, session);
  const count = actions.length === 1 ? 'this action' : `these ${actions.length} actions`;
  const before = done.length > 0 ? ` ${done.length} of the plan happened before.` : '';
  const head = `Carry out ${count} for ${oneLine(bulle ? `${nameOf(bulle)} (${nameOf(sphere)})` : nameOf(sphere))}?${before}`;
  const entries = actions.map((action, index) => {
    const { summary } = changes.get(action.key) ?? {};
    const correction = summary === undefined ? '' : `\n   correction: ${oneLine(summary)}`;
    return `${index + 1}. ${entry(action, names)}${correction}`;
  });
  const past = done.map(({ operation, at }) => `   ${operation}: ${localTime(at)}`);
  if (past.length > 0) entries.push(`Done before:\n${past.join('\n')}`);
  const remarks = warnings.length > 0 ? [`Warnings:\n${warnings.map((text) => `   ${oneLine(text)}`).join('\n')}`] : [];
  return [head, ...entries, ...remarks].join('\n\n');
}

/** What the actions are about, by `bulle_id abc`, `fiche_id abc`, `post_id 12` … Reads what no call has shown, and what may have changed. */
async function namesOf(
  actions: readonly Action[],
  { client, identity }: Connected,
  session: Session,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(identity.gmb_fiches.map((fiche) => [`fiche_id ${fiche.id}`, nameOf(fiche)]));
  if (identity.bulle) names.set(`bulle_id ${identity.bulle.id}`, nameOf(identity.bulle));
  const posts = await Promise.all(idsOf(actions, 'post_id').map((id) => client.posts.get(Number(id))));
  const articles = await Promise.all(idsOf(actions, 'article_id').map((id) => client.articles.get(Number(id))));
  const bulles = [...idsOf(actions, 'bulle_id'), ...posts.map(({ bulle_id }) => bulle_id)].map(
    (id) => `bulle_id ${id}`,
  );
  if (bulles.some((name) => !names.has(name) && !session.seen.has(name))) {
    for (const one of await client.bulles.list()) session.remember('bulles.list', one);
  }
  const all = new Map([...session.seen, ...names]);
  for (const { id, content, platforms, bulle_id } of posts) {
    const place = all.get(`bulle_id ${bulle_id}`) ?? bulle_id;
    all.set(`post_id ${id}`, `the post on ${platforms.join(', ')} of ${place}: ${content ?? 'no text'}`);
  }
  for (const { id, title, bulle_name, excerpt } of articles) {
    all.set(
      `article_id ${id}`,
      `the article of ${bulle_name ?? 'the brand'}: ${title ?? 'no title'}. ${excerpt ?? ''}`.trim(),
    );
  }
  return all;
}

/** A name, or the id of what has none. */
function nameOf({ id, name }: { id: string; name?: string | null }): string {
  return name ?? id;
}

function idsOf(actions: readonly Action[], name: string): string[] {
  return [...new Set(actions.flatMap(({ params }) => (params[name] === undefined ? [] : String(params[name]))))];
}

const UNSEEN = 'a review that this server has not read: look at it before you confirm';

function entry(action: Action, names: ReadonlyMap<string, string>): string {
  const { params } = action;
  const sentence = describe({ ...action, target: undefined }, false).replace(/^Would (.)/, (_, first) =>
    first.toUpperCase(),
  );
  const moment = impliedMoment(action);
  const lines = Object.entries(params).map(([name, value]) => `   ${name}: ${print(name, value, names)}`);
  return [sentence, ...lines, ...(moment === undefined ? [] : [`   when: ${moment}`])].join('\n');
}

/** What the service takes if an action names no moment. */
export function impliedMoment({ operation, params }: Action): string | undefined {
  if (Object.keys(params).some((name) => name.startsWith('scheduled_'))) return undefined;
  if (operation === 'posts.create') return params.publish_now === true ? 'at once' : 'in one hour';
  return ['social.publish', 'articles.publish', 'posts.publish'].includes(operation) ? 'at once' : undefined;
}

function print(name: string, value: unknown, names: ReadonlyMap<string, string>): string {
  if (name === 'contacts' && Array.isArray(value)) return contacts(value);
  if (name === 'image_base64') return `${String(value).length} characters`;
  if (name.startsWith('scheduled_')) return `${value} (${localTime(String(value))})`;
  const known = (id: unknown) =>
    names.get(`${name.replace(/s$/, '')} ${id}`) ?? (name === 'review_id' ? UNSEEN : undefined);
  const shown = (one: unknown) => (known(one) === undefined ? String(one) : `${known(one)} (${one})`);
  const isList = Array.isArray(value) && value.every((item) => Object(item) !== item);
  if (isList) return ofOthers(value.map(shown).join(', '));
  return ofOthers(Object(value) === value ? JSON.stringify(value, null, 1) : shown(value));
}

function contacts(list: readonly unknown[]): string {
  const lines = list.map((one) => {
    const { customer_name, channel, custom_message } = Object(one);
    return `   - ${ofOthers(`${customer_name} by ${channel}${custom_message ? `: ${custom_message}` : ''}`)}`;
  });
  return `${list.length}\n${lines.join('\n')}`;
}

/** A moment in the zone of this machine. */
export function localTime(moment: string): string {
  const date = parseTimestamp(moment);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const options = { dateStyle: 'full', timeStyle: 'short', timeZone } as const;
  return date ? `${date.toLocaleString('en-GB', options)}, ${timeZone}` : moment;
}

/**
 * Shows a text of a customer, a model or the service. Nothing in it is invisible, and each further line begins with a mark,
 * so that no line can look like another action, even where a program drops spaces.
 */
function ofOthers(text: string): string {
  return showInvisible(text.replace(/\r\n?/g, '\n'), (code) => `\\u{${code}}`).replaceAll('\n', '\n   │ ');
}

function oneLine(text: string): string {
  return ofOthers(text.replace(/\s+/g, ' '));
}
