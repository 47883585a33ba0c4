import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as schemas from '../../src/schemas.js';
import { type FieldsRow, fields } from './fields.js';

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
const words = (text = '') => text.split(' ').filter(Boolean);
const accepts = (field: z.core.$ZodType, value: unknown) => z.safeParse(field, value).success;

/** The row of an object as its schema describes it. */
function rowOf(shape: z.core.$ZodShape): Required<FieldsRow> {
  const row = { strict: [], open: [], int: [], nullable: [], never: [] } as Record<keyof FieldsRow, string[]>;
  for (const [name, field] of Object.entries(shape)) {
    const isAbsent = accepts(field, undefined);
    const isNull = accepts(field, null);
    if (isAbsent && !isNull) row.never.push(name);
    else (isAbsent ? row.open : row.strict).push(name);
    if (!isAbsent && isNull) row.nullable.push(name);
    if (accepts(field, 7) && !accepts(field, 'x') && !accepts(field, 7.5)) row.int.push(name);
  }
  return Object.fromEntries(Object.entries(row).map(([name, list]) => [name, list.sort().join(' ')])) as never;
}

describe('the fields of the responses, held against the schemas', () => {
  it('names every object', () => {
    expect([...objects.keys()].sort()).toEqual(Object.keys(fields).sort());
  });

  it.each([...objects])('%s', (path, shape) => {
    const { strict, open, int, nullable, never } = fields[path] as FieldsRow;
    const expected = { strict, open, int, nullable, never };
    expect(rowOf(shape)).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, text]) => [name, words(text).sort().join(' ')])),
    );
  });
});
