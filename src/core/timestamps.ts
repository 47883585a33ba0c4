import type { TemporalMoment } from './types.js';

export const DAY = 86_400_000;
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/i;

/**
 * Turns a timestamp of the service into a `Date`. A missing offset means UTC (`expires_at` of a connection has none).
 * Returns `null` for `null`, `undefined` and invalid timestamps. A `Date` has only milliseconds, so never use one as a
 * cursor.
 * @example parseTimestamp('2026-11-21T09:30:00')?.toISOString(); // '2026-11-21T09:30:00.000Z'
 */
export function parseTimestamp(value: string | null | undefined): Date | null {
  const [, day, time = '00:00', hours, minutes = '00'] = TIMESTAMP.exec(String(value ?? '').trim()) ?? [];
  const date = new Date(`${day}T${time}${hours ? `${hours}:${minutes}` : 'Z'}`);
  return Number.isNaN(+date) ? null : date;
}

/**
 * Returns the time in ms of a `Date`, even of another realm, such as a `vm` context, or of a moment of `Temporal`. `NaN` for
 * other values.
 */
export function timeOf(value: unknown): number {
  try {
    return Date.prototype.getTime.call(value);
  } catch {
    return isTemporal(value) ? Number(value.epochMilliseconds) : Number.NaN;
  }
}

/** Whether a value is a moment of `Temporal`, of the runtime or of a polyfill. Its other types are no moments. */
export function isTemporal(value: unknown): value is TemporalMoment {
  return /Temporal\.(Instant|ZonedDateTime)]/.test(Object.prototype.toString.call(value));
}

/** Whether a time in ms is valid and has a year that timestamps can hold: 0001 to 9999. */
export function isInCalendar(time: number): boolean {
  const year = new Date(time).getUTCFullYear();
  return year > 0 && year <= 9999;
}

/** Whether a text is a calendar day that exists. */
export function isDay(value: string): boolean {
  return value.length === 10 && isTimestamp(value);
}

/** Whether a text is a day, or a day and a time, that exists. */
export function isTimestamp(value: string): boolean {
  // `Date` takes 30 February for 2 March.
  const exists = new Date(value.slice(0, 10)).getUTCDate() === +value.slice(8, 10);
  return exists && value === value.trim() && isInCalendar(timeOf(parseTimestamp(value)));
}

/**
 * Returns a string that sorts like the timestamp, including all digits of its fraction. Services write microseconds,
 * and a `Date` would treat two of them as equal. Returns `undefined` if the timestamp cannot be read.
 */
export function sortKey(value: unknown): string | undefined {
  // Under `validation: 'warn'`, a response may hold anything.
  const text = String(value);
  const [fraction = ''] = /\.\d+/.exec(text) ?? [];
  const second = parseTimestamp(text.replace(fraction, ''))?.toISOString();
  return second && second + fraction.slice(1).padEnd(12, '0');
}

/** Whether one timestamp is later than another. `undefined` if one of them cannot be read. */
export function isLater(timestamp: string, other: string): boolean | undefined {
  const key = sortKey(timestamp);
  const otherKey = sortKey(other);
  return key && otherKey ? key > otherKey : undefined;
}

/** IMF-fixdate and RFC 850 end in GMT. asctime ends in its year and also means GMT. */
const HTTP_DATE = /^[A-Z][a-z]+,? .*\d(:\d\d){2} (GMT|\d{4})$/;

/** Returns the values of a header that a proxy may have joined. The comma after a day of the week does not count. */
export function partsOf(header: string | null): string[] {
  return (header?.match(/\s*([A-Z][a-z]+,)?[^,]+/g) ?? []).map((part) => part.trim());
}

/** Reads an HTTP date, in ms since 1970. */
export function parseHttpDate(header: string | null): number | undefined {
  const [text = ''] = partsOf(header);
  const at = HTTP_DATE.test(text) ? Date.parse(text.replace(/(\d)$/, '$1 GMT')) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
