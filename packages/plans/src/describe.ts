// cspell:ignore expir
import type { Post, ReviewContact } from 'multilocal';
import type { Params } from 'multilocal/internal/endpoint';
import { clip } from 'multilocal/internal/text';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import { type Action, at, type PlanProblem, targetNames } from './actions.js';
import { operations, rowOf } from './operations.js';
import type { PlanOperation } from './plan.js';
import { fieldInWords, remarks } from './remarks.js';
import { type Thing, timeOf } from './shown.js';
import type { Shown } from './targets.js';
import {
  COLON,
  fieldsOf,
  inLocale,
  type Locale,
  localMoment,
  momentsIn,
  platformName,
  platformNames,
  reviewInWords,
  whenWritten,
  withoutFile,
} from './words.js';

/** What an action uses of a monthly quota. */
export interface PlanQuota {
  /** `social publications`, `SMS` … */
  readonly name: string;
  /** What the action uses: publications, messages, articles … */
  readonly uses: number;
  /** What is left before the action, if the preview says so. */
  readonly left?: number;
}

/** What an action does: `publish a post now on Facebook`. */
export const phraseOf = ({ operation, params }: Action) => operations[operation as PlanOperation].phrase(params);

/** Says what would happen, or cannot happen. The sentence has no texts and no contacts of the plan. */
export function describe(action: Action, isRefused: boolean, place?: string, locale: Locale = 'en'): string {
  const phrase = phraseOf(action);
  const where = place ?? action.target;
  const does = inLocale(isRefused ? remarks.cannot(phrase) : remarks.would(phrase), locale);
  return `${does}${where === undefined ? '' : ` (${where})`}.`;
}

/**
 * The same with all that a person must see: the name of the location or listing, the moments as they are written, the whole text, the
 * review that is answered, the post or article that is named by its id, and all else that the parameters make.
 */
export function describeWhole(action: Action, isRefused: boolean, shown: Shown, locale: Locale, remark = '') {
  const { place, review, thing, owner = '' } = shown;
  const { params } = action;
  const when = momentsIn(params).map(
    ([name, value]) => `${name === 'scheduled_at' ? '' : `${platformName(name.slice(10))} `}${value}`,
  );
  const sentence = describe(action, isRefused, place, locale).slice(0, -1);
  const dated = when.length > 0 ? inLocale(remarks.dated(when.join(', ')), locale) : '';
  const there = thing && thingInWords(thing, owner, whenWritten(params), locale);
  const text = params.content ?? params.text ?? there?.[1];
  const texts = [review && reviewInWords(review, inLocale(COLON, locale)), there?.[0], text];
  return [
    `${sentence}${dated}.${remark === '' ? '' : ` ${remark}`}`,
    ...texts.filter((text) => typeof text === 'string'),
    ...othersIn(action, locale),
  ] as [sentence: string, ...texts: string[]];
}

/** What the sentence and the text say. */
const SAID = ['platforms', 'publish_now', 'content', 'text'];

/** The other parameters, whole: media, texts of platforms, new values … Contacts have only their messages, each once. */
function othersIn(action: Action, locale: Locale): string[] {
  const { endpoint, params } = action;
  const { contacts = [], ...rest } = params;
  const said = [...SAID, ...targetNames(endpoint)];
  const isOther = (name: string) => !said.includes(name) && !name.startsWith('scheduled_');
  const mask = endpoint.confidential?.(params);
  const messages = (contacts as ReviewContact[]).flatMap(({ customer_name, custom_message }) =>
    custom_message ? withoutContacts(withoutName(custom_message, customer_name), mask) : [],
  );
  const others = [
    ...fieldsOf(rest).filter(([name]) => isOther(name)),
    ['custom_message', [...new Set(messages)]] as const,
  ];
  return others.flatMap(([name, value]) =>
    [value].flat().map((item) => inLocale(remarks.given(name, printOrNothing(item, action, locale)), locale)),
  );
}

