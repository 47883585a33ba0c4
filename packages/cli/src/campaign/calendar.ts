import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, flushFolder, replaceFile } from '@multilocal/stores/files';
import type { ArgsDef } from 'citty';
import { offsetsOf } from 'multilocal/internal/zoned-time';
import type { CalendarOptions, Plan } from 'multilocal/plans';
import { LOCALE, option } from '../command.js';
import { EXIT, Failed, UsageError } from '../failure.js';
import { USAGE, unwritable } from '../usage-said.js';

/** The flags of how a calendar looks. */
export const LOOKS = {
  locale: LOCALE,
  title: option('Heading of the calendar (default: the name of the plan)', 'text'),
  brand: option('HTML calendar: whose publications they are', 'name'),
  client: option('HTML calendar: who it is for', 'name'),
  logo: option('HTML calendar: a picture, at most 200 kB', 'file'),
} as const satisfies ArgsDef;

type Looks = { readonly [Name in keyof typeof LOOKS]?: string | undefined };

/** Reads the flags of {@link LOOKS}. */
export async function looksOf({ locale, title, brand, client, logo }: Looks): Promise<Partial<CalendarOptions>> {
  const picture = logo === undefined ? undefined : await pictureOf(logo);
  return { locale: locale as CalendarOptions['locale'], title, brand, client, logo: picture };
}

const MOST_BYTES = 200_000;
/** How files begin, as text of one byte a character. */
const KINDS: readonly (readonly [kind: string, begin: RegExp])[] = [
  ['png', /^\x89PNG/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['svg+xml', /<svg[\s>]/],
];

/** The page loads nothing, so the picture is part of it. */
async function pictureOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error) => {
    throw new UsageError(...USAGE.unreadable(file, codeOf(error)));
  });
  const begin = bytes.subarray(0, 2_000).toString('latin1');
  const [kind] = KINDS.find(([, sign]) => sign.test(begin)) ?? [];
  if (kind === undefined) throw new UsageError(...USAGE.noPicture(file));
  if (bytes.length > MOST_BYTES) {
    throw new UsageError(...USAGE.largePicture(file, Math.ceil(bytes.length / 1000), MOST_BYTES / 1000));
  }
  return `data:image/${kind};base64,${bytes.toString('base64')}`;
}

const FORMATS = ['html', 'ics', 'csv'] as const;

/** The format of a calendar by its name. */
export function formatOf(calendar: string): CalendarOptions['format'] {
  const format = FORMATS.find((one) => calendar.toLowerCase().endsWith(`.${one}`));
  if (format) return format;
  throw new UsageError(...USAGE.calendarFile());
}

interface Zones {
  readonly zone: string;
  readonly zones: Readonly<Record<string, string>>;
}

/** Reads `Europe/Paris`, and `bul_denis=Indian/Reunion` for single locations. `undefined` if nothing is given. */
export function zonesOf(given: readonly string[]): Zones | undefined {
  if (given.length === 0) return undefined;
  const parts = given.map((each) => each.split('='));
  const [zone] = parts.find(({ length }) => length === 1) ?? [];
  const own = parts.filter(({ length }) => length > 1);
  if (zone === undefined || own.some((part) => part.length > 2 || part.includes(''))) {
    throw new UsageError(...USAGE.zones());
  }
  return { zone, zones: Object.fromEntries(own) };
}

const PARIS = 'Europe/Paris';
const FIXED = Array.from({ length: 27 }, (_, hours) => `Etc/GMT${hours < 14 ? '' : '+'}${hours - 14}`);

/** The zones of a plan: Paris, and for other locations the first one whose clocks show all that the plan has written for them. */
export function zonesOfPlan({ actions }: Plan): Zones {
  const written = new Map<string, [moment: number, offset: string][]>();
  for (const { params } of actions) {
    const { bulle_id, ...fields } = Object(params) as Readonly<Record<string, unknown>>;
    const dates = Object.entries(fields).flatMap(([name, date]) => (name.startsWith('scheduled_') ? String(date) : []));
    for (const date of dates) {
      const [, offset = '+00:00'] = /([+-]\d\d:\d\d)(\[|$)/.exec(date) ?? [];
      const moment = Date.parse(date.replace(/\[.*$/, ''));
      const own = written.get(String(bulle_id)) ?? [];
      if (!Number.isNaN(moment)) written.set(String(bulle_id), [...own, [moment, offset]]);
    }
  }
  const zones: Record<string, string> = {};
  // Some zones are not of whole hours, and some have a summer.
  for (const zone of [PARIS, 'UTC', ...FIXED, ...Intl.supportedValuesOf('timeZone')]) {
    if (written.size === 0) break;
    const offsetAt = offsetsOf(zone);
    for (const [id, clocks] of written) {
      if (!clocks.every(([moment, offset]) => offsetAt(moment) === offset)) continue;
      if (zone !== PARIS) zones[id] = zone;
      written.delete(id);
    }
  }
  return { zone: PARIS, zones };
}

/** Writes a result. @throws a {@link Failed} with the reason of the system. */
export async function writeResult(file: string, text: string): Promise<void> {
  try {
    await replaceFile(file, text);
    await flushFolder(dirname(file));
  } catch (error) {
    const code = codeOf(error);
    if (code === '') throw error;
    throw new Failed(unwritable(file, code), {}, EXIT.failed);
  }
}
