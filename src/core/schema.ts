// The vocabulary of all schemas: zod/mini with our messages on every schema. So no message depends on the global
// configuration of zod, which belongs to the app.
import * as z from 'zod/mini';
import { nearest } from './nearest.js';
import { isInCalendar, isTimestamp, timeOf } from './timestamps.js';

export { nearest };

/**
 * A schema that returns its value unchanged.
 * @inline
 */
export type Schema<T = unknown> = z.ZodMiniType<T, T>;

/** The fields of an object. */
export type Shape = z.core.$ZodShape;

/** A schema of an object that returns its value unchanged. An app can extend it, and take fields from it. */
export type ObjectSchema<T> = z.ZodMiniObject<{
  [Name in keyof T]-?: Record<never, never> extends Pick<T, Name> ? Absent<T[Name], T[Name]> : Schema<T[Name]>;
}>;

/** The message of a schema for a wrong value. */
export function must(be: string) {
  return { error: ({ input }: { readonly input?: unknown }) => mustBe(be, input) };
}

/** Describes a wrong value: the expected value, and the received type if it is wrong. Values are never repeated. */
export function mustBe(be: string, input: unknown): string {
  if (input === undefined) return `is required and must be ${be}`;
  const type = typeName(input);
  const isRightType = RegExp(`\\b${type.replace(/^an? /, '')}\\b`, 'i').test(be);
  return `must be ${be}${isRightType ? '' : `; received ${type}`}`;
}

