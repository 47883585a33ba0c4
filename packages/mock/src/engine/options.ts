import { ConfigurationError } from 'multilocal/internal/errors';
import * as z from 'zod/mini';
import { type Micros, parseInstant } from './clock.js';

// Checks the options and fields that a test passes to the mock. Mistakes throw the error of the clients' options.

type Issue = z.core.$ZodRawIssue;

/**
 * The schema of an options object. Unknown names are refused, because a test that misspells an option would test
 * something else.
 */
export const optionsSchema = <Shape extends z.core.$ZodLooseShape>(what: string, shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${what}: \`${issue.keys[0]}\` is an unknown option; known: ${Object.keys(shape).join(', ')}`
        : undefined,
  });

/** The checked options. @throws {ConfigurationError} for the first mistake; an unknown name comes before any other. */
export function readOptions<Schema extends z.ZodMiniType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = z.safeParse(schema, given, { error: describeIssue });
  if (result.success) return result.data;
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  throw new ConfigurationError(`${issue?.message}`);
}

/** The fields that were given. */
export const defined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

/** What a helper was asked for. @throws RangeError if there is none. */
export function found<Item>(item: Item | undefined, problem: string): Item {
  if (item === undefined) throw new RangeError(problem);
  return item;
}

/** An error for a schema: the path of the value and the rule that it breaks. */
export const rule =
  (text: string) =>
  (issue: Issue): string =>
    `${placeOf(issue)} ${text}`;

/** A whole number, `min` or more. */
export const whole = (min: number) => {
  const error = rule(`must be a whole number, ${min} or more`);
  return z.int({ error }).check(z.minimum(min, { error }));
};

/** One of the words. The message calls them `kind`. */
export const word = <const Words extends readonly string[]>(kind: string, words: Words) =>
  z.enum(words, { error: ({ input }) => unknown(`unknown ${kind}`, input, words) });

/** ISO 8601 text as an instant; without an offset it is UTC. */
export const dateTime = z.pipe(
  z.string(),
  z.transform((text, { issues }): Micros => {
    const instant = parseInstant(text);
    if (instant !== undefined) return instant;
    issues.push({ code: 'invalid_format', format: 'datetime', input: text });
    return z.NEVER;
  }),
);

const unknown = (what: string, given: unknown, known: readonly string[]): string =>
  `${what} ${String(given)}; known: ${known.join(', ')}`;

function describeIssue(issue: Issue): string {
  if (issue.code === 'invalid_format') return `${placeOf(issue)} is not an ISO 8601 date-time: ${String(issue.input)}`;
  return issue.code === 'invalid_type'
    ? `${placeOf(issue)} must be of type ${issue.expected}`
    : `${placeOf(issue)} is not valid`;
}

const placeOf = ({ path = [] }: Issue): string => (path.length === 0 ? 'the value' : path.join('.'));
