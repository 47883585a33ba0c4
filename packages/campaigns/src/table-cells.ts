// cspell:ignore insta
import { wallProblem } from 'multilocal/internal/zoned-time';
import { type Locations, suggestion } from './rows.js';

/** What a cell stands for, or what is wrong with it. */
export type Cell<Value> = { readonly value: Value } | { readonly code: Code; readonly message: string };
type Code = 'unknown_location' | 'ambiguous_location' | 'invalid_date' | 'invalid_time' | 'unknown_platform';

/** Returns a text as people compare it: without accents, capitals, kinds of spaces, dashes and apostrophes. */
export function folded(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
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
    return { code: 'ambiguous_location', message: `stands for several locations: ${them.join(', ')}. Write the id` };
  }
  const names = all.flatMap(({ id, name, city }) => [name, city, id].filter((one) => typeof one === 'string'));
  const part = names.find((name) => folded(name).includes(folded(text)));
  const hint = part === undefined ? suggestion(folded(text), names) : ` Did you mean \`${part}\`?`;
  const message = `is not the id, the name or the city of a location of the key.${hint}`;
  return { code: 'unknown_location', message };
}

/** Reads a day: `2026-12-24`, or `24/12/2026` if its order is known. */
export function dayOf(text: string, order: 'dmy' | undefined): Cell<string> {
  const isDayFirst = /^\d\d?[/.-]\d\d?[/.-]\d{4}$/.test(text);
  const parts = text.split(/[/.-]/).map((part) => part.padStart(2, '0'));
  const value = isDayFirst && order ? parts.reverse().join('-') : text;
  const code = 'invalid_date';
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) {
    const hint = isDayFirst ? '. For 24/12/2026, set `dateOrder` to "dmy"' : order ? ' or 24/12/2026' : '';
    return { code, message: `must be a day such as 2026-12-24${hint}` };
  }
  // A post of the past is published at once.
  if (value < '2000') return { code, message: 'must be a day after 1999. Look at the year' };
  return wallProblem(`${value}T00:00`) ? { code, message: 'must be a day that exists' } : { value };
}

/** Reads a time: `09:00`, `9h`, `9h30`. */
export function timeOf(text: string): Cell<string> {
  const [, hours, minutes = '00'] = /^(\d\d?) ?(?:h|: ?(?=\d)) ?(\d\d)?(?:: ?00)?$/i.exec(text) ?? [];
  const value = `${hours?.padStart(2, '0')}:${minutes}`;
  return wallProblem(`2000-01-01T${value}`)
    ? { code: 'invalid_time', message: 'must be a time such as 09:00, 9h or 9h30' }
    : { value };
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
    const message = `has an unknown platform "${unknown}".${suggestion(unknown, [...NAMES.keys()])}`;
    return { code: 'unknown_platform', message };
  }
  return { value: [...new Set(named.map((name) => NAMES.get(name) as string))] };
}

/** Splits a cell with several addresses. An address may have a comma of its own. */
export function addressesOf(text: string): string[] {
  return text.split(/[,;|]?\s+|[,;|](?=https?:)/).filter(Boolean);
}
