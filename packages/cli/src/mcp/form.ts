import { type Action, clockOf, impliedMoment, phraseOf, platformNames, readActions } from '@multilocal/plans/inside';
import { withoutFile } from '@multilocal/plans/words';
import type { Post } from 'multilocal';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import type { PlanLeftOver, RehearsedAction } from 'multilocal/plans';
import { countedOf } from '../plan/placed-action.js';
import { capital, nameOf, plural } from '../words.js';
import type { Job } from './rehearsing.js';
import type { Rehearsed } from './session.js';
import { visible } from './visible.js';

/** What a form is about. */
interface FormContent {
  readonly rehearsed: Rehearsed;
  /** The actions of the plan that happened before. */
  readonly done: readonly { readonly operation: string; readonly done_at: string | undefined }[];
}

/**
 * The text that a person confirms: each action with its whole texts, the names of locations and listings, and each moment
 * as it was written and in the zone of this machine, and each post that is deleted. Posts and articles that exist are read afresh.
 * Contacts are counted, not shown.
 */
export async function formOf({ rehearsed, done }: FormContent, job: Job): Promise<string> {
  const { sphere, bulle } = job.identity;
  const { rehearsal, warnings } = rehearsed;
  const given = readActions(job.saved.file.plan).actions;
  const left = rehearsal.actions.filter(({ state }) => state !== 'done');
  const actions = left.flatMap(({ index }) => given[index] ?? []);
  const others = rehearsal.leftOvers.filter(({ step }) => step !== 'adopt');
  const old = others.flatMap(({ posts }) => posts);
  const names = await namesOf(actions, old, job);
  const { others: sent, deleted } = countedOf(left, others);
  const what = [
    ...(sent > 0 ? [`Carry out ${sent === 1 ? 'this action' : `these ${sent} actions`}`] : []),
    ...(deleted > 0 ? [`${sent > 0 ? 'delete' : 'Delete'} ${plural(deleted, 'post')}`] : []),
  ].join(' and ');
  const before = done.length > 0 ? ` ${done.length} of the plan happened before.` : '';
  const place = oneLine(bulle ? `${nameOf(bulle)} (${nameOf(sphere)})` : nameOf(sphere));
  const entries = [
    ...actions.map((action, index) => entry(action, names, left[index] as RehearsedAction)),
    ...others.map((leftOver) => leftOverEntry(leftOver, names)),
  ].map((text, index) => `${index + 1}. ${text}`);
  const listed = (head: string, lines: readonly string[]) =>
    lines.length > 0 ? [`${head}:\n${lines.map((line) => `   ${line}`).join('\n')}`] : [];
  return [
    `${what} for ${place}?${before}`,
    ...entries,
    ...listed(
      'Done before',
      done.map(({ operation, done_at }) => `${operation}: ${localTime(done_at ?? '')}`),
    ),
    ...listed('Warnings', warnings.map(oneLine)),
  ].join('\n\n');
}

/** What the actions are about, by `bulle_id abc`, `fiche_id abc`, `post_id 12` … Reads what no call has shown, and what may have changed. */
async function namesOf(
  actions: readonly Action[],
  old: readonly Post[],
  job: Job,
): Promise<ReadonlyMap<string, string>> {
  const { client, identity, session, turn } = job;
  const { signal } = turn;
  const names = new Map(session.seen);
  for (const fiche of identity.gmb_fiches) names.set(`fiche_id ${fiche.id}`, nameOf(fiche));
  if (identity.bulle) names.set(`bulle_id ${identity.bulle.id}`, nameOf(identity.bulle));
  const idsOf = (name: string) => [...new Set(actions.flatMap(({ params }) => params[name] ?? []))];
  const posts = await Promise.all(idsOf('post_id').map((id) => client.posts.get(Number(id), { signal })));
  const articles = await Promise.all(idsOf('article_id').map((id) => client.articles.get(Number(id), { signal })));
  const bulles = [...idsOf('bulle_id'), ...[...posts, ...old].map(({ bulle_id }) => bulle_id)];
  if (bulles.some((id) => !names.has(`bulle_id ${id}`))) {
    for (const bulle of await client.bulles.list({ signal })) {
      session.remember('bulles.list', bulle);
      names.set(`bulle_id ${bulle.id}`, nameOf(bulle));
    }
  }
  for (const post of posts) names.set(`post_id ${post.id}`, postInWords(post, names));
  for (const { id, title, bulle_name, excerpt } of articles) {
    const text = `${title ?? 'no title'}. ${excerpt ?? ''}`.trim();
    names.set(`article_id ${id}`, `the article of ${bulle_name ?? 'the brand'}: ${text}`);
  }
  return names;
}

