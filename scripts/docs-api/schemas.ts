import * as z from 'zod/mini';
import * as schemas from '../../src/schemas.js';
import type { Docstrings } from './docstrings.js';

/** JSON Schema as a plain object. */
export type Json = Record<string, unknown>;

/** The public type of each schema that has one. */
const typeNames = new Map<z.core.$ZodType, string>(
  Object.entries(schemas).map(([name, schema]) => {
    const type = name.replace(/Schema$/, '');
    return [schema, `${type[0]?.toUpperCase()}${type.slice(1)}`];
  }),
);

/** Schemas that several places may share: parameters stand where they are taken. */
const components = z.registry<{ id: string }>();
for (const [schema, id] of typeNames) if (!/(Params|Target)$/.test(id)) components.add(schema, { id });

/** Writes JSON Schema with references to components, and keeps the components that were referred to. */
export class SchemaWriter {
  readonly components: Record<string, Json> = {};
  readonly #docs: Docstrings;

  constructor(docs: Docstrings) {
    this.#docs = docs;
  }

  /** What a schema lets through. */
  write(schema: z.core.$ZodType): Json {
    const { $schema: _, $defs = {}, id, ...json } = toJson(schema);
    for (const [name, component] of Object.entries($defs as Record<string, Json>)) this.#keep(name, component);
    if (typeof id !== 'string') return this.#describe(json, typeNames.get(schema));
    this.#keep(id, json);
    return { $ref: `#/components/schemas/${id}` };
  }

  #keep(name: string, { id: _, ...json }: Json): void {
    this.components[name] ??= this.#describe(json, name);
  }

  /** Adds the docs of the fields of a public type. */
  #describe(json: Json, typeName: string | undefined): Json {
    const fields = typeName === undefined ? {} : this.#docs.fields(typeName);
    if (!json.properties) return json;
    const properties = Object.entries(json.properties as Record<string, Json>).map(([name, field]) => {
      const { description: expected, ...rest } = field;
      const description = [fields[name], expected].filter(Boolean).join(' ');
      return [name, description === '' ? field : { description, ...rest }];
    });
    return { ...json, properties: Object.fromEntries(properties) };
  }
}

function toJson(schema: z.core.$ZodType): Json {
  const json = z.toJSONSchema(schema, {
    metadata: components,
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => adapt(zodSchema, jsonSchema),
  });
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

/** What zod cannot say, or says at length. */
function adapt(schema: z.core.$ZodTypes, json: z.core.JSONSchema.BaseSchema): void {
  const { def } = schema._zod;
  if (def.type === 'date') Object.assign(json, { type: 'string', format: 'date-time' });
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  // A moment of `Temporal` is not JSON.
  if (def.type === 'union' && def.options.some((option) => isCustom(option))) {
    json.anyOf = (json.anyOf ?? []).filter((_, index) => !isCustom(def.options[index]));
  }
  if (def.type === 'object' && Object.keys(def.shape).length === 0) delete json.properties;
  if (json.enum?.length === 1) {
    json.const = json.enum[0] as string;
    delete json.enum;
  }
  // The check of a size stands before those of zod that show its bounds, and needs no words.
  const isSize = (index: number) => def.checks?.[index + 1]?._zod.def.check === 'min_length';
  const rules = (def.checks ?? []).filter((_, index) => !isSize(index)).flatMap(wordsOf);
  if (rules.length > 0) json.description = `Expected: ${rules.join('; ').replaceAll(/(?<=^|; )expected /g, '')}.`;
}

function isCustom(schema: z.core.SomeType | undefined): boolean {
  return schema?._zod.def.type === 'custom';
}

/** The message of a rule of ours. */
function wordsOf({ _zod: { def } }: z.core.$ZodCheck<never>): string[] {
  if (def.check !== 'custom') return [];
  const message = def.error?.({ code: 'custom', input: undefined, path: [] } as never);
  return typeof message === 'string' ? [message] : [];
}
