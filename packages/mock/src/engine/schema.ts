import * as z from 'zod/mini';
import { DAY, parseInstant } from './clock.js';
import { unprocessable } from './http.js';
import { instantFrom } from './options.js';

export { dateTime as instant } from './options.js';

// The parts of request schemas. The schemas of a route are next to its handler. A 422 names one field: this file turns
// the issues of zod into the French text.

type Issue = z.core.$ZodRawIssue;

/** The checked body of a request, or the 422. */
export const readBody = <Schema extends z.ZodMiniType>(schema: Schema, body: object): z.output<Schema> =>
  read('champ', schema, body);

/** The checked query, or the 422. A repeated parameter has its last value, as in most Python frameworks, unless it is one of `lists`. */
export function readQuery<Schema extends z.ZodMiniType>(
  schema: Schema,
  query: URLSearchParams,
  lists: readonly string[] = [],
): z.output<Schema> {
  const repeated = lists.filter((name) => query.has(name)).map((name) => [name, query.getAll(name)]);
  return read('paramètre', schema, { ...Object.fromEntries(query), ...Object.fromEntries(repeated) });
}

/** A path parameter that is a whole number, or the 422. */
export function pathInteger(params: Readonly<Record<string, string>>, name: string): number {
  const value = params[name] ?? '';
  if (!/^\d{1,15}$/.test(value)) throw unprocessable(`Le paramètre \`${name}\` doit être un entier.`);
  return Number(value);
}

function read<Schema extends z.ZodMiniType>(subject: string, schema: Schema, given: unknown): z.output<Schema> {
  const result = z.safeParse(schema, given, { error: describeIssue });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw new Error('zod refused a value without an issue');
  // A rule describes a mistake in one value. A whole sentence describes a mistake in several values together.
  const name = nameOf(issue.path);
  throw unprocessable(name === '' ? issue.message : `Le ${subject} \`${name}\` ${issue.message}.`);
}

const REQUIRED = 'est obligatoire';
const INVALID = "n'est pas valide";
const TEXT = 'doit être une chaîne de caractères';
const TYPES: Readonly<Record<string, string>> = {
  string: TEXT,
  boolean: 'doit être un booléen',
  object: 'doit être un objet',
};

/** Maps the issues of zod to French texts. A schema has its own text only if the issue is not enough. */
function describeIssue(issue: Issue): string {
  if (issue.input === undefined) return REQUIRED;
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? INVALID;
    case 'invalid_value':
      if (typeof issue.input !== 'string') return TEXT;
      return `${isItem(issue.path) ? 'ne peut contenir que' : 'doit valoir'} ${listed(issue.values)}`;
    case 'too_small':
      return `doit contenir au moins ${issue.minimum} caractère${Number(issue.minimum) > 1 ? 's' : ''}`;
    case 'too_big':
      return `ne doit pas dépasser ${issue.maximum} caractères`;
    case 'invalid_format':
      return 'doit être une date ISO 8601';
    default:
      return INVALID;
  }
}

const listed = (values: readonly unknown[]): string => values.map((value) => `\`${String(value)}\``).join(', ');

const isItem = (path: readonly PropertyKey[] = []): boolean => typeof path.at(-1) === 'number';

/** `contacts[0].channel`. The items of a list of plain values are named after the list. */
function nameOf(path: readonly PropertyKey[]): string {
  const parts = (isItem(path) ? path.slice(0, -1) : path).map((part) =>
    typeof part === 'number' ? `[${part}]` : `.${String(part)}`,
  );
  return parts.join('').slice(1);
}

/** A JSON object, but not an array. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Characters as people count them: an emoji is one, and not the two units of `length`. */
export const codePoints = (text: string): number => [...text].length;

type Range = { readonly min?: number; readonly max?: number };

/** A text. */
export const text = ({ min = 0, max = Number.POSITIVE_INFINITY }: Range) =>
  z.string().check(
    z.check(({ value, issues }) => {
      const common = { origin: 'string', input: value } as const;
      if (codePoints(value) < min) issues.push({ code: 'too_small', minimum: min, ...common });
      else if (codePoints(value) > max) issues.push({ code: 'too_big', maximum: max, ...common });
    }),
  );

/** A whole number. The message always contains both bounds. */
export const integer = (range: Range = {}) => {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = range;
  const error = `doit être un entier${describeRange(range)}`;
  return z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error }));
};

function describeRange({ min, max }: Range): string {
  if (min !== undefined && max !== undefined) return ` entre ${min} et ${max}`;
  return min === undefined ? '' : ` supérieur ou égal à ${min}`;
}

/** The same in a query. */
export const integerText = (range: Range) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((digits) => (/^-?\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN)),
    ),
    integer(range),
  );

/** An ISO 8601 date or date-time as the end of a range: a date without a time means the end of that day. */
export const rangeEnd = instantFrom((value) => {
  const start = parseInstant(value);
  return start !== undefined && isDay(value.trim()) ? start + DAY - 1 : start;
});

const isDay = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value) && parseInstant(value) !== undefined;

/** A day, `YYYY-MM-DD`. It stays a text, because such texts sort like the days. */
export const day = z.string().check(z.refine(isDay, 'doit être une date au format AAAA-MM-JJ'));

export const isHttpUrl = (value: string): boolean => {
  try {
    // Not `URL.canParse`: once V8 has optimised the caller, Node 20 refuses hosts with letters such as `é` there.
    return /^https?:\/\//i.test(value) && Boolean(new URL(value));
  } catch {
    return false;
  }
};

const list = <Item extends z.ZodMiniType>(item: Item, error: string) =>
  z.array(item, { error: ({ input }) => (input === undefined ? REQUIRED : error) });

const TEXTS = 'doit être une liste de chaînes de caractères';
export const texts = list(z.string({ error: TEXTS }), TEXTS);

const INTEGERS = "doit être une liste d'entiers";
export const integers = list(z.int({ error: INTEGERS }), INTEGERS);

/** A list of at least one text. Blank texts are refused, and repeated ones count once. */
export const filledTexts = z.pipe(
  texts.check(
    z.refine(
      (values) => values.length > 0 && values.every((value) => value.trim() !== ''),
      'doit contenir au moins une valeur, et aucune vide',
    ),
  ),
  z.transform((values) => [...new Set(values)]),
);

/** A list of at least one of these words. Repeated ones count once. */
export const words = <const Words extends readonly string[]>(known: Words) =>
  z.pipe(filledTexts, z.array(z.enum(known)));

/** A list of at least one object. The mock checks first that all items are objects, and then their fields. */
const OBJECTS = "doit être une liste d'au moins un objet";
export const objects = <Item extends z.ZodMiniType>(item: Item) =>
  z.pipe(
    list(z.custom<z.input<Item>>(isObject, { error: OBJECTS }), OBJECTS).check(z.minLength(1, { error: OBJECTS })),
    z.array(item),
  );

/** A check that one field does not exceed another. */
export const ascending = <From extends string, To extends string>(from: From, to: To) =>
  z.refine<Readonly<Record<From | To, number | string>>>((fields) => fields[from] <= fields[to], {
    path: [from],
    error: `ne doit pas dépasser \`${to}\``,
  });

/** The error of a check over several fields, for a missing field. */
export const required = (name: string) => ({ path: [name], error: REQUIRED });

/** The target in a query. An empty identifier is a mistake and never means "no target". */
export const target = z.optional(z.string().check(z.refine((id) => id.trim() !== '', 'ne doit pas être vide')));

/** The same in a body. */
export const bodyTarget = z.optional(text({ min: 1 }));

export const dryRun = z._default(z.boolean(), false);