/** Returns the type of a value for messages: `a string`, `an array`, `null`. */
function typeName(value: unknown): string {
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return String(value);
  const tag = typeof value === 'function' ? 'function' : tagOf(value);
  // An object can choose its tag, so a tag may be any text.
  const name = /^[a-z]+$/i.test(tag) ? tag.toLowerCase() : 'object';
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** Returns the kind of a value. Its prototype is no proof, because test runners have several `Object`s. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

const IN_CALENDAR = 'must have a year from 0001 to 9999';

/** As in `Timestamp`. */
type Moment = Date | { readonly epochMilliseconds: number };

/** A schema of the values that pass a test. */
function passing<T>(test: (value: unknown) => boolean, message: ReturnType<typeof must>) {
  // Without `abort`, a union would show none of the messages of its other alternatives.
  return z.custom<T>(test, { ...message, abort: true });
}

/** A valid `Date` of any realm, such as a `vm` context, or a moment of `Temporal`. */
const moment = passing<Moment>((value) => isInCalendar(timeOf(value)), {
  error: ({ input }) => (Number.isNaN(timeOf(input)) ? mustBe('a valid Date', input) : IN_CALENDAR),
});

/** The schemas of zod that JSON Schema knows. */
const shown = () => ({
  string: z.string(must('a string')),
  boolean: z.boolean(must('a boolean')),
  number: z.number(must('a number')),
  // zod 4.1 does not have the type that `z.int` returns in later versions.
  integer: z.int({ ...must('an integer'), abort: true }) as z.ZodMiniNumber<number>,
  dates: [
    z.date(must('a valid Date')).check(z.refine<Date>((value) => isInCalendar(+value), IN_CALENDAR)),
    moment,
  ] as readonly [Schema<Moment>, Schema<Moment>],
  between: (min: number, max: number, be: string): z.core.$ZodCheck<number>[] => [
    z.minimum(min, be),
    z.maximum(max, be),
  ],
  /** For a check that only JSON Schema shows: zod never runs it. */
  sizes: (min: number, max: number): z.core.$ZodCheck<string | unknown[]>[] => {
    const never: object = { when: () => false };
    return [z.minLength(min, never), ...(max < Number.POSITIVE_INFINITY ? [z.maxLength(max, never)] : [])];
  },
  only: <Value extends string | boolean | null>(value: Value): Schema<Value> => z.literal(value, must(`${value}`)),
  member: <Value extends string>(values: readonly Value[], message: ReturnType<typeof must>): Schema<Value> =>
    z.enum(values, message),
});

/** Schemas that accept the same values with the same messages. They are smaller, and the client needs no JSON Schema. */
const plain = (): ReturnType<typeof shown> => ({
  string: passing((value) => typeof value === 'string', must('a string')) as never,
  boolean: passing((value) => typeof value === 'boolean', must('a boolean')) as never,
  number: passing(Number.isFinite, must('a number')) as never,
  integer: passing(Number.isSafeInteger, must('an integer')) as never,
  dates: [moment, moment],
  between: (min, max, be) => [z.refine((value) => value >= min && value <= max, be)],
  sizes: () => [],
  only: (value) => passing((given) => given === value, must(`${value}`)),
  member: (values, message) => passing((given) => values.includes(given as never), message),
});

/**
 * Whose zod makes the schemas: `'own'` in the client, which compiles zod in, and `'app'` in `multilocal/schemas`. The
 * builds define it (tsup.config.ts). In this form, bundlers leave out what is not used.
 */
declare const MULTILOCAL_ZOD: 'own' | 'app' | undefined;

const basic = typeof MULTILOCAL_ZOD === 'string' && MULTILOCAL_ZOD === 'own' ? plain() : shown();

/** `number` is finite, a `number` holds `integer` exactly, and `dates` are valid. */
export const { string, boolean, number, integer, dates } = basic;

/** Only one value. */
export const { only } = basic;
export const anything = z.unknown();
export const aFunction = z.optional(
  z.custom<(...args: unknown[]) => unknown>((value) => typeof value === 'function', must('a function')),
);
/** An object whose fields the specification does not list. */
export const opaque = z.looseObject({}, must('an object'));

/** An integer between two bounds, both included. */
export function int(min: number, max = Number.MAX_SAFE_INTEGER) {
  const message = max < Number.MAX_SAFE_INTEGER ? `must be between ${min} and ${max}` : `must be ${min} or more`;
  return integer.check(...basic.between(min, max, message));
}

/** A number that need not be an integer. Infinity is allowed and means no limit. */
export function atLeast(min: number) {
  return z.custom<number>((value) => typeof value === 'number' && value >= min, must(`a number, ${min} or more`));
}

/** A string whose length is between two bounds, both included. Code points are counted: an emoji is one character. */
export function text(min: number, max = Number.POSITIVE_INFINITY) {
  return string.check(...sized<string>(codePoints, min, max, `must have ${range(min, max)} characters`));
}

/** A list whose length is between two bounds, both included. Its checks are given here: `.check` of a list would lose {@link MOST_ISSUES}. */
export function list<Item extends z.core.SomeType>(
  item: Item,
  min = 0,
  max = Number.POSITIVE_INFINITY,
  checks = min > 0 || max < Number.POSITIVE_INFINITY
    ? sized<unknown[]>((value) => value.length, min, max, `must have ${range(min, max)} items`)
    : [],
) {
  const items = z.array(item, must('an array')).check(...checks);
  return limitIssues(items, item, (value) => Array.isArray(value) && value.entries());
}

/** Maximum number of issues. More would not help, and a hostile body has millions. */
export const MOST_ISSUES = 100;

/**
 * Makes a list or a record stop at {@link MOST_ISSUES}. zod would collect an issue for each of millions of wrong
 * values, which takes minutes. The values themselves are returned, because no schema of this package changes a value.
 * zod has no such option, so this writes into the schema, but never into one of the app's zod.
 */
function limitIssues<Whole extends z.core.SomeType>(
  schema: Whole,
  { _zod: item }: z.core.SomeType,
  entriesOf: (value: unknown) => Iterable<[string | number, unknown]> | false,
): Whole {
  if (typeof MULTILOCAL_ZOD === 'string' && MULTILOCAL_ZOD === 'app') return schema;
  const { _zod } = schema;
  const { parse, run } = _zod;
  _zod.parse = (payload, context) => {
    const entries = entriesOf(payload.value);
    if (!entries) return parse(payload, context);
    for (const [key, value] of entries) {
      const { issues } = item.run({ value, issues: [] }, context) as z.core.ParsePayload;
      for (const issue of issues) payload.issues.push({ ...issue, path: [key, ...(issue.path ?? [])] });
      if (payload.issues.length >= MOST_ISSUES) break;
    }
    return payload;
  };
  // `run` and `parse` are the same function if a schema has no checks.
  if (run === parse) _zod.run = _zod.parse;
  return schema;
}

/**
 * The checks of a size between two bounds. `z.minLength` also judges values of the wrong type, and only some versions
 * of zod count code points, as JSON Schema does. So the check is our own, and zod's checks only give JSON Schema its bounds.
 */
export function sized<Value extends string | unknown[]>(
  sizeOf: (value: Value) => number,
  min: number,
  max: number,
  message: string,
) {
  const isWithin = (value: Value) => {
    const size = sizeOf(value);
    return size >= min && size <= max;
  };
  return [z.refine<Value>(isWithin, message), ...basic.sizes(min, max)];
}

/** An object of a response. Unknown fields are kept. */
export function object<Fields extends Shape>(fields: Fields) {
  return z.looseObject(fields, must('an object'));
}

/** An object of parameters or options. Unknown names are refused. */
export function params<Fields extends Shape>(fields: Fields) {
  const known = Object.keys(fields);
  return z.strictObject(fields, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((name) => `\`${name}\` ${unknownName(name, known)}`).join(' ')
        : mustBe('an object', issue.input),
  });
}

