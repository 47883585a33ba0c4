import { ConfigurationError } from 'multilocal/internal/errors';
import * as z from 'zod/mini';
import { fromMillis, type Micros, parseInstant } from './clock.js';

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

export const defined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

/** What a helper was asked for. @throws {ConfigurationError} if there is none. */
export function found<Item>(item: Item | undefined, problem: string): Item {
  if (item === undefined) throw new ConfigurationError(problem);
  return item;
}

/** An error for a schema: the path of the value and the rule that it breaks. */
export const rule =
  (text: string) =>
  (issue: Issue): string =>
    `${placeOf(issue)} ${text}`;

/** Not `z.number()`, which refuses `Infinity`: delays and faults may last forever. */
export const number = (text: string, isValid: (value: number) => boolean) =>
  z.custom<number>((value) => typeof value === 'number' && isValid(value), { error: rule(text) });

export const whole = (min: number) => {
  const error = rule(`must be a whole number, ${min} or more`);
  return z.int({ error }).check(z.minimum(min, { error }));
};

/** One of the words. The message calls them `kind`. */
export const word = <const Words extends readonly string[]>(kind: string, words: Words) =>
  z.enum(words, { error: ({ input }) => `unknown ${kind} ${String(input)}; known: ${words.join(', ')}` });

/** An instant from a text, in options and in requests. */
export const instantFrom = (parse: (value: string) => Micros | undefined) =>
  z.pipe(
    z.string(),
    z.transform((value, { issues }): Micros => {
      const parsed = parse(value);
      if (parsed !== undefined) return parsed;
      issues.push({ code: 'invalid_format', format: 'datetime', input: value });
      return z.NEVER;
    }),
  );

/** An ISO 8601 date or date-time; without an offset it is UTC. */
export const dateTime = instantFrom(parseInstant);

/** A date as an instant. Texts are ISO 8601; without an offset they are UTC. */
export const moment = (name: string) =>
  z.pipe(
    z.custom<Date | number | string>(),
    z.transform((value, { issues }): Micros => {
      const instant = typeof value === 'string' ? parseInstant(value) : fromMillis(Number(value));
      if (instant !== undefined && Number.isFinite(instant)) return instant;
      issues.push({ code: 'custom', message: `${name} is not a valid date: ${String(value)}`, input: value });
      return z.NEVER;
    }),
  );

function describeIssue(issue: Issue): string {
  if (issue.code === 'invalid_format') return `${placeOf(issue)} is not an ISO 8601 date-time: ${String(issue.input)}`;
  return issue.code === 'invalid_type'
    ? `${placeOf(issue)} must be of type ${issue.expected}`
    : `${placeOf(issue)} is not valid`;
}

const placeOf = ({ path = [] }: Issue): string => (path.length === 0 ? 'the value' : path.join('.'));