function postInWords({ content, platforms, bulle_id }: Post, names: ReadonlyMap<string, string>): string {
  const place = names.get(`bulle_id ${bulle_id}`) ?? bulle_id;
  return `the post on ${platformNames(platforms)} of ${place}: ${content ?? 'no text'}`;
}

const UNSEEN = 'a review that this server has not read: look at it before you confirm';

const CHANGES = { update: 'Change', replace: 'Delete and make anew', retry: 'Publish again', adopt: 'Take over' };

/** A correction is not described like a new action: it says what it changes, with the old and the new value. */
function entry(action: Action, names: ReadonlyMap<string, string>, { change, key, details }: RehearsedAction): string {
  const fields = change?.fields ? `: ${change.fields.join(', ')}` : '';
  const head = change ? `${CHANGES[change.kind]} what ${key} has made${fields}` : capital(phraseOf(action)[0]);
  const moment = impliedMoment(action);
  const lines = Object.entries(action.params).map(([name, value]) => `   ${name}: ${print(name, value, names)}`);
  if (moment !== undefined) lines.push(`   when: ${moment}`);
  const on = change?.platforms ? [`   only on: ${platformNames(change.platforms)}`] : [];
  const changes = change ? [...details.map((line) => `   ${ofOthers(line)}`), ...on, '   The whole action:'] : [];
  return [`${oneLine(head)}.`, ...changes, ...lines].join('\n');
}

/** A post that the plan no longer has: what happens to it, its whole text and its moments. */
function leftOverEntry({ key, ids, step, posts }: PlanLeftOver, names: ReadonlyMap<string, string>): string {
  const lines = posts.flatMap((post) => {
    const moments = new Set(post.platforms.flatMap((platform) => Reflect.get(post, `scheduled_${platform}`) ?? []));
    return [`post: ${postInWords(post, names)}`, ...Array.from(moments, (moment) => `when: ${momentInWords(moment)}`)];
  });
  const head = oneLine(`${step === 'delete' ? 'Delete' : 'Keep'} the post of ${key} (id ${ids.join(', ')}).`);
  return [head, ...lines.map((line) => `   ${ofOthers(line)}`)].join('\n');
}

const momentInWords = (moment: unknown) => `${moment} (${localTime(String(moment))})`;

function print(name: string, value: unknown, names: ReadonlyMap<string, string>): string {
  if (name === 'contacts' && Array.isArray(value)) return [value.length, ...value.map(contactLine)].join('\n');
  if (name.startsWith('scheduled_')) return momentInWords(value);
  const shown = (one: unknown) => {
    const known = names.get(`${name.replace(/s$/, '')} ${one}`) ?? (name === 'review_id' ? UNSEEN : undefined);
    return known === undefined ? withoutFile(String(one)) : `${known} (${one})`;
  };
  const isPlain = [value].flat().every((item) => Object(item) !== item);
  return ofOthers(isPlain ? [value].flat().map(shown).join(', ') : JSON.stringify(value, null, 1));
}

function contactLine(contact: unknown): string {
  const { customer_name, channel, custom_message } = Object(contact);
  return `   - ${ofOthers(`${customer_name} by ${channel}${custom_message ? `: ${custom_message}` : ''}`)}`;
}

/** A moment in words on the clock on which it was written, which is that of the location, and in the zone of this machine. */
export function localTime(moment: string): string {
  const date = parseTimestamp(moment);
  if (!date) return moment;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const here = inWords(date, timeZone);
  const { shifted, clock } = clockOf(date, moment) ?? {};
  const there = shifted ? inWords(shifted, 'UTC') : here;
  return there === here ? `${here}, ${timeZone}` : `${there}, ${clock}; ${here}, ${timeZone}`;
}

function inWords(date: Date, timeZone: string): string {
  return date.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone });
}

/**
 * Shows a text of a customer, a model or the service. Nothing in it is invisible, and each further line begins with a mark,
 * so that no line can look like another action, even where a program drops spaces.
 */
function ofOthers(text: string): string {
  return visible(text.replace(/\r\n?/g, '\n')).replaceAll('\n', '\n   │ ');
}

function oneLine(text: string): string {
  return ofOthers(text.replace(/\s+/g, ' '));
}
