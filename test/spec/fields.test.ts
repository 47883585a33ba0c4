import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as schemas from '../../src/schemas.js';
import { fields } from './fields.js';

const responses = Object.entries(schemas).filter(([name]) => !/(Params|Target|dryRunPreview)Schema$/.test(name));

/** The objects within a schema, by their paths. */
function* objectsIn(schema: z.core.$ZodType, path: string): Generator<[string, z.core.$ZodShape]> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'array') yield* objectsIn(def.element, path);
  if (def.type === 'optional' || def.type === 'nullable') yield* objectsIn(def.innerType, path);
  if (def.type === 'union')
    for (const [index, option] of def.options.entries()) yield* objectsIn(option, `${path}.${index}`);
  if (def.type !== 'object' || Object.keys(def.shape).length === 0) return;
  yield [path, def.shape];
  for (const [name, field] of Object.entries(def.shape)) yield* objectsIn(field, `${path}.${name}`);
}

const objects = new Map(responses.flatMap(([name, schema]) => [...objectsIn(schema, name.slice(0, -6))]));
const accepts = (field: z.core.$ZodType, value: unknown) => z.safeParse(field, value).success;
const wordsOf = (text: string) => text.split(' ').filter(Boolean).sort();

/** The row of an object as its schema describes it, in its three parts. */
function rowOf(shape: z.core.$ZodShape): string[][] {
  const row: string[][] = [[], [], []];
  for (const [name, field] of Object.entries(shape)) {
    const isAbsent = accepts(field, undefined);
    const isNull = accepts(field, null);
    const isInt = accepts(field, 7) && !accepts(field, 'x') && !accepts(field, 7.5);
    row[isAbsent ? (isNull ? 1 : 2) : 0]?.push(`${name}${isInt ? '#' : ''}${!isAbsent && isNull ? '?' : ''}`);
  }
  return row.map((names) => names.sort());
}

describe('the fields of the responses, held against the schemas', () => {
  it('names every object', () => {
    expect([...objects.keys()].sort()).toEqual(Object.keys(fields).sort());
  });

  it.each([...objects])('%s', (path, shape) => {
    const [known = '', never = ''] = fields[path]?.split('!') ?? [];
    const [strict = '', open = ''] = known.split('|');
    expect(rowOf(shape)).toEqual([strict, open, never].map(wordsOf));
  });
});
