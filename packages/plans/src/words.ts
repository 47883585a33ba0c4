// cspell:ignore Commande Mehdi oubliée
import type { Review } from 'multilocal';
import type { Params } from 'multilocal/internal/endpoint';

/** The languages of everything that people are shown. */
export const LOCALES = ['en', 'fr'] as const;
export type Locale = (typeof LOCALES)[number];

/** A text in English and in French. */
export type Both = readonly [en: string, fr: string];

/** The text of a language. */
export function inLocale([en, fr]: Both, locale: Locale): string {
  return locale === 'fr' ? fr : en;
}

/** What stands between a name and what is said of it. */
export const COLON: Both = [': ', ' : '];

/** The names of quotas in French. */
export const quotas: Readonly<Record<string, string>> = {
  'social publications': 'publications',
  SMS: 'SMS',
  'e-mails': 'e-mails',
  articles: 'articles',
  'SEO scans': 'analyses SEO',
};

/** `UTC+4`, from `+04:00`. */
export function offsetInWords(offset: string): string {
  return `UTC${offset.replace(/0?(\d+):00/, '$1').replace(/\+0$/, '')}`;
}

const NAMES = new Map(
  Object.entries({
    ...{ facebook: 'Facebook', instagram: 'Instagram', pinterest: 'Pinterest', snapchat: 'Snapchat' },
    ...{ gmb: 'Google', linkedin: 'LinkedIn', tiktok: 'TikTok', youtube: 'YouTube' },
  }),
);

/** The name of a platform, for people. */
export function platformName(platform: string): string {
  return NAMES.get(platform) ?? `${platform.slice(0, 1).toUpperCase()}${platform.slice(1)}`;
}

/** A reason that others wrote, without the full stop that the sentence around it has. */
export function asPart(reason: string): string {
  return reason.trim().replace(/(?<!\.)\.$/, '');
}

/** `Facebook, Google`. */
export function platformNames(platforms: readonly string[]): string {
  return platforms.map(platformName).join(', ');
}

/** ` (id 1001, 1002)`. Nothing without ids. */
export function inBrackets(ids: readonly (string | number)[] = []): string {
  return ids.length > 0 ? ` (id ${ids.join(', ')})` : '';
}

/** A moment at the offset of another one, for people: `2026-12-24 09:00 (UTC+1)`. In UTC if the other has no offset. */
export function localMoment(moment: Date, like: unknown): string {
  const { shifted, clock } = clockOf(moment, like) ?? { shifted: moment, clock: 'UTC' };
  const shown = shifted.toISOString();
  return `${shown.slice(0, 10)} ${shown.slice(11, 16)} (${clock})`;
}

/** The clock on which a moment was written: a date that shows it in UTC, and `UTC+1`. `undefined` if it was written without an offset. */
export function clockOf(moment: Date, like: unknown): { readonly shifted: Date; readonly clock: string } | undefined {
  const [offset] = /[+-]\d\d:\d\d/.exec(String(like)) ?? [];
  if (offset === undefined) return undefined;
  const shifted = new Date(+moment - Date.parse(`1970-01-01T00:00${offset}`));
  return { shifted, clock: offsetInWords(offset) };
}

/** `★☆☆☆☆ Mehdi R.: Commande oubliée`. */
export function reviewInWords({ rating, customer_name, text }: Review, colon: string): string {
  const stars = Math.min(5, Math.max(0, Math.round(rating)));
  const by = [`${'★'.repeat(stars)}${'☆'.repeat(5 - stars)}`, customer_name].filter(Boolean).join(' ');
  return text ? `${by}${colon}${text}` : by;
}

/** The type and the size of a file that is a text. Other texts are unchanged. */
export function withoutFile(text: string): string {
  const [head, type] = /^data:([\w/+.-]+);base64,/i.exec(text) ?? [];
  return head === undefined ? text : `${type} (${Math.ceil(((text.length - head.length) * 3) / 4_000)} kB)`;
}

/** The parameters of an action by their names, those within an object each by a name of its own: `content_per_platform.gmb`. */
export function fieldsOf(params: Params): [name: string, value: unknown][] {
  return Object.entries(params).flatMap(([name, value]) => {
    if (Array.isArray(value) || Object(value) !== value) return [[name, value] as [string, unknown]];
    return Object.entries(value as Params).map(([inner, field]): [string, unknown] => [`${name}.${inner}`, field]);
  });
}

/** The platform of a moment or text, if the action is not for it. What other names in `content_per_platform` mean is not documented. */
export function idlePlatform(name: string, { platforms }: Params): string | undefined {
  const [, platform = ''] = /^(?:scheduled_|content_per_platform\.)(.+)$/.exec(name) ?? [];
  return NAMES.has(platform) && platforms && ![platforms].flat().includes(platform) ? platform : undefined;
}

/** The moments of an action as the plan has them. */
export function momentsIn(params: Params): [name: string, moment: unknown][] {
  return Object.entries(params).filter(([name]) => name.startsWith('scheduled_') && !idlePlatform(name, params));
}

/** The first of them, whose offset is that of its location. */
export function whenWritten(params: Params): unknown {
  return momentsIn(params)[0]?.[1];
}
