import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/core/endpoint.js';
import { Client } from '../../src/index.js';
import { createMockApi } from '../../src/mock/index.js';
import { endpoints } from '../../src/resources/index.js';
import { type SpecEndpoint, spec } from './endpoints.js';
import { scopeErrors, statuses } from './errors.js';

const byOperation = new Map(spec.map((row) => [row.operation, row]));

/** The row of an endpoint. Two methods share the route of /seo/data. */
function rowOf(endpoint: Endpoint): SpecEndpoint | undefined {
  return byOperation.get(endpoint.operation === 'seo.competitors' ? 'seo.snapshot' : endpoint.operation);
}

/** The method behind `'gmb.optimizer.audit'`. */
function methodOf(client: object, operation: string): unknown {
  return operation.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], client);
}

describe('the specification, held against the registry of endpoints', () => {
  it.each(endpoints.map((endpoint) => [endpoint.operation, endpoint] as const))('%s', (_, endpoint) => {
    const row = rowOf(endpoint);
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
    const { fields = {} } = endpoint.params ?? {};
    const { params = {}, target, dry_run } = rowOf(endpoint) as SpecEndpoint;
    const { kind: _kind, ...named } = params;
    const expected = [...Object.keys(named), ...(target ? [target] : []), ...(dry_run ? ['dry_run'] : [])];
    const { kind: _sent, ...known } = fields;
    expect(Object.keys(known).sort()).toEqual(expected.sort());
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

describe('the specification, held against the mock', () => {
  const api = createMockApi();
  const ask = (row: SpecEndpoint, key: string | undefined) =>
    api.handle(
      new Request(`${api.baseUrl}/api/v2${row.path.replace(/\{\w+\}/g, '1')}`, {
        method: row.method,
        headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) },
        ...(row.method === 'GET' || row.method === 'DELETE' ? {} : { body: '{}' }),
      }),
    );
  const served = spec.filter(({ operation }) => endpoints.some((endpoint) => endpoint.operation === operation));

  it.each(served.map((row) => [row.operation, row] as const))('%s: the route and the key it needs', async (_, row) => {
    expect((await ask(row, undefined)).status).toBe(row.permission === 'none' ? 200 : 401);
    expect(api.requests.at(-1)?.operation).toBe(row.operation);
  });

  it.each(
    served
      .filter(({ permission }) => permission !== 'none' && permission !== 'read')
      .map((row) => [row.operation, row] as const),
  )('%s: refused to a key that may only read', async (_, row) =>
    expect((await ask(row, api.keys.readOnly)).status).toBe(403),
  );
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
