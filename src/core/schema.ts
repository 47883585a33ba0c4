import * as z from 'zod/mini';

/** A schema that only looks: nothing in the SDK transforms, so an answer is given back as it came. */
export type Schema = z.core.$ZodType;

/** A field that the service may leave out or set to null. */
export const maybe = <T extends Schema>(schema: T) => z.exactOptional(z.nullable(schema));

/** A moment in a parameter: `Date` or string; a `Date` is written as ISO 8601 in UTC when the request is built. */
export const timestamp = /* @__PURE__ */ (() => z.union([z.string(), z.date()]))();

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)$/i;

/** A future moment: without an offset, the hour would depend on who reads it. */
export const scheduledAt = /* @__PURE__ */ (() =>
  z.union([
    z.date(),
    z
      .string()
      .check(
        z.refine(
          (value) => DATE_TIME.test(value) && !Number.isNaN(Date.parse(value.slice(0, 16))),
          'an ISO 8601 date-time with `Z` or an offset, such as 2026-12-01T09:00:00+01:00',
        ),
      ),
  ]))();

/** A day of the calendar; a `Date` is refused, since the day that it means depends on the time zone. */
export const day = /* @__PURE__ */ (() =>
  z
    .string('a day as YYYY-MM-DD (a string: the day that a Date means depends on the time zone)')
    .check(z.refine(isDay, 'a day that exists, as YYYY-MM-DD')))();

function isDay(value: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** An integer within bounds, both included. */
export const int = (min: number, max = Number.MAX_SAFE_INTEGER) => z.int().check(z.gte(min), z.lte(max));

/** A list of a length within bounds, both included. */
export const list = <T extends Schema>(item: T, min: number, max = Number.POSITIVE_INFINITY) =>
  // Not z.readonly, which freezes what the caller passed.
  z
    .array(item)
    .check(
      z.refine(
        ({ length }) => length >= min && length <= max,
        max === Number.POSITIVE_INFINITY ? `${min} or more items` : `${min} to ${max} items`,
      ),
    );

/** The platforms to publish on: at least one, each once, so that nothing goes out twice. */
export const platforms = /* @__PURE__ */ (() =>
  z.array(z.enum(['facebook', 'instagram', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'])).check(
    z.refine((names) => names.length > 0, 'at least one platform'),
    z.refine((names) => new Set(names).size === names.length, 'each platform once'),
  ))();

/** An object whose fields the specification does not show: passed through. */
export const opaque = /* @__PURE__ */ (() => z.record(z.string(), z.unknown()))();

/** A string whose length is counted in code points: an emoji is one character. */
export const text = (min: number, max = Number.POSITIVE_INFINITY) =>
  z.string().check(
    z.refine(
      (value) => {
        const length = codePoints(value);
        return length >= min && length <= max;
      },
      max === Number.POSITIVE_INFINITY ? `at least ${min} characters` : `${min} to ${max} characters`,
    ),
  );

/** The length of a text as people count it: an emoji is one. */
export function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}
