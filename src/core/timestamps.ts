const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z|([+-]\d\d):?(\d\d)?)?)?$/i;

/**
 * Turn a timestamp of the service into a `Date`, reading a missing offset as UTC (`expires_at` of a connection has none).
 * `null` for `null`, `undefined` and what is not a timestamp. A `Date` has milliseconds: never use one as a cursor.
 * @example parseTimestamp('2026-11-21T09:30:00')?.toISOString(); // '2026-11-21T09:30:00.000Z'
 */
export function parseTimestamp(value: string | null | undefined): Date | null {
  const [, day, time = '00:00', hours, minutes = '00'] = TIMESTAMP.exec(value?.trim() ?? '') ?? [];
  const date = new Date(`${day}T${time}${hours ? `${hours}:${minutes}` : 'Z'}`);
  return Number.isNaN(+date) ? null : date;
}

/**
 * What sorts as the timestamp does, to the last digit of its fraction: services write microseconds, and a `Date` would
 * take two of them for one. `undefined` if it cannot be read.
 */
export function sortKey(value: string): string | undefined {
  const [fraction = ''] = /\.\d+/.exec(value) ?? [];
  const second = parseTimestamp(value.replace(fraction, ''))?.toISOString();
  return second && second + fraction.slice(1).padEnd(12, '0');
}

/** Whether one timestamp is later than another; `undefined` where either cannot be read. */
export function isLater(timestamp: string, other: string): boolean | undefined {
  const key = sortKey(timestamp);
  const otherKey = sortKey(other);
  return key && otherKey ? key > otherKey : undefined;
}

/** One that cannot be read counts as later unless they are the same: a version too many beats one too few. */
export function isAfter(timestamp: string, other: string): boolean {
  return isAfterThat(other)(timestamp);
}

/** As {@link isAfter}, for many timestamps that are compared with one. */
export function isAfterThat(other: string): (timestamp: string) => boolean {
  const otherKey = sortKey(other);
  return (timestamp) => {
    const key = otherKey && sortKey(timestamp);
    return key && otherKey ? key > otherKey : timestamp !== other;
  };
}
