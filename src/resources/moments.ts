import * as s from '../core/schema.js';
import { isDay, isInCalendar, parseTimestamp } from '../core/timestamps.js';
import type { ScheduledAt, TemporalMoment, Timestamp } from '../core/types.js';

const HAS_OFFSET = /^\d.+T.+(Z|[+-]\d\d(:?\d\d)?)$/i;

/** Whether a value is a `Temporal.Instant` or a `Temporal.ZonedDateTime`, of the runtime or of a polyfill. */
export function isTemporal(value: unknown): value is TemporalMoment {
  const { epochMilliseconds } = Object(value) as Partial<TemporalMoment>;
  return (
    typeof epochMilliseconds === 'number' &&
    isInCalendar(epochMilliseconds) &&
    /^Temporal\.(Instant|ZonedDateTime)$/.test(s.tagOf(value))
  );
}

/** Whether a text is a date-time that exists, with an offset, and perhaps with a time zone in brackets. */
export function isMoment(value: string): boolean {
  const { text } = partsOf(value);
  return HAS_OFFSET.test(text) && isDay(text.slice(0, 10)) && parseTimestamp(text) !== null;
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
  if (isTemporal(value)) return new Date(value.epochMilliseconds).toISOString();
  return typeof value === 'string' && isMoment(value) && fitsZone(value) ? partsOf(value).text : value;
}

/** Writes the dates of a call as the service understands them. The parameters are the call's own copy. */
export function writeMoments(params: Record<string, unknown>): void {
  for (const name in params) if (name.startsWith('scheduled_')) params[name] = toWire(params[name]);
}

/** Returns a checked moment in ms since 1970. */
export function millisecondsOf(value: ScheduledAt): number {
  const written = toWire(value) as Timestamp;
  return (typeof written === 'string' ? parseTimestamp(written) : written)?.getTime() ?? Number.NaN;
}

function partsOf(value: string): { text: string; zone?: string } {
  const [, text = value, zone] = /^([^[]*)\[([^[\]]+)\]$/.exec(value) ?? [];
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
