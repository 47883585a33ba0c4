import * as z from 'zod/mini';
import type { Schema } from '../../src/core/schema.js';

/** The same schema for zod, whose judgement the checker is held to. */
export function zodOf(schema: Schema): z.ZodMiniType {
  const { type, anyOf, items, fields, strict, rules, optional: isOptional, nullable: isNullable } = schema;
  let made: z.ZodMiniType;
  if (schema.enum) made = z.union(schema.enum.map((value) => z.literal(value as string)) as never);
  else if (anyOf) made = z.union(anyOf.map(zodOf) as never);
  else if (type === 'array') made = z.array(items ? zodOf(items) : z.unknown());
  else if (fields && !items) {
    const shape = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, zodOf(field)]));
    made = strict ? z.strictObject(shape) : z.looseObject(shape);
  } else if (type === 'object') made = z.record(z.string(), items ? zodOf(items) : z.unknown());
  else {
    made = {
      any: z.unknown(),
      string: z.string(),
      number: z.number(),
      integer: z.int(),
      boolean: z.boolean(),
      'valid Date': z.date(),
    }[type as 'any'];
  }
  for (const [test, expected] of rules) made = made.check(z.refine(test as (value: unknown) => boolean, expected));
  if (isNullable) made = z.nullable(made);
  return isOptional ? z.optional(made) : made;
}
