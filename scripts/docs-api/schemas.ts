import type { Schema } from '../../src/core/schema.js';
import * as acquisition from '../../src/resources/acquisition.js';
import * as articles from '../../src/resources/articles-schema.js';
import * as bulles from '../../src/resources/bulles.js';
import * as connections from '../../src/resources/connections.js';
import * as gmb from '../../src/resources/gmb-schema.js';
import * as health from '../../src/resources/health.js';
import * as images from '../../src/resources/images.js';
import * as me from '../../src/resources/me.js';
import * as platforms from '../../src/resources/platforms.js';
import * as posts from '../../src/resources/posts-schema.js';
import * as qrCodes from '../../src/resources/qr-codes.js';
import * as reports from '../../src/resources/reports-schema.js';
import * as reviews from '../../src/resources/reviews.js';
import * as seo from '../../src/resources/seo-schema.js';
import * as sites from '../../src/resources/sites.js';
import * as social from '../../src/resources/social.js';
import * as spheres from '../../src/resources/spheres.js';
import * as visibility from '../../src/resources/visibility.js';
import type { Docstrings } from './docstrings.js';

/** JSON Schema as a plain object. */
export type Json = Record<string, unknown>;

const resources: Record<string, unknown>[] = [
  acquisition,
  articles,
  bulles,
  connections,
  gmb,
  health,
  images,
  me,
  platforms,
  posts,
  qrCodes,
  reports,
  reviews,
  seo,
  sites,
  social,
  spheres,
  visibility,
];

/** Schemas that several places share, by the name of their public type. What `maybe` makes of one shares its fields. */
const shared = new Map<unknown, string>();
for (const [name, value] of resources.flatMap((resource) => Object.entries(resource))) {
  if (isSchema(value) && !name.endsWith('Params'))
    shared.set(identityOf(value), `${name[0]?.toUpperCase()}${name.slice(1)}`);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'type' in value && 'rules' in value;
}

function identityOf({ fields, anyOf }: Schema): unknown {
  return fields ?? anyOf ?? Symbol('not shared');
}

/** Writes JSON Schema with references to components, and keeps the components that were referred to. */
export class SchemaWriter {
  readonly components: Record<string, Json> = {};
  readonly #docs: Docstrings;

  constructor(docs: Docstrings) {
    this.#docs = docs;
  }

  /** What a schema lets through. */
  write(schema: Schema): Json {
    const name = shared.get(identityOf(schema));
    if (name === undefined) return nullableOr(schema, this.#plain(schema));
    if (!this.components[name]) {
      this.components[name] = {};
      this.#keep(name, this.#plain(schema));
    }
    return nullableOr(schema, { $ref: `#/components/schemas/${name}` });
  }

  #plain(schema: Schema): Json {
    const { type, anyOf, items, fields, strict, rules } = schema;
    const json: Json = { ...TYPES[type] };
    if (schema.enum) Object.assign(json, enumOf(schema.enum));
    if (anyOf) json.anyOf = anyOf.map((one) => this.write(one));
    if (items) json[type === 'array' ? 'items' : 'additionalProperties'] = this.write(items);
    else if (fields) {
      json.properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, this.write(field)]));
      const required = Object.keys(fields).filter((name) => !fields[name]?.optional);
      if (required.length > 0) json.required = required;
      json.additionalProperties = strict ? false : {};
    } else if (type === 'object') json.additionalProperties = {};
    for (const [, expected] of rules) describe(json, expected);
    return json;
  }

  #keep(name: string, { id: _, ...schema }: Json): void {
    const fields = this.#docs.fields(name);
    const properties = Object.entries((schema.properties as Record<string, Json> | undefined) ?? {}).map(
      ([field, json]) => [field, fields[field] ? { description: fields[field], ...json } : json],
    );
    const described = properties.length > 0 ? { ...schema, properties: Object.fromEntries(properties) } : schema;
    this.components[name] = described;
  }
}

const TYPES: Record<Schema['type'], Json> = {
  any: {},
  string: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  array: { type: 'array' },
  'valid Date': { type: 'string', format: 'date-time' },
};

function enumOf(values: readonly unknown[]): Json {
  if (values.length === 0) return { not: {} };
  if (values.length === 1 && values[0] === null) return { type: 'null' };
  return values.length === 1 ? { type: 'string', const: values[0] } : { type: 'string', enum: values };
}

function nullableOr({ nullable, enum: known }: Schema, json: Json): Json {
  if (!nullable) return json;
  if (known?.length === 0) return { type: 'null' };
  return typeof json.type === 'string' && ['string', 'number', 'integer', 'boolean'].includes(json.type)
    ? { ...json, type: [json.type, 'null'] }
    : { anyOf: [json, { type: 'null' }] };
}

/** The limits that stand in rules, as JSON Schema says them; the others in words. */
function describe(json: Json, expected: string): void {
  const [, least, most, unit = ''] = /^(-?\d+)(?: or more| to (\d+))( characters| items)?$/.exec(expected) ?? [];
  if (least === undefined) {
    json.description = json.description ? `${json.description}; ${expected}` : `Expected: ${expected}.`;
    return;
  }
  // JSON Schema counts characters as code points too.
  const [min, max] = { ' characters': ['minLength', 'maxLength'], ' items': ['minItems', 'maxItems'] }[unit] ?? [
    'minimum',
    'maximum',
  ];
  Object.assign(json, { [min as string]: Number(least) }, most !== undefined && { [max as string]: Number(most) });
}
