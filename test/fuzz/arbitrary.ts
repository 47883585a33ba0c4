import fc from 'fast-check';
import { issuesOf } from '../../src/core/issues.js';
import type { Schema } from '../../src/core/schema.js';

export const accepts = (schema: Schema, value: unknown): boolean => issuesOf(schema, value) === undefined;

/** Texts that one or the other refinement asks for. */
const SPECIAL = [
  '2026-12-01T09:00:00+01:00',
  '2026-12-01T09:00Z',
  '2026-12-01T09:00:00.123456Z',
  '2026-02-28',
  '2024-02-29',
  'https://x.test/é?a=1&b=2#c',
  'http://x.test/',
  '#7a4B1e',
  '#000000',
  'data:image/png;base64,iVBORw0KGgo=',
  'data:image/jpeg;base64,/9j/4AAQ',
] as const;

const PLAIN = ['abc', 'Pain au levain', '  abc  ', '👩‍👩‍👧 été', 'a&b=c+d%20', '"\\\n\u2028'] as const;

/** As it is once it has been sent: JSON writes -0 as 0. */
const JSON_VALUE = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as fc.JsonValue);

/** The bounds that a rule names. */
function boundsOf({ rules }: Schema): [min: number, max: number] {
  const [, least, , most] =
    rules.map(([, expected]) => /^(-?\d+)(?: or more)?( to (\d+))?$/.exec(expected)).find(Boolean) ?? [];
  return [Number(least ?? Number.MIN_SAFE_INTEGER), Number(most ?? Number.MAX_SAFE_INTEGER)];
}

/** Values that the schema accepts. What a rule refuses is left out, so the schema is the judge of what is valid. */
export function validFor(schema: Schema): fc.Arbitrary<unknown> {
  if (!schema.nullable) return valueFor(schema);
  const isNothing = schema.enum?.length === 0;
  if (isNothing) return fc.constant(null);
  return fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: valueFor(schema) });
}

function valueFor(schema: Schema): fc.Arbitrary<unknown> {
  const isValid = (value: unknown) => accepts(schema, value);
  const { type, anyOf, items, fields } = schema;
  if (schema.enum) return schema.enum.length > 0 ? fc.constantFrom(...schema.enum) : fc.constant(undefined);
  if (anyOf) return fc.oneof(...anyOf.map(validFor));
  switch (type) {
    case 'any':
      return JSON_VALUE;
    case 'string': {
      const known = [...PLAIN, ...SPECIAL].filter(isValid);
      if (known.length === 0) throw new Error('no text that this schema accepts');
      if (!PLAIN.every(isValid)) return fc.constantFrom(...known);
      const free = fc.string({ unit: 'grapheme', minLength: 3, maxLength: 12 }).filter(isValid);
      return fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...known) }, { weight: 3, arbitrary: free });
    }
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'integer': {
      const [min, max] = boundsOf(schema);
      return fc.oneof(
        fc.constantFrom(min, max),
        fc
          .maxSafeInteger()
          .map(Math.abs)
          .map((n) => (n < min || n > max ? min : n)),
      );
    }
    case 'boolean':
      return fc.boolean();
    case 'valid Date':
      return fc.date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') });
    case 'array': {
      const item = validFor(items as Schema);
      return fc
        .oneof(
          fc.array(item, { minLength: 2, maxLength: 4 }),
          fc.uniqueArray(item, { minLength: 1, maxLength: 3 }),
          fc.array(item, { maxLength: 10 }),
        )
        .filter(isValid);
    }
    case 'object': {
      if (!fields) {
        const values = items ? validFor(items) : JSON_VALUE;
        return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), values, { maxKeys: 3 }).filter(isValid);
      }
      const arbitraries = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, validFor(field)]));
      const requiredKeys = Object.keys(fields).filter((name) => !fields[name]?.optional);
      return fc.record(arbitraries, { requiredKeys, noNullPrototype: true });
    }
  }
}

/** One change to a value: which of its places, what is done there, and with what. */
export interface Change {
  place: number;
  kind: 'replace' | 'remove' | 'add';
  key: string;
  value: unknown;
}

/** The places of a JSON-like value: each with what holds it. */
function placesOf(value: unknown, found: [holder: Record<string, unknown>, key: string][] = []) {
  if (typeof value !== 'object' || value === null || value instanceof Date) return found;
  for (const key of Object.keys(value)) {
    found.push([value as Record<string, unknown>, key]);
    placesOf((value as Record<string, unknown>)[key], found);
  }
  return found;
}

function clone(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clone);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clone(item)]));
}

/** A copy with the change made. */
export function change<T>(value: T, { place, kind, key, value: item }: Change): T {
  const root = { root: clone(value) } as Record<string, unknown>;
  const places = placesOf(root);
  const [holder, name] = places[place % places.length] as [Record<string, unknown>, string];
  if (kind === 'add') {
    const objects = [root.root, ...places.map(([at, inner]) => at[inner])].filter((at) => {
      return typeof at === 'object' && at !== null && !Array.isArray(at) && !(at instanceof Date);
    });
    const target = objects[place % Math.max(1, objects.length)];
    // Also `__proto__`, which an assignment would not make a field.
    if (target)
      Object.defineProperty(target, key, { value: item, enumerable: true, configurable: true, writable: true });
  } else if (holder === root) {
    return (kind === 'remove' ? {} : kind === 'replace' ? item : root.root) as T;
  } else if (kind === 'remove') {
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else delete holder[name];
  } else holder[name] = item;
  return root.root as T;
}
