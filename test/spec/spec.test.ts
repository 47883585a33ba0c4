import { pathNames } from '@multilocal/plans/operation';
import { createMockApi } from 'multilocal/mock';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { Client, MissingBulleIdError, MissingFicheIdError } from '../../src/index.js';
import { endpoints } from '../../src/resources/index.js';
import { callByName, type SpecEndpoint, type SpecParam, spec, specOf } from './endpoints.js';
import { scopeErrors, statuses } from './errors.js';

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

/** The method behind `'gmb.optimizer.audit'`. */
function methodOf(client: object, operation: string): unknown {
  return operation.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], client);
}

describe('the specification, held against the registry of endpoints', () => {
  it.each(endpoints.map((endpoint) => [endpoint.operation, endpoint] as const))('%s', (_, endpoint) => {
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

  it.each(endpoints.map((endpoint) => [endpoint.operation, endpoint] as const))('%s: parameters', (_, endpoint) => {
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

  it('has only defaults that it takes', () => {
    for (const { operation, params = {} } of spec) {
      for (const [name, { default: value, type, range, values }] of Object.entries(params)) {
        if (value === undefined) continue;
        expect(typeof value, `${operation} ${name}`).toBe(type === 'integer' ? 'number' : type);
        if (range) expect(range[0] <= Number(value) && Number(value) <= range[1], `${operation} ${name}`).toBe(true);
        if (values) expect(values, `${operation} ${name}`).toContain(value);
      }
    }
  });

  it('has the two kinds of /seo/data', () => {
    const kinds = endpoints.filter(({ path }) => path === '/seo/data').map(({ operation }) => operation.split('.')[1]);
    expect(kinds).toEqual(specOf('seo.snapshot')?.params?.kind?.values);
  });

  it('names every operation once', () => {
    const names = endpoints.map(({ operation }) => operation);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has a method of the client for every endpoint', () => {
    const client = new Client({ apiKey: 'k', baseUrl: 'https://service.test' });
    for (const { operation } of endpoints) expect(typeof methodOf(client, operation), operation).toBe('function');
  });
});

describe('a required parameter', () => {
  const required = spec.flatMap((row) =>
    Object.entries(row.params ?? {}).flatMap(([name, param]) => (param.required ? [[row, name, param] as const] : [])),
  );
  const cases = required.map(([row, name, param]) => [row.operation, name, row, param] as const);

  it.each(cases)(
    '%s: %s is refused if it is missing or empty, and nothing is sent',
    async (operation, name, row, param) => {
      const fetch = vi.fn();
      const client = new Client({ apiKey: 'ml_live_0123456789', baseUrl: 'https://service.test', fetch });
      const [params] = row.sample.slice(-1);
      const empty = param.type === 'string' ? '' : [];
      const values = param.values && param.type === 'string' ? [undefined] : [undefined, empty];
      for (const value of values) {
        const args = [...row.sample.slice(0, -1), { ...Object(params), [name]: value }];
        await expect(callByName(client, operation, args)).rejects.toMatchObject({
          code: 'invalid_request',
          outcome: 'not_applied',
          issues: [{ path: [name] }],
        });
      }
      expect(fetch).not.toHaveBeenCalled();
    },
  );
});

describe('the samples of the table', () => {
  it.each(endpoints.map((endpoint) => [endpoint.operation, endpoint] as const))('%s', async (operation, endpoint) => {
    const { sample, after } = specOf(operation) as SpecEndpoint;
    const mock = createMockApi();
    const client = new Client({
      apiKey: mock.keys.sphere,
      baseUrl: mock.baseUrl,
      rateLimit: false,
      fetch: (input, init) => mock.handle(new Request(input, init)),
    });
    const call = async (name: string, args: readonly unknown[]) => {
      const owner = name.includes('.') ? methodOf(client, name.slice(0, name.lastIndexOf('.'))) : client;
      await Reflect.apply(methodOf(client, name) as () => unknown, owner, args);
    };
    if (after) await call(after, specOf(after)?.sample ?? []);
    await call(operation, sample);
    const names = pathNames(endpoint);
    const path = names.reduce(
      (at, name, index) => at.replace(`{${name}}`, encodeURIComponent(String(sample[index]))),
      endpoint.path as string,
    );
    expect(mock.requests.at(-1)).toMatchObject({ method: endpoint.method, path: `/api/v2${path}` });
    expect(sample.length - names.length).toBeLessThanOrEqual(1);
  });
});

describe('the errors of the specification', () => {
  const answering = (status: number, body: unknown) =>
    new Client({
      apiKey: 'k',
      baseUrl: 'https://service.test',
      maxRetries: 0,
      fetch: async () => Response.json(body, { status }),
    });

  it.each(statuses)('%i is a %s (%s)', async (status, name, code) => {
    const error = await answering(status, {})
      .articles.get(1)
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ name, code, status, origin: 'service' });
  });

  it.each(scopeErrors)('%i %s is %s', async (status, detail, code) => {
    const error = await answering(status, { detail })
      .articles.get(1)
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code, status, detail });
  });
});

describe('a sphere key that names no target', () => {
  // `articles.create` goes to the service all the same: with site ids, the specification asks for no `bulle_id`.
  const aimed = endpoints.filter(({ target, operation }) => target !== undefined && operation !== 'articles.create');

  it.each(aimed.map((endpoint) => [endpoint.operation, endpoint] as const))('%s', async (operation, endpoint) => {
    const api = createMockApi();
    const { sample = [] } = specOf(operation) ?? {};
    const args = sample.map((arg) => {
      if (typeof arg !== 'object' || arg === null) return arg;
      return Object.fromEntries(Object.entries(arg).filter(([name]) => name !== endpoint.target));
    });
    const options = {
      apiKey: api.keys.sphere,
      baseUrl: api.baseUrl,
      fetch: api.handle,
      rateLimit: false,
      maxRetries: 0,
    };
    const client = new Client(options as ConstructorParameters<typeof Client>[0]);
    const error = await Promise.resolve(callByName(client, operation, args)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const isRefused = error instanceof MissingBulleIdError || error instanceof MissingFicheIdError;
    const { targetRequired = false } = endpoint;
    const params = Object(args.at(-1)) as Record<string, unknown>;
    expect(typeof targetRequired === 'function' ? targetRequired(params) : targetRequired).toBe(isRefused);
  });
});