/** The message for an unknown name in an object of parameters or options. */
export function unknownName(name: string, known: readonly string[], kind = 'parameter'): string {
  const meant = nearest(name, known);
  return `is an unknown ${kind}.${meant === undefined ? '' : ` Did you mean \`${meant}\`?`}`;
}

/** The values of names that a service may not have. */
type Named<Value> = { [name: string]: z.core.output<Value> | undefined };

/** An object with these keys, and with values of the same kind under others. */
export function named<const Names extends readonly string[], Value extends z.core.$ZodType>(
  names: Names,
  value: Value,
): Schema<z.core.$InferObjectOutput<{ [Name in Names[number]]: Value }, Record<never, never>> & Named<Value>> {
  const fields: Shape = Object.fromEntries(names.map((name) => [name, value]));
  const missing = Object.fromEntries(names.map((name) => [name, undefined]));
  const entries = z.catchall(z.object(fields, must('an object')), value);
  return limitIssues(entries, value, (given) => isRecord(given) && Object.entries({ ...missing, ...given })) as never;
}

/** An object with unknown keys. */
export function record<Value extends z.core.$ZodType>(value: Value): Schema<Named<Value>> {
  return named([], value);
}

function isRecord(value: unknown): value is object {
  return tagOf(value) === 'Object';
}

/**
 * One of a few strings. The message quotes an unknown string, which is the only value that messages repeat, and
 * suggests the nearest one.
 */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  const expected = values.length > 1 ? `one of ${values.join(', ')}` : `${values[0]}`;
  return basic.member<Values[number]>(values, {
    error: ({ input }) => {
      if (typeof input !== 'string' || codePoints(input) > LONGEST_QUOTE) return mustBe(expected, input);
      const meant = nearest(input, values);
      const hint = meant === undefined ? '' : `. Did you mean "${meant}"?`;
      return `must be ${expected}; received ${JSON.stringify(input)}${hint}`;
    },
  });
}

/** A longer string is not a misspelled enum member. */
const LONGEST_QUOTE = 40;

/** A value that one of the schemas accepts. `what` names all alternatives. */
export function anyOf<const Options extends readonly z.core.SomeType[]>(options: Options, what: string) {
  return z.union(options, must(what));
}

/**
 * A field that may be absent, but is never `undefined`.
 * @inline
 */
type Absent<Output, Input> = z.ZodMiniType<
  Output,
  Input,
  z.core.$ZodTypeInternals<Output, Input> & Pick<z.ZodMiniOptional['_zod'], 'optin' | 'optout'>
>;

/**
 * A field of a response that may be absent or null. JSON has no `undefined`, so the type excludes it. `z.nullish`
 * cannot express that.
 */
export function maybe<Value extends z.core.SomeType>(schema: Value) {
  return z.nullish(schema) as Absent<z.core.output<Value> | null, z.core.input<Value> | null>;
}

/** A field of a response that may be absent, but is never null. {@link maybe} explains the type. */
export function maybeAbsent<Value extends z.core.SomeType>(schema: Value) {
  return z.optional(schema) as Absent<z.core.output<Value>, z.core.input<Value>>;
}

/** A rule about several fields of an object. `field` is the path of the issue. */
export function rule<Value>(test: (value: Value) => boolean, message: string, field?: string) {
  const holds = (value: Value) => {
    try {
      return test(value);
    } catch {
      // A field that comes from `extra` may have any type. It is not checked.
      return true;
    }
  };
  return z.refine<Value>(holds, {
    error: message,
    params: { isRule: true },
    // If a field itself is invalid, the rule must not report it again.
    when: ({ issues }) => issues.every((issue) => issue.code === 'custom' && issue.params?.isRule === true),
    ...(field !== undefined && { path: [field] }),
  });
}

/**
 * Adds rules to a schema. `Narrow` is the type of the values that pass, which the compiler cannot derive from the
 * rules.
 */
export function refine<Wide, Narrow = Wide>(schema: Schema<Wide>, ...rules: z.core.$ZodCheck<Wide>[]): Schema<Narrow> {
  return schema.check(...rules) as unknown as Schema<Narrow>;
}

/** A string that passes a test. */
export function matching(test: (value: string) => boolean, be: string) {
  return string.check(z.refine<string>(test, `must be ${be}`));
}

/** The `bulle_id` or `fiche_id` of a call. */
export const target = z.optional(text(1));

/** A moment in a parameter. A `Date` is sent as ISO 8601 in UTC, and a string as it is. */
export const timestamp = anyOf(
  [matching(isTimestamp, 'a date or a date-time that exists, such as 2026-11-21 or 2026-11-21T09:00:00Z'), ...dates],
  'a string or a valid Date',
);

/** Returns the length of a text as people count it: an emoji is one character. */
export function codePoints(value: string): number {
  return [...value].length;
}

function range(min: number, max: number): string {
  return max < Number.POSITIVE_INFINITY ? `${min} to ${max}` : `${min} or more`;
}
