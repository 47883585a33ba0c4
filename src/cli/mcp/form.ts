import { parseTimestamp } from '../../core/timestamps.js';
import type { Action } from '../../plans/actions.js';
import { describe } from '../../plans/describe.js';
import type { Connected, Session } from './session.js';

/**
 * The text that a person confirms: each action with its whole texts, the names of locations and listings, and each moment
 * as it was written and in the zone of this machine. Contacts are counted, not shown.
 */
export async function formOf(
  actions: readonly Action[],
  done: number,
  connected: Connected,
  session: Session,
): Promise<string> {
  const { sphere, bulle } = connected.identity;
  const names = await namesOf(actions, connected, session);
  const count = actions.length === 1 ? 'this action' : `these ${actions.length} actions`;
  const before = done > 0 ? ` ${done} of the plan happened before.` : '';
  const head = `Carry out ${count} for ${oneLine(bulle ? `${bulle.name} (${sphere.name})` : sphere.name)}?${before}`;
  return [head, ...actions.map((action, index) => `${index + 1}. ${entry(action, names, session)}`)].join('\n\n');
}

/** The names of the locations and listings that the actions are about. Locations are read if no call has shown them. */
async function namesOf(
  actions: readonly Action[],
  { client, identity }: Connected,
  session: Session,
): Promise<ReadonlyMap<string, string>> {
  const isUnknown = ({ params: { bulle_id } }: Action) =>
    typeof bulle_id === 'string' && !session.seen.has(`bulle_id ${bulle_id}`);
  if (actions.some(isUnknown))
    for (const one of await client.bulles.list()) session.remember('bulles.list', one, undefined);
  const names = new Map(identity.gmb_fiches.map(({ id, name }) => [id, name]));
  return identity.bulle ? names.set(identity.bulle.id, identity.bulle.name) : names;
}

const OBJECTS: ReadonlySet<string> = new Set(['review_id', 'post_id', 'article_id']);

const UNSEEN = 'not read by this server: look at it before you confirm';

function entry(action: Action, names: ReadonlyMap<string, string>, { seen }: Session): string {
  const { params } = action;
  const sentence = describe({ ...action, target: undefined }, false).replace(/^Would (.)/, (_, first) =>
    first.toUpperCase(),
  );
  const moment = impliedMoment(action);
  const lines = Object.entries(params).map(([name, value]) => {
    const known = names.get(String(value)) ?? seen.get(`${name} ${value}`) ?? (OBJECTS.has(name) ? UNSEEN : undefined);
    return `   ${name}: ${known === undefined ? print(name, value) : `${indented(known)} (${value})`}`;
  });
  return [sentence, ...lines, ...(moment === undefined ? [] : [`   when: ${moment}`])].join('\n');
}

/** What the service takes if an action names no moment. */
export function impliedMoment({ operation, params }: Action): string | undefined {
  if (Object.keys(params).some((name) => name.startsWith('scheduled_'))) return undefined;
  if (operation === 'posts.create') return params.publish_now === true ? 'at once' : 'in one hour';
  return ['social.publish', 'articles.publish', 'posts.publish'].includes(operation) ? 'at once' : undefined;
}

function print(name: string, value: unknown): string {
  if (name === 'contacts' && Array.isArray(value)) return contacts(value);
  if (name === 'image_base64') return `${String(value).length} characters`;
  if (name.startsWith('scheduled_')) return `${value} (${localTime(String(value))})`;
  if (Array.isArray(value) && value.every((item) => Object(item) !== item)) return indented(value.join(', '));
  return indented(typeof value === 'string' ? value : JSON.stringify(value, null, 1));
}

function contacts(list: readonly unknown[]): string {
  const lines = list.map((one) => {
    const { customer_name, channel, custom_message } = Object(one);
    return `   - ${indented(`${customer_name} by ${channel}${custom_message ? `: ${custom_message}` : ''}`)}`;
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

/** A text may not look like another action of the form, and nothing in it is invisible. */
function indented(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(
      /(?!\n)[\p{Cc}\p{Bidi_C}\u200B\u2028\u2029]/gu,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .replaceAll('\n', '\n      ');
}

function oneLine(text: string): string {
  return indented(text.replace(/\s+/g, ' '));
}
