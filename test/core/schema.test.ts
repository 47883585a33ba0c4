import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { issuesOf, printIssues } from '../../src/core/issues.js';
import {
  anyOf,
  anything,
  array,
  boolean,
  date,
  int,
  integer,
  maybe,
  nullable,
  number,
  object,
  oneOf,
  opaque,
  optional,
  record,
  type Schema,
  strictObject,
  string,
  text,
  where,
} from '../../src/core/schema.js';
import { endpoints } from '../../src/resources/index.js';
import { change, validFor } from '../fuzz/arbitrary.js';
import { zodOf } from '../support/zod.js';

const schemas = endpoints.flatMap(({ operation, params, response }) => [
  ...(params ? [[`parameters of ${operation}`, params] as const] : []),
  ...(response ? [[`answer of ${operation}`, response] as const] : []),
]);

describe.each(schemas)('%s', (_, schema) => {
  const other = zodOf(schema);
  const agree = (value: unknown) => {
    expect(issuesOf(schema, value) === undefined).toBe(z.safeParse(other, value).success);
  };

  it('accepts and refuses what zod does', () => {
    const changes = fc.array(
      fc.record({
        place: fc.nat(200),
        kind: fc.constantFrom('replace' as const, 'remove' as const, 'add' as const),
        // Not `__proto__`, which zod passes over in maps whatever its value.
        key: fc.constantFrom('x', 'id', 'constructor', 'toString'),
        value: fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, 1.5)),
      }),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(validFor(schema), changes, (valid, each) =>
        agree(each.reduce((value, one) => change(value, one), valid)),
      ),
      { numRuns: 100 },
    );
    fc.assert(fc.property(fc.jsonValue(), agree), { numRuns: 100 });
  });
});

describe('what is wrong is said', () => {
  const said = (schema: Schema, value: unknown) => printIssues(issuesOf(schema, value) ?? []);

  it.each<[schema: Schema, value: unknown, message: string]>([
    [string, 1, 'expected a string'],
    [number, '1', 'expected a number'],
    [number, Number.POSITIVE_INFINITY, 'expected a number'],
    [integer, 1.5, 'expected an integer'],
    [integer, 2 ** 53, 'expected an integer'],
    [boolean, 'true', 'expected a boolean'],
    [date, new Date(Number.NaN), 'expected a valid Date'],
    [opaque, [], 'expected an object'],
    [array(string), {}, 'expected an array'],
    [array(string), ['a', 1, null], '[1]: expected a string; [2]: expected a string'],
    [text(1, 3), 'abcd', 'expected 1 to 3 characters'],
    [text(3), '👩‍👩‍👧'.slice(0, 2), 'expected 3 or more characters'],
    [int(1, 100), 101, 'expected 1 to 100'],
    [array(string, 2, 3), ['a'], 'expected 2 to 3 items'],
    [oneOf('a', 'b'), 'c', 'expected "a" or "b"'],
    [anyOf(string, date), 5, 'expected a string, or a valid Date'],
    [object({ a: object({ b: string }) }), { a: { b: 1 } }, 'a.b: expected a string'],
    [object({ list: array(object({ id: integer })) }), { list: [{ id: 1 }, {}] }, 'list[1].id: expected an integer'],
    [strictObject({ status: optional(string) }), { statut: 1 }, 'statut: unknown parameter; did you mean `status`?'],
    [strictObject({ a: optional(string) }), { b: 1 }, 'b: unknown parameter'],
    [record(integer), { a: 1, b: 'x' }, 'b: expected an integer'],
    [
      where(object({ a: integer, b: integer }), [({ a, b }) => a < b, 'more than `a`', 'b']),
      { a: 2, b: 1 },
      'b: expected more than `a`',
    ],
    [
      anyOf(object({ kind: string, size: integer }), object({ kind: maybe(oneOf()), id: integer })),
      { kind: 'x', size: 'y' },
      'size: expected an integer',
    ],
  ])('%# %j', (schema, value, message) => {
    expect(said(schema, value)).toBe(message);
  });

  it.each<[schema: Schema, value: unknown]>([
    [maybe(string), null],
    [maybe(string), undefined],
    [optional(string), undefined],
    [nullable(string), null],
    [anything, Symbol('x')],
    [object({ a: maybe(string) }), {}],
    [object({ a: string }), { a: 'x', constructor: 1, toString: 'y' }],
    [record(integer), JSON.parse('{"__proto__": 1}')],
  ])('and nothing where nothing is: %#', (schema, value) => {
    expect(issuesOf(schema, value)).toBeUndefined();
  });

  it('nothing is said of rules where the rest is wrong already', () => {
    const schema = where(object({ a: integer }), [
      () => {
        throw new Error('looked at');
      },
      'x',
    ]);
    expect(said(schema, { a: 'b' })).toBe('a: expected an integer');
  });

  it('names of every object are no known fields', () => {
    expect(said(strictObject({}), { constructor: 1 })).toBe('constructor: unknown parameter');
    expect(said(object({ constructor: string }), {})).toBe('constructor: expected a string');
  });
});
