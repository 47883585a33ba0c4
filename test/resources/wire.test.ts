// Every operation through a real socket: what arrives is held against the hand-typed table of the specification.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../src/index.js';
import { createMockApi } from '../../src/mock/index.js';
import { endpoints } from '../../src/resources/index.js';
import { callByName, type SpecEndpoint, spec, specOf } from '../spec/endpoints.js';

interface Arrived {
  method: string;
  path: string;
  query: [string, string][];
  headers: IncomingHttpHeaders;
  body: string;
}

/** What a call should look like on the wire, but for what the table of the specification says already. */
interface Expected {
  call: (client: Client) => PromiseLike<unknown>;
  path?: Record<string, string>;
  query?: [string, string][];
  body?: object;
}

const api = createMockApi();
const { ids } = api;

/** The sample call of the table, for operations without a case of their own below. */
function caseOf({ operation, method, path, sample }: SpecEndpoint): Expected {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = Object(sample[names.length]) as Record<string, unknown>;
  const isRead = method === 'GET' || method === 'DELETE';
  return {
    call: (client) => callByName(client, operation, sample),
    path: Object.fromEntries(names.map((name, index) => [name, encodeURIComponent(String(sample[index]))])),
    ...(isRead
      ? {
          query: Object.entries(params).flatMap(([name, value]) =>
            [value].flat().map((item) => [name, String(item)] as [string, string]),
          ),
        }
      : { body: params }),
  };
}

/** The two kinds of one route: the method of the client adds `kind`. */
const cases: Record<string, Expected> = Object.fromEntries(
  (['snapshot', 'competitors'] as const).map((kind) => [
    `seo.${kind}`,
    {
      call: (client) => client.seo[kind]({ bulle_id: ids.bulle }),
      query: [
        ['kind', kind],
        ['bulle_id', ids.bulle],
      ],
    } satisfies Expected,
  ]),
);

let server: Server;
let client: Client;
const arrived: Arrived[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const url = new URL(`http://service${request.url}`);
    const method = request.method as string;
    arrived.push({ method, path: url.pathname, query: [...url.searchParams], headers: request.headers, body });
    const answer = await api.handle(
      new Request(`${api.baseUrl}${request.url}`, {
        method,
        headers: request.headers as Record<string, string>,
        ...(body && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new Client({ apiKey: api.keys.sphere, baseUrl, rateLimit: false, maxRetries: 0 });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('every operation of the specification, on a socket', () => {
  const rows: SpecEndpoint[] = spec.flatMap((row) =>
    row.operation === 'seo.snapshot' ? [row, { ...row, operation: 'seo.competitors' }] : [row],
  );

  it('has every endpoint of the package exactly once', () => {
    const named = rows.map(({ operation }) => operation);
    expect(
      endpoints.map(({ operation }) => operation).filter((operation) => !named.includes(operation)),
      'test/spec/endpoints.ts has no row for what src/resources/index.ts has',
    ).toEqual([]);
  });

  it.each(rows.map((row) => [row.operation, row] as const))('%s', async (operation, row) => {
    const { call, path = {}, query = [], body } = cases[operation] ?? caseOf(row);
    if (row.after) await callByName(client, row.after, specOf(row.after)?.sample ?? []);
    arrived.length = 0;
    await call(client);
    expect(arrived).toHaveLength(1);
    const [request] = arrived as [Arrived];

    expect(request.method).toBe(row.method);
    expect(request.path).toBe(`/api/v2${row.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] as string)}`);
    expect(request.query.sort()).toEqual(query.sort());
    expect(request.body === '' ? undefined : JSON.parse(request.body)).toEqual(body);

    const { host, connection, 'content-length': length, 'transfer-encoding': chunked, ...headers } = request.headers;
    expect(headers['x-api-key']).toBe(row.permission === 'none' ? undefined : api.keys.sphere);
    expect(headers['content-type']).toBe(body ? 'application/json' : undefined);
    expect(headers.accept).toBe('application/json');
    const ofFetch = ['accept-language', 'sec-fetch-mode', 'user-agent', 'accept-encoding'];
    const ours = Object.keys(headers).filter((name) => !ofFetch.includes(name));
    expect(ours.every((name) => ['x-api-key', 'content-type', 'accept'].includes(name))).toBe(true);

    const known = [...Object.keys(row.params ?? {}), row.target, row.dry_run && 'dry_run'];
    for (const [name] of request.query) expect(known).toContain(name);
    for (const name of Object.keys(body ?? {})) expect(known).toContain(name);
  });
});
