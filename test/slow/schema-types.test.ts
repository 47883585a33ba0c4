import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as schemas from '../../src/schemas.js';
import { compareSchemas, type Verdict } from '../types/exact.js';

const sources = new Map(
  ['src/core', 'src/resources']
    .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
    .concat('src/schemas.ts')
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(name, 'utf8')] as const)
    .filter(([, text]) => text.includes('z.ZodMiniType<')),
);

const failing = (verdicts: Verdict[]) =>
  Object.fromEntries(verdicts.flatMap(({ schema, differences }) => (differences[0] ? [[schema, differences]] : [])));

describe('every schema accepts what its type says, and nothing else', () => {
  const verdicts = compareSchemas(sources);

  it('is annotated with the type of its name', () => {
    const types = new Map(verdicts.map(({ schema, type }) => [schema, type.toLowerCase()]));
    for (const name of Object.keys(schemas)) expect(types.get(name), name).toBe(name.slice(0, -6).toLowerCase());
  });

  it('has the fields of its type, of the same types, at every depth', () => {
    expect(failing(verdicts)).toEqual({});
  });
});

describe('of a type and a schema', () => {
  /** A schema with its type: `type` is the body of an interface or a union, `schema` an expression. */
  const verdictOf = (type: string, schema: string) => {
    const text = [
      "import * as z from 'zod/mini';",
      "import type { LiteralUnion } from 'type-fest';",
      "import * as s from '../../src/core/schema.js';",
      `type Given = ${type};`,
      `export const givenSchema: z.ZodMiniType<Given, Given> = ${schema};`,
    ].join('\n');
    return compareSchemas(new Map([['test/types/given.ts', text]]))[0]?.differences;
  };

  it.each([
    ['{ id: string }', 's.object({ id: s.integer })', 'id: number in the schema, string in the type'],
    ['{ a?: string }', 's.object({ a: s.maybe(s.string) })', 'a: null | string in the schema, string in the type'],
    ['{ a?: string }', 's.params({ a: z.optional(s.string) })', 'a: only one of the two may be undefined'],
    ['{ a: string }', 's.params({ a: z.optional(s.string) })', 'a: optional in the schema only'],
    ['{ a?: string }', 's.params({ a: s.string })', 'a: optional in the type only'],
    ['{ a: string }', 's.object({ a: s.string, b: s.maybe(s.string) })', 'b: not in the type'],
    [
      '{ a: { b: { c: string; d?: 1 } } }',
      's.object({ a: s.object({ b: s.object({ c: s.string }) }) })',
      'a.b.d: not in the schema',
    ],
    ["{ a: 'x' | 'y' }", "s.params({ a: s.oneOf(['x']) })", 'a: "x" in the schema, "x" | "y" in the type'],
    ["{ a: 'x' | 'y' }", 's.params({ a: s.string })', 'a: string in the schema, "x" | "y" in the type'],
    ['{ a: string[] }', 's.object({ a: s.string })', 'a: string in the schema, nothing in the type'],
    ['{ a: string }', 's.object({ a: s.anything })', 'a: unknown in the schema, string in the type'],
    [
      '{ a: { [name: string]: string | undefined } }',
      's.object({ a: s.record(s.integer) })',
      'a.*: number in the schema, string in the type',
    ],
    [
      '{ a: { id: 1 }[] }',
      's.object({ a: s.list(s.object({ id: s.number })) })',
      'a[].id: number in the schema, 1 in the type',
    ],
    ['{ a: string } | { b: string }', 's.where(s.params({ a: z.optional(s.string) }))', 'b: not in the schema'],
    [
      '{ a: string } | { b: null }',
      "s.anyOf([s.object({ a: s.string }), s.object({ b: s.string })], 'x')",
      'b: string in the schema, null in the type',
    ],
    ['{ at: string }', 's.params({ at: s.timestamp })', 'at: Date | string in the schema, string in the type'],
  ])('the difference is found in %s', (type, schema, difference) => {
    expect(verdictOf(type, schema)).toContain(difference);
  });
});
