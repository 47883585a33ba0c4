import * as z from 'zod/mini';
import type { Schema } from '../../src/core/schema.js';
import * as acquisition from '../../src/resources/acquisition.js';
import * as articles from '../../src/resources/articles-model.js';
import * as bulles from '../../src/resources/bulles.js';
import * as connections from '../../src/resources/connections.js';
import * as gmb from '../../src/resources/gmb-model.js';
import * as health from '../../src/resources/health.js';
import * as images from '../../src/resources/images.js';
import * as me from '../../src/resources/me.js';
import * as platforms from '../../src/resources/platforms.js';
import * as posts from '../../src/resources/posts-model.js';
import * as qrCodes from '../../src/resources/qr-codes.js';
import * as reports from '../../src/resources/reports-model.js';
import * as reviews from '../../src/resources/reviews.js';
import * as seo from '../../src/resources/seo-model.js';
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

/** Schemas that several places share, by the name of their public type. */
const shared = z.registry<{ id: string }>();
for (const [name, value] of resources.flatMap((resource) => Object.entries(resource))) {
  const isSchema = typeof value === 'object' && value !== null && '_zod' in value;
  if (isSchema && !name.endsWith('Params')) {
    shared.add(value as unknown as z.ZodMiniType, { id: name[0]?.toUpperCase() + name.slice(1) });
  }
}

/** Writes JSON Schema with references to components, and keeps the components that were referred to. */
export class SchemaWriter {
  readonly components: Record<string, Json> = {};
  readonly #docs: Docstrings;

  constructor(docs: Docstrings) {
    this.#docs = docs;
  }

  /** What a schema lets through; `io: 'input'` for parameters. */
  write(schema: Schema, io: 'input' | 'output'): Json {
    const { $schema, $defs, ...json } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      metadata: shared,
      unrepresentable: 'any',
      io,
      override: ({ zodSchema, jsonSchema }) => describe(zodSchema, jsonSchema as Json),
    }) as Json;
    for (const [name, component] of Object.entries(($defs as Record<string, Json> | undefined) ?? {})) {
      this.#keep(name, component);
    }
    const { id, ...rest } = json;
    if (typeof id !== 'string') return referTo(rest) as Json;
    this.#keep(id, rest);
    return { $ref: `#/components/schemas/${id}` };
  }

  #keep(name: string, { id: _, ...schema }: Json): void {
    const fields = this.#docs.fields(name);
    const properties = Object.entries((schema.properties as Record<string, Json> | undefined) ?? {}).map(
      ([field, json]) => [field, fields[field] ? { description: fields[field], ...json } : json],
    );
    const described = properties.length > 0 ? { ...schema, properties: Object.fromEntries(properties) } : schema;
    this.components[name] = referTo(described) as Json;
  }
}

/** What zod cannot tell of itself: dates, and the limits that stand in checks of our own. */
function describe(schema: z.core.$ZodType, json: Json): void {
  const { def } = schema._zod as { def: { type: string; checks?: z.core.$ZodCheck[] } };
  if (def.type === 'date') Object.assign(json, { type: 'string', format: 'date-time' });
  // An array that the caller may not change, which says nothing of the wire.
  delete json.readOnly;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  for (const check of def.checks ?? []) {
    const { error } = check._zod.def as { error?: unknown };
    const said: unknown = typeof error === 'function' ? error({}) : undefined;
    if (typeof said !== 'string') continue;
    const [, least, most] = /^(?:at least )?(\d+)(?: to (\d+))? characters$/.exec(said) ?? [];
    // JSON Schema counts characters as code points too.
    if (least !== undefined)
      Object.assign(json, { minLength: Number(least), ...(most && { maxLength: Number(most) }) });
    else json.description = json.description ? `${json.description}; ${said}` : `Expected: ${said}.`;
  }
}

function referTo(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referTo);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string' ? item.replace('#/$defs/', '#/components/schemas/') : referTo(item),
    ]),
  );
}
