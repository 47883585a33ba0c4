// docs/endpoints.md: every method with its route. `npx vitest run test/docs/endpoints -u` writes it from the build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isRepeatable } from '../../src/core/call.js';
import type { Endpoint } from '../../src/core/endpoint.js';
import { endpoints } from '../../src/resources/endpoints.js';
import { root } from '../examples/run.js';
import { specOf } from '../spec/endpoints.js';

interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Field }[];
  responses: object;
  requestBody?: { required: boolean; content: { 'application/json': { schema: Params } } };
  /** Others of the same route, with the same parameters. */
  'x-operations'?: Operation[];
}

interface Field {
  description?: string;
}

interface Params {
  properties?: Record<string, Field>;
  required?: string[];
}

/** The build has written it from the endpoints and their docstrings, which take half a minute to read. */
const { paths } = JSON.parse(readFileSync(join(root, 'dist', 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = new Map(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((one) => [one, ...(one['x-operations'] ?? []).map((other) => ({ ...one, ...other }))])
    .map((one) => [one.operationId, one]),
);

const operationOf = (name: string): Operation => operations.get(name) ?? expect.unreachable(name);

/** What an operation takes, but for what stands in its path. */
function paramsOf(name: string): Required<Params> {
  const { parameters = [], requestBody } = operationOf(name);
  const query = parameters.filter((one) => one.in === 'query');
  const { properties = {}, required = [] } = requestBody?.content['application/json'].schema ?? {};
  return {
    properties: { ...Object.fromEntries(query.map((one) => [one.name, one.schema])), ...properties },
    required: [...query.filter((one) => one.required).map((one) => one.name), ...required],
  };
}

it('docs/endpoints.md has every method', async () => {
  await expect(endpointsPage()).toMatchFileSnapshot('../../docs/endpoints.md');
});

it('the docs of the parameters name the defaults of the specification', () => {
  for (const { operation } of endpoints) {
    const { properties } = paramsOf(operation);
    for (const [name, row] of Object.entries(specOf(operation)?.params ?? {})) {
      const [, named] = /Default `?'?([\w-]+)/.exec(properties[name]?.description ?? '') ?? [];
      if (name !== 'kind') expect([operation, name, named]).toEqual([operation, name, row.default?.toString()]);
    }
  }
});

it('the document names the statuses of success that the specification names', () => {
  const statusesOf = (name: string) => Object.keys(operationOf(name).responses).filter((status) => status < '3');
  const writes = endpoints.flatMap(({ method, operation }) =>
    method === 'GET' ? [] : [[operation, statusesOf(operation)]],
  );
  const left = writes.filter(([, statuses]) => `${statuses}` !== '2XX');
  expect(Object.fromEntries(left)).toEqual({
    'articles.create': ['201'],
    'articles.confirm': ['200'],
    'acquisition.requestReviews': ['202', '2XX'],
    'reports.create': ['202', '2XX'],
  });
  expect(operationOf('articles.confirm').requestBody?.required).toBe(false);
  expect(operationOf('seo.snapshot').parameters?.filter((one) => one.required)).toEqual([]);
});

function endpointsPage(): string {
  const groups = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const [namespace = ''] = endpoint.operation.includes('.') ? endpoint.operation.split('.') : ['client'];
    groups.set(namespace, [...(groups.get(namespace) ?? []), endpoint]);
  }
  const routes = new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size;
  const sections = [...groups].map(([namespace, members]) => {
    const rows = members.map((endpoint) => row(endpoint));
    return [`## ${namespace}`, '', HEAD, ...rows].join('\n');
  });
  return `# Endpoints

Every route of the service and the method that calls it: ${routes} routes, ${endpoints.length} methods. A test writes
this page from the endpoints of the package. \`npx multilocal openapi\` prints the same as OpenAPI 3.1.

- **Key**: the permission that the key needs. **Bold**: the target that a sphere key must name.
- A parameter with \`?\` is optional. A route that takes \`dry_run\` can be previewed.
- The client retries after temporary failures: network errors, timeouts, 408, 429 and 5xx. Where the table says "only if
  unsent", it retries only after a 429 and when the request provably never left.

${sections.join('\n\n')}
`;
}

const HEAD = '| method | route | key | what it does |\n|---|---|---|---|';

/** The service requires a target from a sphere key. The client leaves the check to the service. */
const CHECKED_BY_SERVICE = ['articles.create'];

function row(endpoint: Endpoint): string {
  const { operation, method, path, permission, target, dryRun } = endpoint;
  const { properties, required } = paramsOf(operation);
  const needsTarget = endpoint.targetRequired || CHECKED_BY_SERVICE.includes(operation);
  const names = Object.keys(properties)
    .filter((name) => name !== 'dry_run' && !(name === target && needsTarget))
    .map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``);
  const needs = [permission ?? 'none', ...(target && needsTarget ? [`**\`${target}\`**`] : [])];
  const all = [...names, ...(dryRun ? ['`dry_run?`'] : [])];
  const what = [
    operationOf(operation).summary,
    ...(isRepeatable(endpoint) ? [] : ['Retried only if unsent.']),
    ...(all.length > 0 ? [`<br>Parameters: ${all.join(' ')}`] : []),
  ];
  return `| ${[`\`${operation}\``, `${method} \`${path}\``, needs.join(', '), what.join(' ')].join(' | ')} |`;
}
