import { nearest } from './nearest.js';
import type { Fields, Schema } from './schema.js';
import type { Issue } from './types.js';

const MOST_PRINTED = 20;

/** What is wrong with a value, `undefined` when nothing is. Names paths and expectations, never a value. */
export function issuesOf(schema: Schema, value: unknown): Issue[] | undefined {
  if (value === undefined ? schema.optional : value === null && schema.nullable) return undefined;
  if (typeof value === schema.plain) return undefined;
  const { anyOf, items, fields, rules } = schema;
  if (!anyOf && !hasType(schema, value)) return [expected(typeName(schema))];
  const issues = anyOf
    ? issuesOfUnion(anyOf, value)
    : Array.isArray(value)
      ? items && issuesOfItems(items, value)
      : fields && issuesOfFields(schema, fields, value as object);
  if (issues || rules.length === 0) return issues;
  const broken = rules.filter(([test]) => !test(value as never));
  return broken.length > 0 ? broken.map(([, what, field]) => expected(what, field)) : issues;
}

/** Apart from the rest, and short: it is what takes the time, and engines make it several times faster this way. */
function issuesOfFields({ required, strict, items }: Schema, fields: Fields, value: object): Issue[] | undefined {
  let issues: Issue[] | undefined;
  // Not `for … in`: V8 13 then compiles and discards this function again and again once objects differ in form.
  // Nor `value[key]`: to list the values is faster than to look them up.
  const values = Object.values(value);
  let place = 0;
  for (const key of Object.keys(value)) {
    const item = values[place++];
    const field = fields[key] ?? items;
    const inner = field ? issuesOf(field, item) : strict ? [unknown(key, fields)] : undefined;
    if (inner) issues = add(issues, inner, key);
  }
  for (const key of required) {
    const missing = Object.hasOwn(value, key) ? undefined : issuesOf(fields[key] as Schema, undefined);
    if (missing) issues = add(issues, missing, key);
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
  const tried = schemas.map((schema) => issuesOf(schema, value) ?? []);
  if (tried.some((issues) => issues.length === 0)) return undefined;
  // An alternative that fails on a field inside, rather than as a whole, is the one that was meant.
  const meant = tried.find((issues) => issues.every(({ path }) => path.length > 0));
  const alternatives = new Set(tried.flat().map(({ message }) => message.replace('expected ', '')));
  return meant ?? [expected([...alternatives].join(', or '))];
}

function add(issues: Issue[] = [], inner: readonly Issue[], key: string | number): Issue[] {
  for (const { path, message } of inner) issues.push({ path: [key, ...path], message });
  return issues;
}

/** With the name that was probably meant. */
function unknown(name: string, fields: Fields): Issue {
  const meant = nearest(name, Object.keys(fields));
  return { path: [], message: `unknown parameter${meant ? `; did you mean \`${meant}\`?` : ''}` };
}

function expected(what: string, field?: string): Issue {
  return { path: field ? [field] : [], message: `expected ${what}` };
}

function hasType({ type, enum: known }: Schema, value: unknown): boolean {
  if (known) return known.includes(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return Number.isFinite(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'valid Date') return value instanceof Date && !Number.isNaN(+value);
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
