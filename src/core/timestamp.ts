const OFFSET = /(Z|[+-]\d\d(:?\d\d)?)$/i;

/**
 * Turn a timestamp of the service into a `Date`, reading a missing offset as UTC (`expires_at` of a connection has none).
 * `null` for `null`, `undefined` and what is not a timestamp. A `Date` has milliseconds: never use one as a cursor.
 * @example parseTimestamp('2026-11-21T09:30:00')?.toISOString(); // '2026-11-21T09:30:00.000Z'
 */
export function parseTimestamp(value: string | null | undefined): Date | null {
  if (!value) return null;
  const [, day, time, offset] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(.*))?$/i.exec(value.trim()) ?? [];
  if (!day || (offset && !OFFSET.test(offset))) return null;
  const date = new Date(`${day}T${time ?? '00:00'}${offsetOf(offset)}`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** `+02` and `+0200` as `+02:00`, which every engine reads; none as UTC. */
function offsetOf(offset: string | undefined): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset ?? '') ?? [];
  return sign ? `${sign}${hours}:${minutes}` : 'Z';
}

/**
 * Whether one timestamp is later than another, to the last digit of its fraction: services write microseconds, and
 * a `Date` would take two of them for one. `undefined` where either cannot be read.
 */
export function isLater(a: string, b: string): boolean | undefined {
  const [one, other] = [split(a), split(b)];
  if (!one || !other) return undefined;
  return one.second === other.second ? one.fraction > other.fraction : one.second > other.second;
}

function split(value: string): { second: number; fraction: string } | undefined {
  const fraction = /\.(\d+)/.exec(value)?.[1] ?? '';
  const second = parseTimestamp(value.replace(/\.\d+/, ''))?.getTime();
  return second === undefined ? undefined : { second, fraction: fraction.padEnd(12, '0') };
}
