import * as z from 'zod/mini';
import { Surplus } from './arguments.js';
import { MOST_ISSUES, type Schema, unknownName } from './schema.js';
import type { Issue } from './types.js';

const MOST_PRINTED = 20;

/** What is wrong with a value, `undefined` if nothing is. The value itself is neither changed nor copied. */
export function issuesOf(schema: Schema, value: unknown): Issue[] | undefined {
  if (value instanceof Surplus) return value.issues;
  try {
    const { success, error } = z.safeParse(schema, value);
    return success ? undefined : error.issues.flatMap((issue) => toIssues(issue, schema)).slice(0, MOST_ISSUES);
  } catch (thrown) {
    // zod passes issues on as arguments, and there are only so many arguments.
    if (thrown instanceof RangeError) return [{ path: [], message: 'expected a value of another shape' }];
    throw thrown;
  }
}

/** zod's issues as ours: one for each unknown name, and of a union only those of the alternative that was meant. */
function toIssues(issue: z.core.$ZodIssue, schema: z.core.SomeType): Issue[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code === 'unrecognized_keys') {
    const known = knownNames(schema, path);
    return issue.keys.map((name) => ({ path: [...path, name], message: unknownName(name, known) }));
  }
  if (issue.code === 'invalid_union') {
    // An alternative that fails on a field inside, rather than as a whole, is the one that was meant.
    const meant = issue.errors.find((issues) => issues.length > 0 && issues.every((inner) => isInside(inner)));
    if (meant) {
      return meant.flatMap((inner) => toIssues({ ...inner, path: [...issue.path, ...inner.path] }, schema));
    }
  }
  return [{ path, message: issue.message }];
}

function isInside({ code, path }: z.core.$ZodIssue): boolean {
  return path.length > 0 || code === 'unrecognized_keys';
}

/** The names of the object at a path within a schema. */
function knownNames(schema: z.core.SomeType, path: Issue['path']): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const [key, ...rest] = path;
  switch (def.type) {
    case 'object':
      if (key === undefined) return Object.keys(def.shape);
      return def.shape[key] ? knownNames(def.shape[key], rest) : [];
    case 'array':
      return knownNames(def.element, rest);
    case 'union':
      return def.options.flatMap((option) => knownNames(option, path));
    case 'optional':
    case 'nullable':
      return knownNames(def.innerType, path);
    default:
      return [];
  }
}

/** `articles[3].id: expected an integer; title: …`, not all of them: messages are for people. */
export function printIssues(issues: readonly Issue[]): string {
  const print = ({ path, message }: Issue) =>
    [...path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)), `: ${message}`]
      .join('')
      .replace(/^\.|^: /, '');
  return issues.slice(0, MOST_PRINTED).map(print).join('; ');
}
