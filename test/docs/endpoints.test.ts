// docs/endpoints.md: every method with its route, by namespace. `npx vitest run test/docs/endpoints -u` writes it.
import { expect, it } from 'vitest';
import { readDocstrings } from '../../scripts/docs-api/docstrings.js';
import { SchemaWriter } from '../../scripts/docs-api/schemas.js';
import { isRepeatable } from '../../src/core/call.js';
import type { Endpoint } from '../../src/core/endpoint.js';
import { endpoints } from '../../src/resources/index.js';
import * as schemas from '../../src/schemas.js';
import { specOf } from '../spec/endpoints.js';

const docs = await readDocstrings();
const writer = new SchemaWriter(docs);

it('docs/endpoints.md has every method', async () => {
  await expect(endpointsPage()).toMatchFileSnapshot('../../docs/endpoints.md');
});

it('the docs of the parameters name the defaults of the specification', () => {
  const typeOf = new Map<unknown, string>(
    Object.entries(schemas).map(([name, schema]) => [
      schema,
      `${name[0]?.toUpperCase()}${name.slice(1, -'Schema'.length)}`,
    ]),
  );
  for (const { operation, params } of endpoints) {
    const fields = docs.fields(typeOf.get(params) ?? '');
    for (const [name, row] of Object.entries(specOf(operation)?.params ?? {})) {
      const [, named] = /Default `?'?([\w-]+)/.exec(fields[name] ?? '') ?? [];
      if (name !== 'kind') expect([operation, name, named]).toEqual([operation, name, row.default?.toString()]);
    }
  }
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
  const params = endpoint.params ? writer.write(endpoint.params) : {};
  const needsTarget = endpoint.targetRequired || CHECKED_BY_SERVICE.includes(operation);
  const required = (params.required as string[] | undefined) ?? [];
  const names = Object.keys((params.properties as object | undefined) ?? {})
    .filter((name) => name !== 'dry_run' && !(name === target && needsTarget))
    .map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``);
  const needs = [permission ?? 'none', ...(target && needsTarget ? [`**\`${target}\`**`] : [])];
  const all = [...names, ...(dryRun ? ['`dry_run?`'] : [])];
  const what = [
    docs.method(operation).summary,
    ...(isRepeatable(endpoint) ? [] : ['Retried only if unsent.']),
    ...(all.length > 0 ? [`<br>Parameters: ${all.join(' ')}`] : []),
  ];
  return `| ${[`\`${operation}\``, `${method} \`${path}\``, needs.join(', '), what.join(' ')].join(' | ')} |`;
}
