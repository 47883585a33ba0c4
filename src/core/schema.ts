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

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}
