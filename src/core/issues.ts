import type { Schema } from './schema.js';
import type { Issue } from './types.js';

const MOST_PRINTED = 20;

/** What is said of a key that is not among the fields. */
export const UNKNOWN = 'unknown parameter';

/** What is wrong with a value, `undefined` when nothing is. Names paths and expectations, never a value. */
export function issuesOf(root: Schema, whole: unknown): Issue[] | undefined {
  const issues: Issue[] = [];
  const path: (string | number)[] = [];
  const report = (message: string, inner: Issue['path'] = []) => issues.push({ path: [...path, ...inner], message });

  const visitAt = (key: string | number, schema: Schema, value: unknown) => {
    path.push(key);
    visit(schema, value);
    path.pop();
  };

  const visit = (schema: Schema, value: unknown): void => {
    if (value === undefined ? schema.optional : value === null && schema.nullable) return;
    const { anyOf, items, fields, rules, strict } = schema;
    const found = issues.length;
    if (anyOf) visitUnion(anyOf, value);
    else if (!hasType(schema, value)) report(`expected ${typeName(schema)}`);
    else if (Array.isArray(value)) {
      if (items) for (let index = 0; index < value.length; index++) visitAt(index, items, value[index]);
    } else {
      const object = value as Record<string, unknown>;
      for (const key in fields) visitAt(key, fields[key] as Schema, object[key]);
      if (items || strict) {
        for (const key in object) {
          if (items) visitAt(key, items, object[key]);
          else if (!(key in (fields as object))) report(UNKNOWN, [key]);
        }
      }
    }
    if (issues.length > found) return;
    for (const [test, what, field] of rules)
      if (!test(value as never)) report(`expected ${what}`, field ? [field] : []);
  };

  const visitUnion = (schemas: readonly Schema[], value: unknown) => {
    const tried = schemas.map((schema) => issuesOf(schema, value) ?? []);
    if (tried.some((found) => found.length === 0)) return;
    // An alternative that fails on a field inside, rather than as a whole, is the one that was meant.
    const meant = tried.find((found) => found.every((issue) => issue.path.length > 0));
    const alternatives = new Set(tried.flat().map(({ message }) => message.replace('expected ', '')));
    for (const issue of meant ?? [{ path: [], message: `expected ${[...alternatives].join(', or ')}` }]) {
      report(issue.message, issue.path);
    }
  };

  visit(root, whole);
  return issues.length > 0 ? issues : undefined;
}

function hasType({ type, enum: known }: Schema, value: unknown): boolean {
  if (known) return known.includes(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return Number.isFinite(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'date') return value instanceof Date && !Number.isNaN(+value);
  return type === 'any' || (typeof value === type && value !== null && !Array.isArray(value));
}

function typeName({ type, enum: known }: Schema): string {
  if (known) return known.map((value) => JSON.stringify(value)).join(' or ');
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** `articles[3].id: expected an integer; title: …`, not all of them: messages are for people. */
export function printIssues(issues: readonly Issue[]): string {
  const print = ({ path, message }: Issue) =>
    [...path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)), `: ${message}`]
      .join('')
      .replace(/^\.|^: /, '');
  return issues.slice(0, MOST_PRINTED).map(print).join('; ');
}
