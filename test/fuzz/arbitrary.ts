import fc from 'fast-check';
import * as z from 'zod/mini';
import { issuesOf } from '../../src/core/issues.js';
import type { Schema } from '../../src/core/schema.js';

/** Any code points, halves of pairs too. `unit: 'binary'`, which has no such halves, takes a second to prepare. */
export const anyText = fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) });

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

/** Values that the schema accepts. Rules between fields are not looked at: the schema is the judge of what is valid. */
export function validFor(schema: z.core.SomeType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const isValid = (value: unknown) => accepts(schema as Schema, value);
  switch (def.type) {
    case 'unknown':
      return JSON_VALUE;
    case 'optional':
      return validFor(def.innerType);
    case 'nullable':
      return fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: validFor(def.innerType) });
    case 'null':
      return fc.constant(null);
    case 'never':
      return fc.constant(undefined);
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'union':
      return fc.oneof(...def.options.map(validFor)).filter(isValid);
    case 'string':
      return textFor(isValid);
    case 'number':
      return 'format' in def
        ? integerFor(schema as z.core.$ZodNumber)
        : fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'date':
      return fc.date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') });
    case 'array': {
      const item = validFor(def.element);
      return fc
        .oneof(
          fc.array(item, { minLength: 2, maxLength: 4 }),
          fc.uniqueArray(item, { minLength: 1, maxLength: 3 }),
          fc.array(item, { maxLength: 10 }),
        )
        .filter(isValid);
    }
    case 'object': {
      const names = Object.keys(def.shape);
      if (names.length === 0 && def.catchall) {
        return dictionaryOf(def.catchall._zod.def.type === 'unknown' ? JSON_VALUE : validFor(def.catchall));
      }
      const fields = Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, validFor(field)]));
      const requiredKeys = names.filter((name) => def.shape[name]?._zod.optin === undefined);
      return fc.record(fields, { requiredKeys, noNullPrototype: true });
    }
    case 'custom':
      // A moment of `Temporal` is not JSON-like. It stands in a union, which has other values.
      return fc.constant(undefined);
    default:
      throw new Error(`no values for schemas of the type ${def.type}`);
  }
}

function textFor(isValid: (value: unknown) => boolean): fc.Arbitrary<string> {
  const known = [...PLAIN, ...SPECIAL].filter(isValid);
  if (known.length === 0) throw new Error('no text that this schema accepts');
  if (!PLAIN.every(isValid)) return fc.constantFrom(...known);
  const free = fc.string({ unit: 'grapheme', minLength: 3, maxLength: 12 }).filter(isValid);
  return fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...known) }, { weight: 3, arbitrary: free });
}

function integerFor(schema: z.core.$ZodNumber): fc.Arbitrary<number> {
  const { minimum: min = Number.NaN, maximum: max = Number.NaN } = z.toJSONSchema(schema);
  const other = fc
    .maxSafeInteger()
    .map(Math.abs)
    .map((n) => (n < min || n > max ? min : n));
  return fc.oneof(fc.constantFrom(min, max), other);
}

function dictionaryOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), values, { maxKeys: 3, noNullPrototype: true });
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
