import type { Schema } from './schema.js';
import type { Issue } from './types.js';

/** A message is for people; `issues` holds the rest. */
const MOST_PRINTED = 20;

/** What is wrong with a value, `undefined` when nothing is. Names paths and expectations, never a value. */
export function issuesOf(schema: Schema, value: unknown): Issue[] | undefined {
  if (value === undefined ? schema.optional : value === null && schema.nullable) return undefined;
  if (typeof value === schema.plain) return undefined;
  const { anyOf, items, rules } = schema;
  if (anyOf) return issuesOfUnion(anyOf, value);
  if (!hasType(schema, value)) return [expected(typeName(schema))];
  const size = sizeFault(schema, value);
  if (size) return [expected(size)];
  const issues = items
    ? issuesOfItems(items, value as readonly unknown[])
    : (schema.fields || schema.values) && issuesOfFields(schema, value as object);
  if (issues || !rules) return issues;
  const broken = rules.filter(([test]) => !test(value as never));
  return broken.length > 0 ? broken.map(([, what, field]) => expected(what, field)) : undefined;
}

/** Apart from the rest, and short: it is what takes the time, and engines make it several times faster this way. */
function issuesOfFields({ fields = {}, required = 0, strict, values }: Schema, value: object): Issue[] | undefined {
  let found = 0;
  let issues: Issue[] | undefined;
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    const field = fields[key] ?? values;
    if (field && !field.optional) found++;
    const inner = field ? issuesOf(field, item) : strict ? [{ path: [], message: 'unknown parameter' }] : undefined;
    if (inner) issues = add(issues, inner, key);
  }
  if (found < required) {
    for (const [key, field] of Object.entries(fields)) {
      if (!field.optional && !(key in value)) issues = add(issues, [expected(typeName(field))], key);
    }
  }
  return issues;
}

function issuesOfItems(schema: Schema, values: readonly unknown[]): Issue[] | undefined {
  let issues: Issue[] | undefined;
  for (let index = 0; index < values.length; index++) {
    const inner = issuesOf(schema, values[index]);
    if (inner) issues = add(issues, inner, index);
  }
  return issues;
}

function issuesOfUnion(schemas: readonly Schema[], value: unknown): Issue[] | undefined {
  const tried = schemas.map((schema) => issuesOf(schema, value));
  if (tried.includes(undefined)) return undefined;
  // An alternative that fails on a field inside, rather than as a whole, is the one that was meant.
  const meant = tried.find((issues) => issues?.every(({ path }) => path.length > 0));
  const alternatives = tried.flatMap((issues) => issues?.map(({ message }) => message.replace('expected ', '')) ?? []);
  return meant ?? [expected([...new Set(alternatives)].join(', or '))];
}

function add(issues: Issue[] = [], inner: readonly Issue[], key: string | number): Issue[] {
  for (const { path, message } of inner) issues.push({ path: [key, ...path], message });
  return issues;
}

function expected(what: string, field?: string): Issue {
  return { path: field ? [field] : [], message: `expected ${what}` };
}

function hasType({ type, enum: known }: Schema, value: unknown): boolean {
  if (known) return known.includes(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return Number.isFinite(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'date') return value instanceof Date && Number.isFinite(value.getTime());
  if (type === 'object') return typeof value === type && value !== null && !Array.isArray(value);
  return !type || typeof value === type;
}

function typeName({ type, enum: known }: Schema): string {
  if (known) return known.map((value) => JSON.stringify(value)).join(' or ');
  return `${/^[aio]/.test(type ?? '') ? 'an' : 'a'} ${type}`;
}

/** What the size should be, where it is not. */
function sizeFault({ type, min, max }: Schema, value: unknown): string | undefined {
  if (min === undefined) return undefined;
  const [size, unit] =
    type === 'integer'
      ? [value as number, '']
      : type === 'array'
        ? [(value as unknown[]).length, ' items']
        : [codePoints(value as string), ' characters'];
  if (size >= min && !(max !== undefined && size > max)) return undefined;
  return `${max === undefined ? `at least ${min}` : `${min} to ${max}`}${unit}`;
}

/** The length of a text as people count it: an emoji is one. */
export function codePoints(value: string): number {
  return [...value].length;
}

/** `articles[3].id: expected an integer; title: …` */
export function printIssues(issues: readonly Issue[]): string {
  const printed = issues.slice(0, MOST_PRINTED).map(({ path, message }) => {
    const place = path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${key}`));
    return `${place.join('')}${place.length > 0 ? ': ' : ''}${message}`;
  });
  const more = issues.length - printed.length;
  return printed.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
