import * as z from 'zod/mini';
import { Surplus } from './arguments.js';
import { MOST_ISSUES, type Schema, unknownName } from './schema.js';
import type { Issue } from './types.js';

const MOST_PRINTED = 20;

/** The word for names in messages, and the messages for certain unknown names. */
export interface Names {
  kind?: 'parameter' | 'option';
  /** The message for each of these unknown names. */
  elsewhere?: Readonly<Record<string, string>>;
}

const IN_FETCH_OPTIONS = 'is an unknown option. Pass it in `fetchOptions`';
const AS_KEY = 'is an unknown option. Pass the key as `apiKey` to the client';
const AS_ADDRESS = 'is an unknown option. Pass the address as `baseUrl` to the client';
const DISPATCHER = 'is an unknown option. Pass `fetchOptions: { dispatcher }`, or a `fetch` of your own';

/** Options of other HTTP clients, and their place in this client. */
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
    token: AS_KEY,
    accessToken: AS_KEY,
    auth: AS_KEY,
    url: AS_ADDRESS,
    host: AS_ADDRESS,
    scope: 'is an option of `Client.connect`, and its only value is `sphere`',
  },
};

/** Returns the problems of a value, or `undefined` if it is valid. The value is neither changed nor copied. */
export function issuesOf(schema: Schema, value: unknown, names?: Names): Issue[] | undefined {
  if (value instanceof Surplus) return value.issues;
  try {
    const { success, error } = z.safeParse(schema, value);
    return success ? undefined : error.issues.flatMap((issue) => toIssues(issue, schema, names)).slice(0, MOST_ISSUES);
  } catch (thrown) {
    // zod passes issues as arguments, and the number of arguments is limited.
    if (thrown instanceof RangeError) return [{ path: [], message: 'must have the documented shape' }];
    throw thrown;
  }
}

/**
 * Converts an issue of zod. Each unknown name becomes an issue of its own. Of a union, only the issues of the intended
 * alternative remain.
 */
function toIssues(issue: z.core.$ZodIssue, schema: z.core.SomeType, names: Names = {}): Issue[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code === 'unrecognized_keys') {
    const { kind, elsewhere = {} } = names;
    const known = Object.keys(fieldsOf(schema, path));
    return issue.keys.map((name) => {
      const message = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
      return { path: [...path, name], message: message ?? unknownName(name, known, kind) };
    });
  }
  if (issue.code === 'invalid_union') {
    // The intended alternative is the one that fails on an inner field rather than as a whole.
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

/** Returns the fields of the object at a path within a schema. Empty if there is no object. */
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

/**
 * Returns an example object for messages: `{ text }` with the required names, or with the first name if none is
 * required.
 */
export function exampleOf(schema: Schema): string {
  const fields = Object.entries(fieldsOf(schema, []));
  const required = fields.filter(([, field]) => field._zod.optin === undefined);
  const names = (required.length > 0 ? required : fields.slice(0, 1)).map(([name]) => name);
  return `{ ${names.join(', ')} }`;
}

/**
 * Writes issues as sentences: `` `articles[3].id` must be an integer. `title` is required … ``. `whole` is the subject
 * of an issue about the whole value. Only the first 20 are printed, because messages are for people.
 */
export function printIssues(issues: readonly Issue[], whole: string): string {
  const print = ({ path, message }: Issue) => {
    const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
    const sentence = `${place === '' ? whole : `\`${place.replace(/^\./, '')}\``} ${message}`;
    return /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
  };
  return issues.slice(0, MOST_PRINTED).map(print).join(' ');
}
