import { createMockApi } from 'multilocal/mock/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { Client, MissingBulleIdError, MissingFicheIdError } from '../../src/index.js';
import { endpoints } from '../../src/resources/endpoints.js';
import { callByName, type SpecEndpoint, type SpecParam, specOf } from './endpoints.js';
import { callSample } from './sample.js';

type Json = z.core.JSONSchema.BaseSchema;

const jsonSchemaOf = (schema: z.core.$ZodType): { properties?: Record<string, Json>; required?: string[] } =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'date') jsonSchema.type = 'string';
    },
  }) as never;

/** A parameter as its JSON Schema describes it, in the words of the table. */
function shownBy(schema: Json, required: boolean) {
  const { items } = plainOf(schema);
  return {
    type: items ? `${items.type}[]` : plainOf(schema).type,
    range: boundsOf(schema),
    values: (items ?? plainOf(schema)).enum,
    required,
  };
}

/** `null` beside a string, and a `Date` in place of one. */
function plainOf(schema: Json): Json & { items?: Json } {
  return (schema.anyOf?.[0] ?? schema) as Json & { items?: Json };
}

function boundsOf(schema: Json): readonly [number, number] {
  const { minimum, minLength, minItems, maximum, maxLength, maxItems } = plainOf(schema);
  const [least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY] = [
    minimum ?? minLength ?? minItems,
    maximum ?? maxLength ?? maxItems,
  ];
  return [least, most === Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : most];
}

/** The range of the table. Where it has none, the SDK only refuses what is empty, and counts below 0 or 1. */
function rangeOf({ range }: SpecParam, schema: Json): readonly [number, number] {
  const [least] = boundsOf(schema);
  return range ?? [Math.min(least, 1), Number.POSITIVE_INFINITY];
}

const operations = endpoints.map((endpoint) => [endpoint.operation, endpoint] as const);

describe('the specification, held against the registry of endpoints', () => {
  it.each(operations)('%s', (_, endpoint) => {
    const row = specOf(endpoint.operation);
    expect({
      method: endpoint.method,
      path: endpoint.path,
      permission: endpoint.permission ?? 'none',
      target: endpoint.target,
      dry_run: endpoint.dryRun,
    }).toEqual({
      method: row?.method,
      path: row?.path,
      permission: row?.permission,
      target: row?.target,
      dry_run: row?.dry_run,
    });
  });

  it.each(operations)('%s: parameters', (_, endpoint) => {
    const { params = {}, target } = specOf(endpoint.operation) as SpecEndpoint;
    const { properties = {}, required = [] } = jsonSchemaOf(endpoint.params ?? z.strictObject({}));
    const expected: Record<string, SpecParam> = { ...params, ...(target && { [target]: { type: 'string' } }) };
    expect(Object.keys(properties).sort()).toEqual(Object.keys(expected).sort());
    const shown = Object.entries(properties).map(([name, schema]) => [name, shownBy(schema, required.includes(name))]);
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(
        Object.entries(expected).map(([name, row]) => {
          const json = properties[name] as Json;
          // The method of the client says which kind it reads.
          if (name === 'kind')
            return [name, shownBy({ type: 'string', enum: [endpoint.operation.slice('seo.'.length)] }, true)];
          return [
            name,
            { type: row.type, range: rangeOf(row, json), values: row.values, required: row.required === true },
          ];
        }),
      ),
    );
  });

  it('has the two kinds of /seo/data', () => {
    const kinds = endpoints.filter(({ path }) => path === '/seo/data').map(({ operation }) => operation.split('.')[1]);
    expect(kinds).toEqual(specOf('seo.snapshot')?.params?.kind?.values);
  });
});

describe('the samples of the table are taken by the client and the mock', () => {
  it.each(operations)('%s', async (_, endpoint) => {
    expect((await callSample(endpoint)).status).toBeLessThan(300);
  });
});

describe('a sphere key that names no target', () => {
  // `articles.create` goes to the service all the same: with site ids, the specification asks for no `bulle_id`.
  const aimed = operations.filter(([name, { target }]) => target !== undefined && name !== 'articles.create');

  it.each(aimed)('%s', async (operation, endpoint) => {
    const api = createMockApi();
    const { sample = [] } = specOf(operation) ?? {};
    const args = sample.map((arg) => {
      if (typeof arg !== 'object' || arg === null) return arg;
      return Object.fromEntries(Object.entries(arg).filter(([name]) => name !== endpoint.target));
    });
    const { keys, baseUrl, handle: fetch } = api;
    const client = new Client({ apiKey: keys.sphere, baseUrl, fetch, rateLimit: false, maxRetries: 0 });
    const error: unknown = await Promise.resolve(callByName(client, operation, args)).catch((thrown) => thrown);
    const isRefused = error instanceof MissingBulleIdError || error instanceof MissingFicheIdError;
    const { targetRequired = false } = endpoint;
    const params = Object(args.at(-1)) as Record<string, unknown>;
    expect(typeof targetRequired === 'function' ? targetRequired(params) : targetRequired).toBe(isRefused);
  });
});
