// cspell:ignore insta
import type { Both } from '@multilocal/plans/words';
import { wallProblem } from 'multilocal/internal/zoned-time';
import type { Locations } from './rows.js';
import { SAID } from './sentences.js';

/** What a cell stands for, or what is wrong with it. */
export type Cell<Value> = { readonly value: Value } | { readonly code: Code; readonly said: Both };
type Code = 'unknown_location' | 'ambiguous_location' | 'invalid_date' | 'invalid_time' | 'unknown_platform';

/** Returns a text as people compare it: without accents, capitals, kinds of spaces, dashes and apostrophes. */
export function folded(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase();
  return plain
    .replaceAll(/\p{Pd}/gu, '-')
    .replaceAll(/[’‘ʼ]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Finds a location by its id, or by the name or the city that only it has. */
export function locationOf(text: string, known: Locations): Cell<string> {
  if (known.has(text)) return { value: text };
  const all = [...known.values()];
  const meant = all.filter(({ name, city }) => [name, city].some((one) => one && folded(one) === folded(text)));
  const [first] = meant;
  if (first && meant.length === 1) return { value: first.id };
  if (first) {
    const them = meant.slice(0, 5).map(({ id, name }) => `\`${name ?? id}\` (${id})`);
    return { code: 'ambiguous_location', said: SAID.severalLocations(them.join(', ')) };
  }
  const names = all.flatMap(({ id, name, city }) => [name, city, id].filter((one) => typeof one === 'string'));
  const part = names.find((name) => folded(name).includes(folded(text)));
  return { code: 'unknown_location', said: SAID.unknownLocation(part, folded(text), names) };
}

/** Reads a day: `2026-12-24`, or `24/12/2026` if its order is known. */
export function dayOf(text: string, order: 'dmy' | undefined): Cell<string> {
  const isDayFirst = /^\d\d?[/.-]\d\d?[/.-]\d{4}$/.test(text);
  const parts = text.split(/[/.-]/).map((part) => part.padStart(2, '0'));
  const value = isDayFirst && order ? parts.reverse().join('-') : text;
  const code = 'invalid_date';
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) {
    return { code, said: SAID.day(isDayFirst ? 'missing' : order && 'known') };
  }
  // A post of the past is published at once.
  if (value < '2000') return { code, said: SAID.year() };
  return wallProblem(`${value}T00:00`) ? { code, said: SAID.noDay() } : { value };
}

/** Reads a time: `09:00`, `9h`, `9h30`. */
export function timeOf(text: string): Cell<string> {
  const [, hours, minutes = '00'] = /^(\d\d?)\s?(?:h|: ?(?=\d))\s?(\d\d)?(?:: ?00)?$/i.exec(text) ?? [];
  const value = `${hours?.padStart(2, '0')}:${minutes}`;
  return wallProblem(`2000-01-01T${value}`) ? { code: 'invalid_time', said: SAID.time() } : { value };
}

/** What people call the platforms, besides their names. */
const PEOPLE_SAY = {
  facebook: ['fb'],
  instagram: ['insta'],
  gmb: ['google', 'google business', 'google my business', 'google business profile', 'fiche google'],
  linkedin: [],
  pinterest: [],
  tiktok: [],
  snapchat: [],
  youtube: [],
};
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(PEOPLE_SAY).flatMap(([name, others]) => [name, ...others].map((other) => [other, name] as const)),
);

/** Reads the names of platforms. */
export function platformsOf(text: string): Cell<string[]> {
  const parts = text.split(/[,;+/|&\n]| et | and /).flatMap((part) => {
    const name = folded(part);
    return NAMES.has(name) || name.includes('google') ? [name] : name.split(' ');
  });
  const named = parts.filter(Boolean);
  const unknown = named.find((name) => !NAMES.has(name));
  if (unknown !== undefined) {
    return { code: 'unknown_platform', said: SAID.platform(unknown, [...NAMES.keys()]) };
  }
  return { value: [...new Set(named.map((name) => NAMES.get(name) as string))] };
}

/** Splits a cell with several addresses. An address may have a comma of its own. */
export function addressesOf(text: string): string[] {
  return text.split(/[,;|]?\s+|[,;|](?=https?:)/).filter(Boolean);
}
