import * as z from 'zod/mini';
import { MOST_ISSUES, type Schema, unknownName } from './schema.js';
import type { Issue } from './types.js';

const MOST_PRINTED = 20;

/** The word for names in messages, and the messages for certain unknown names. */
export interface Names {
  kind?: 'parameter' | 'option';
  /** The message for each of these unknown names. */
  elsewhere?: Readonly<Record<string, string>>;
  /** Known names that the schema does not contain. */
  others?: readonly string[];
}

/** Options that belong to another place. */
export const OPTION_NAMES: Names = {
  kind: 'option',
  elsewhere: {
    apiKey: 'is an unknown option. Pass it to the constructor of the client',
    dispatcher: 'is an unknown option. Pass it in `fetchOptions`',
    dry_run: 'is a parameter. Pass it among the parameters',
  },
};

/** Returns the problems of a value, or `undefined` if it is valid. The value is neither changed nor copied. */
export function issuesOf(schema: Schema, value: unknown, names?: Names): Issue[] | undefined {
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
 * Converts an issue of zod. Each unknown name becomes an issue of its own. For a union, only the issues of the intended
 * alternative are kept.
 */
function toIssues(issue: z.core.$ZodIssue, schema: z.core.SomeType, names: Names = {}): Issue[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code === 'unrecognized_keys') {
    const { kind, elsewhere = {}, others = [] } = names;
    const known = [...Object.keys(fieldsOf(schema, path)), ...others];
    return issue.keys.map((name) => {
      const message = path.length === 0 && Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
      return { path: [...path, name], message: message ?? unknownName(name, known, kind) };
    });
  }
  if (issue.code === 'invalid_union') {
    // The alternative that was intended fails on the fewest inner fields. Others fail as a whole, or on the field that distinguishes them.
    const inside = issue.errors.filter((issues) => issues.length > 0 && issues.every((inner) => isInside(inner)));
    const [meant] = inside.sort((a, b) => a.length - b.length);
    if (meant) {
      return meant.flatMap((inner) => toIssues({ ...inner, path: [...issue.path, ...inner.path] }, schema, names));
    }
  }
  return [{ path, message: issue.message }];
}

function isInside({ code, path }: z.core.$ZodIssue): boolean {
  return path.length > 0 || code === 'unrecognized_keys';
}

/** Returns the fields of the object at a path within a schema. Returns `{}` if the value at the path is not an object. */
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