/** A message without the name of its customer, whose words it may use one by one. A word in small letters is no name. */
function withoutName(message: string, name: string): string {
  const known: readonly string[] = name.normalize().toLowerCase().match(WORD) ?? [];
  return message.replace(WORD, (word) => {
    return !/^\p{Ll}/u.test(word) && known.includes(word.normalize().toLowerCase()) ? '[masked]' : word;
  });
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** A post or an article where it is, and its text. */
function thingInWords(
  thing: Thing,
  owner: string,
  written: unknown,
  locale: Locale,
): [string, string | null | undefined] {
  if ('platforms' in thing) return [postInWords(thing, owner, written, locale), thing.content];
  return [inLocale(remarks.article(owner, thing.title ?? ''), locale), thing.excerpt];
}

/** `Lyon: post on Facebook, Google for 2026-12-24 09:00 (UTC+1)`. */
export function postInWords(post: Post, place: string, written: unknown, locale: Locale): string {
  const platforms = platformNames(post.platforms);
  const moments = post.platforms.flatMap((platform) => {
    const date = timeOf(Reflect.get(post, `scheduled_${platform}`));
    return Number.isNaN(date) ? [] : localMoment(new Date(date), written);
  });
  return inLocale(remarks.postOn(place, platforms, [...new Set(moments)].join(', ')), locale);
}

/** Returns what an action uses of which quota, or `{}`. The fields of `quota` are not documented. */
export function quotaOf({ operation, params }: Action, quota: unknown): { quota?: PlanQuota[] } {
  const uses = rowOf(operation).uses?.(params) ?? [];
  const own = uses.map(({ name, uses: count, part }) => {
    return { name, uses: count, ...leftIn(part === undefined ? quota : Object(quota)[part]) };
  });
  return own.length > 0 ? { quota: own } : {};
}

function leftIn(quota: unknown): { left?: number } {
  const { remaining, limit, used } = Object(quota) as Record<string, unknown>;
  if (typeof remaining === 'number') return { left: remaining };
  return typeof limit === 'number' && typeof used === 'number' ? { left: limit - used } : {};
}

/** Returns the fields of a preview that say more than the sentence: `would be online at: Facebook 2026-12-01 09:00 (UTC+1)`. */
export function detailsOf(action: Action, preview: Params, locale: Locale): string[] {
  const { endpoint, params } = action;
  const mask = endpoint.confidential?.(params);
  // The sentence has the text already.
  const given = [params.text, params.content];
  const fields = Object.entries(preview).filter(
    ([name, value]) =>
      name.startsWith('would_') && name !== 'would_warn' && typeof value !== 'boolean' && !given.includes(value),
  );
  return fields.flatMap(([name, value]) => {
    // The fields of a request for reviews hold contacts.
    const shown = endpoint.confidential && typeof value !== 'number' ? '' : print(value, action);
    return shown === '' ? [] : [inLocale(fieldInWords(name, clip(withoutContacts(shown, mask))), locale)];
  });
}

/** What a warning of ours and one of the service say both. */
const TOPICS: Readonly<Record<string, RegExp>> = {
  needs_reconnect: /connexion|connect|expir/i,
  in_the_past: /pass[ée]e|in the past/i,
};

/** Returns the warnings of a preview that say something else than those that are known: CI shows only ten. */
export function warningsOf(action: Action, { would_warn }: Params, known: readonly PlanProblem[]): PlanProblem[] {
  const mask = action.endpoint.confidential?.(action.params);
  const isKnown = (warning: string) => known.some(({ code }) => TOPICS[code]?.test(warning));
  const warnings = [would_warn].flat().filter((warning) => typeof warning === 'string');
  return warnings.flatMap((warning) => {
    const message = clip(withoutContacts(warning, mask));
    return isKnown(warning) ? [] : [{ code: 'preview_warning', message, path: at(action) }];
  });
}

/** Prints a value, or that there is none. */
export function printOrNothing(value: unknown, action: Pick<Action, 'params'>, locale: Locale): string {
  return print(value, action) || inLocale(remarks.nothing(), locale);
}

/** Prints a value. Moments are at the offset of the action. */
function print(value: unknown, action: Pick<Action, 'params'>): string {
  const { params } = action;
  if (typeof value === 'string') {
    // A day stays a day.
    const moment = value.length > '2026-12-24'.length ? parseTimestamp(value) : null;
    return moment ? localMoment(moment, whenWritten(params)) : withoutFile(value);
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.flatMap((item) => print(item, action) || []).join(', ');
  if (typeof value !== 'object' || value === null) return '';
  const platforms = [params.platforms].flat();
  const named = (name: string) => (platforms.includes(name) ? platformName(name) : name);
  const parts = Object.entries(value).map(([name, field]) => [named(name), print(field, action)]);
  return parts.flatMap(([name, text]) => (text === '' ? [] : [`${name} ${text}`])).join(', ');
}

/** Masks e-mail addresses, international phone numbers, and what `mask` masks: the contacts of the plan in any spelling. */
export function withoutContacts(text: string, mask = (given: string) => given): string {
  return mask(text)
    .replace(/[^\s@<>"]+@[^\s@<>"]+/g, '[masked]')
    .replace(/\+\d[\d .()-]{6,}\d/g, '[masked]');
}
