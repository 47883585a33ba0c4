import { anyOf, array, date, oneOf, string, where } from './schema.js';
import { parseTimestamp } from './timestamp.js';
import type { PlatformName } from './types.js';

/** A moment in a parameter: `Date` or string; a `Date` is written as ISO 8601 in UTC when the request is built. */
export const timestamp = /* @__PURE__ */ anyOf(string, date);

const HAS_OFFSET = /^\d.+T.+(Z|[+-]\d\d(:?\d\d)?)$/i;

/** A future moment: without an offset, the hour would depend on who reads it. */
export const scheduledAt = /* @__PURE__ */ anyOf(
  date,
  /* @__PURE__ */ where(string, [
    (value) => HAS_OFFSET.test(value) && parseTimestamp(value) !== null,
    'a date-time with `Z` or an offset (+01:00)',
  ]),
);

/** A day of the calendar; a `Date` is refused, since the day that it means depends on the time zone. */
export const day = /* @__PURE__ */ where(string, [isDay, 'a day that exists, as YYYY-MM-DD']);

function isDay(value: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** In the order in which the specification names them. */
export const PLATFORMS = [
  'facebook',
  'instagram',
  'gmb',
  'linkedin',
  'pinterest',
  'tiktok',
  'snapchat',
  'youtube',
] as const satisfies PlatformName[];

/**
 * The platforms to publish on: at least one, each once, so that nothing goes out twice. Made in a function, since bundlers keep a
 * call that spreads.
 */
export const platforms = /* @__PURE__ */ where(
  /* @__PURE__ */ array(/* @__PURE__ */ (() => oneOf(...PLATFORMS))()),
  [(names) => names.length > 0, 'at least one platform'],
  [(names) => new Set(names).size === names.length, 'each platform once'],
);
