import * as z from 'zod/mini';
import { Surplus } from './arguments.js';
import { MOST_ISSUES, type Schema, unknownName } from './schema.js';
import type { Issue } from './types.js';

const MOST_PRINTED = 20;

/** How the names of an object are called in messages, and where users find what they looked for under unknown names. */
export interface Names {
  kind?: 'parameter' | 'option';
  /** For each unknown name, what to do instead. */
  elsewhere?: Readonly<Record<string, string>>;
}

const IN_FETCH_OPTIONS = 'is an unknown option. Pass it in `fetchOptions`';
const DISPATCHER = 'is an unknown option. Pass `fetchOptions: { dispatcher }`, or a `fetch` of your own';

/** Options of other HTTP clients, and where this one takes them. */
export const OPTION_NAMES: Names = {
  kind: 'option',
  elsewhere: {
    httpAgent: DISPATCHER,
    httpsAgent: DISPATCHER,
    agent: DISPATCHER,
    dispatcher: IN_FETCH_OPTIONS,
    cache: IN_FETCH_OPTIONS,
    next: IN_FETCH_OPTIONS,
    credentials: IN_FETCH_OPTIONS,
    mode: IN_FETCH_OPTIONS,
    keepalive: IN_FETCH_OPTIONS,
  },
};

/** What is wrong with a value, `undefined` if nothing is. The value itself is neither changed nor copied. */
export function issuesOf(schema: Schema, value: unknown, names?: Names): Issue[] | undefined {
  if (value instanceof Surplus) return value.issues;
  try {
    const { success, error } = z.safeParse(schema, value);
    return success ? undefined : error.issues.flatMap((issue) => toIssues(issue, schema, names)).slice(0, MOST_ISSUES);
  } catch (thrown) {
    // zod passes issues on as arguments, and there are only so many arguments.
    if (thrown instanceof RangeError) return [{ path: [], message: 'has another shape' }];
    throw thrown;
  }
}

/** zod's issues as ours: one for each unknown name, and of a union only those of the alternative that was meant. */
function toIssues(issue: z.core.$ZodIssue, schema: z.core.SomeType, names: Names = {}): Issue[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code === 'unrecognized_keys') {
    const { kind, elsewhere = {} } = names;
    const known = knownNames(schema, path);
    return issue.keys.map((name) => {
      const message = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
      return { path: [...path, name], message: message ?? unknownName(name, known, kind) };
    });
  }
  if (issue.code === 'invalid_union') {
    // An alternative that fails on a field inside, rather than as a whole, is the one that was meant.
    const meant = issue.errors.find((issues) => issues.length > 0 && issues.every((inner) => isInside(inner)));
    if (meant) {
      return meant.flatMap((inner) => toIssues({ ...inner, path: [...issue.path, ...inner.path] }, schema, names));
    }
  }
  return [{ path, message: issue.message }];
}

function isInside({ code, path }: z.core.$ZodIssue): boolean {
  return path.length > 0 || code === 'unrecognized_keys';
}

/** The names of the object at a path within a schema. */
function knownNames(schema: z.core.SomeType, path: Issue['path']): string[] {
  return Object.keys(fieldsOf(schema, path));
}

/** The fields of the object at a path within a schema, empty if there is none. */
function fieldsOf(schema: z.core.SomeType, [key, ...rest]: Issue['path']): z.core.$ZodShape {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const path = key === undefined ? [] : [key, ...rest];
  switch (def.type) {
    case 'object':
      if (key === undefined) return def.shape;
      return def.shape[key] ? fieldsOf(def.shape[key], rest) : {};
    case 'array':
      return fieldsOf(def.element, rest);
    case 'union':
      return Object.assign({}, ...def.options.map((option) => fieldsOf(option, path)));
    case 'optional':
    case 'nullable':
      return fieldsOf(def.innerType, path);
    default:
      return {};
  }
}

/** An object that a schema accepts, for messages: `{ text }` with the required names, or the first one if none is. */
export function exampleOf(schema: Schema): string {
  const fields = Object.entries(fieldsOf(schema, []));
  const required = fields.filter(([, field]) => field._zod.optin === undefined);
  const names = (required.length > 0 ? required : fields.slice(0, 1)).map(([name]) => name);
  return `{ ${names.join(', ')} }`;
}

/**
 * Issues as sentences: `` `articles[3].id` must be an integer. `title` is required … ``. `whole` is the subject of an issue
 * with the whole value. Only the first 20 are printed, because messages are for people.
 */
export function printIssues(issues: readonly Issue[], whole: string): string {
  const print = ({ path, message }: Issue) => {
    const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
    const sentence = `${place === '' ? whole : `\`${place.replace(/^\./, '')}\``} ${message}`;
    return /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
  };
  return issues.slice(0, MOST_PRINTED).map(print).join(' ');
}
