import * as z from 'zod/mini';
import { invalid } from '../core/request.js';
import * as s from '../core/schema.js';
import { isDay, isInCalendar, isTemporal, parseTimestamp, timeOf } from '../core/timestamps.js';
import { type BulleTarget, type FicheTarget, PLATFORMS, type PlatformName, type ScheduledAt } from '../core/types.js';

/** The zod schema of {@link BulleTarget}. */
export const bulleTargetSchema: s.ObjectSchema<BulleTarget> = s.params({ bulle_id: s.target });

/** The zod schema of {@link FicheTarget}. */
export const ficheTargetSchema: s.ObjectSchema<FicheTarget> = s.params({ fiche_id: s.target });

/** A calendar day. A `Date` is refused because its day depends on the time zone. */
export const day = s.matching(isDay, 'a day that exists, as YYYY-MM-DD');

/** The platforms to publish on: at least one, and none twice, so that nothing is published twice. */
export const platforms = s.list(s.oneOf(PLATFORMS), 1, Number.POSITIVE_INFINITY, [
  ...s.sized<unknown[]>((names) => names.length, 1, Number.POSITIVE_INFINITY, 'must name at least one platform'),
  z.refine((names) => new Set(names).size === names.length, 'must name each platform only once'),
]);

/** One field for each platform: `scheduled_facebook` … */
export function perPlatform<Prefix extends string, Field extends z.core.SomeType>(prefix: Prefix, field: Field) {
  const fields = PLATFORMS.map((platform) => [`${prefix}_${platform}`, field]);
  return Object.fromEntries(fields) as { [Name in `${Prefix}_${PlatformName}`]: Field };
}

/** A future moment. A string needs an offset: without one, the hour would depend on the reader's time zone. */
export const scheduledAt = s.anyOf(
  [
    ...s.dates,
    s
      .matching(isMoment, 'a date-time that exists, with `Z` or an offset (+01:00)')
      .check(z.refine<string>(fitsZone, { error: ({ input }) => whyUnfit(`${input}`) })),
  ],
  'a valid Date, a Temporal.Instant, a Temporal.ZonedDateTime or a string',
);

/** A field that belongs only to another form of the object. */
export const absent = z.optional(z.never('must be absent'));

const HAS_OFFSET = /^\d.+T.+(Z|[+-]\d\d(:?\d\d)?)$/i;

/** Whether a text is a date-time that exists, with an offset, and perhaps with a time zone in brackets. */
export function isMoment(value: string): boolean {
  const { text } = partsOf(value);
  return HAS_OFFSET.test(text) && isDay(text.slice(0, 10)) && parseTimestamp(text) !== null;
}

/** Says why the offset of a date-time is not that of its time zone. */
function whyUnfit(value: string): string {
  const isKnown = offsetIn(partsOf(value).zone ?? '', new Date(0)) !== undefined;
  return isKnown ? 'must have the offset of its time zone at that moment' : 'names an unknown time zone';
}

/** Whether the offset of a date-time is the one that its time zone has at that moment. True if there is nothing to compare. */
export function fitsZone(value: string): boolean {
  const { text, zone } = partsOf(value);
  const at = parseTimestamp(text);
  if (zone === undefined || !at || !isMoment(value)) return true;
  const [, hours = '+00', minutes = '00'] = /([+-]\d\d):?(\d\d)?$/.exec(text) ?? [];
  return offsetIn(zone, at) === `${hours}:${minutes}`.replace('-00:00', '+00:00');
}

/**
 * Returns a moment as the service understands it: ISO 8601 with an offset and without a time zone. Any other value is
 * returned unchanged.
 */
export function toWire(value: unknown): unknown {
  if (isTemporal(value) && isInCalendar(timeOf(value))) return new Date(timeOf(value)).toISOString();
  return typeof value === 'string' && isMoment(value) && fitsZone(value) ? partsOf(value).text : value;
}

/**
 * Writes parameters in the form that the service understands. `params` is the call's own copy.
 * @throws {InvalidRequestError} if the copy lacks something: a getter of a class, or an inherited field.
 */
export function normalize(params: Record<string, unknown>, given: unknown = params): void {
  if (!isPlain(given)) throw invalid([{ path: [], message: 'must be a plain object: getters would be lost' }]);
  for (const name in params)
    if (name.startsWith('scheduled_') || Object(params[name]).epochMilliseconds !== undefined)
      params[name] = toWire(params[name]);
  if (Array.isArray(params.contacts)) params.contacts = params.contacts.map(withoutBlanks);
}

/** Whether an object shows only fields of its own. */
function isPlain(value: unknown): boolean {
  const above = Object.getPrototypeOf(Object(value));
  if (!above || !Object.getPrototypeOf(above)) return true;
  const added = Object.values(Object.getOwnPropertyDescriptors(above));
  return isPlain(above) && !added.some(({ enumerable, get }) => enumerable || get);
}

/** The address fields of a contact that have no value. Rows of a database hold `null`, `''` or blanks there. */
const BLANK = ['customer_phone', 'customer_email'] as const;

function withoutBlanks(contact: unknown): unknown {
  if (s.tagOf(contact) !== 'Object') return contact;
  const copy = { ...(contact as Record<string, unknown>) };
  for (const name of BLANK) {
    if (copy[name] === null || (typeof copy[name] === 'string' && !copy[name].trim())) delete copy[name];
  }
  return copy;
}

/** Returns a checked moment in ms since 1970. */
export function millisecondsOf(value: ScheduledAt): number {
  const written = toWire(value);
  return timeOf(typeof written === 'string' ? parseTimestamp(written) : written);
}

const SUFFIXED = /^([^[]*)(?:\[!?([^[\]=!]+)\])?(?:\[(?:!?u-ca|[a-z_][\w-]*)=[a-z\d-]+\])*$/i;

function partsOf(value: string): { text: string; zone?: string } {
  // A `!` marks a suffix that must not be ignored. The date is of the ISO calendar, whatever calendar a suffix names.
  const [, text = value, zone] = SUFFIXED.exec(value) ?? [];
  return { text, ...(zone !== undefined && { zone }) };
}

/** Returns the offset of a time zone, such as `+01:00`. `undefined` if the runtime does not know the zone. */
function offsetIn(timeZone: string, at: Date): string | undefined {
  // A zone may be an offset itself. Node 20 does not take these for time zones.
  if (/^[+-]/.test(timeZone)) return timeZone;
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value;
    return name?.slice('GMT'.length) || '+00:00';
  } catch {
    return undefined;
  }
}
