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
    .filter(([, text]) => /z\.ZodMiniType<|s\.ObjectSchema</.test(text)),
);

describe('every schema accepts what its type says, and nothing else', () => {
  const verdicts = compareSchemas(sources);

  it('is annotated with the type of its name', () => {
    const types = new Map(verdicts.map(({ schema, type }) => [schema, type.toLowerCase()]));
    for (const name of Object.keys(schemas)) expect(types.get(name), name).toBe(name.slice(0, -6).toLowerCase());
  });

  it('has the fields of its type, of the same types, at every depth', () => {
    for (const { schema, ofSchema, ofType } of verdicts) expect(ofSchema, schema).toBe(ofType);
  });
});

/** Types (the body of an interface or a union), and expressions for their schemas. */
const SAME: readonly (readonly [type: string, schema: string])[] = [
  ['{ id: number }', 's.object({ id: s.integer })'],
  ['{ a?: string | null }', 's.object({ a: s.maybe(s.string) })'],
  ['{ a?: string | undefined }', 's.params({ a: z.optional(s.string) })'],
  ["{ a: LiteralUnion<'x' | 'y', string>[] }", 's.object({ a: s.list(s.string) })'],
  ['{ a: readonly (Date | { epochMilliseconds: number } | string)[] }', 's.params({ a: s.list(s.timestamp) })'],
  ['{ a: { [name: string]: number | undefined } }', 's.object({ a: s.record(s.integer) })'],
  ['{ a?: unknown; b: unknown[] }', 's.object({ a: z.optional(s.anything), b: s.list(s.anything) })'],
  [
    "{ a: 'x' } | { b: 'y'; c: number }",
    "s.refine(s.params({ a: z.optional(s.oneOf(['x'])), b: z.optional(s.oneOf(['y'])), c: z.optional(s.number) }))",
  ],
  ['{ a: string } | { b: null }', "s.anyOf([s.object({ a: s.string }), s.object({ b: z.null('x') })], 'x')"],
];
const DIFFERENT: typeof SAME = [
  ['{ id: string }', 's.object({ id: s.integer })'],
  ['{ a?: string }', 's.object({ a: s.maybe(s.string) })'],
  ['{ a?: string }', 's.params({ a: z.optional(s.string) })'],
  ['{ a: string }', 's.params({ a: z.optional(s.string) })'],
  ['{ a?: string }', 's.params({ a: s.string })'],
  ['{ a: string }', 's.object({ a: s.string, b: s.maybe(s.string) })'],
  ['{ a: { b: { c: string; d?: 1 } } }', 's.object({ a: s.object({ b: s.object({ c: s.string }) }) })'],
  ["{ a: 'x' | 'y' }", "s.params({ a: s.oneOf(['x']) })"],
  ["{ a: 'x' | 'y' }", 's.params({ a: s.string })'],
  ['{ a: string[] }', 's.object({ a: s.string })'],
  ['{ a: string }', 's.object({ a: s.anything })'],
  ['{ a: { [name: string]: string | undefined } }', 's.object({ a: s.record(s.integer) })'],
  ['{ a: { id: 1 }[] }', 's.object({ a: s.list(s.object({ id: s.number })) })'],
  ['{ a: string } | { b: string }', 's.refine(s.params({ a: z.optional(s.string) }))'],
  ['{ a: string } | { b: null }', "s.anyOf([s.object({ a: s.string }), s.object({ b: s.string })], 'x')"],
  ['{ at: string }', 's.params({ at: s.timestamp })'],
];

describe('a difference is found', () => {
  const given = [...SAME, ...DIFFERENT].map(([type, schema], index) => {
    const text = [
      "import * as z from 'zod/mini';",
      "import type { LiteralUnion } from 'type-fest';",
      "import * as s from '../../src/core/schema.js';",
      `type Given = ${type};`,
      `export const givenSchema: z.ZodMiniType<Given, Given> = ${schema};`,
    ].join('\n');
    return [`test/types/given-${index}.ts`, text] as const;
  });
  const verdicts = compareSchemas(new Map(given));
  const rows = [...SAME, ...DIFFERENT].map((row, index) => [...row, verdicts[index] as Verdict] as const);

  it.each(rows.slice(0, SAME.length))('not where there is none: %s, with %s', (_type, _schema, verdict) => {
    expect(verdict.ofSchema).toBe(verdict.ofType);
  });

  it.each(rows.slice(SAME.length))('in %s, with %s', (_type, _schema, verdict) => {
    expect(verdict.ofSchema).not.toBe(verdict.ofType);
  });
});
