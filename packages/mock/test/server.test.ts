import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { ConfigurationError } from '@multilocal/client/core/errors/index';
import { Client } from 'multilocal';
import { afterEach, describe, expect, test } from 'vitest';
import { createMockApi, type MockServer, type MockServerOptions, startMockServer } from '../src/server.js';

const running: MockServer[] = [];
const start = async (options: MockServerOptions = {}): Promise<MockServer> => {
  const server = await startMockServer(options);
  running.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

const ORIGIN = { origin: 'https://boulangerie.example' };

test('the entry has the mock without a port and without msw too', async () => {
  const api = createMockApi({ articlesPageSize: 2 });
  const client = new Client({
    apiKey: api.keys.sphere,
    baseUrl: api.baseUrl,
    fetch: api.handle,
    rateLimit: false,
  });
  expect((await client.articles.list()).articles).toHaveLength(2);
  expect(api.requests).toHaveLength(1);
  expect(api).not.toHaveProperty('handlers');
  expect(() => createMockApi({ port: 5 } as object)).toThrow(
    'createMockApi: `port` is an unknown option; known: baseUrl,',
  );
});

describe('over real HTTP', () => {
  test('serves the API on a free port of this machine', async () => {
    const { url, api } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(api.baseUrl).toBe(url);
    const response = await fetch(`${url}/api/v2/me`, { headers: { 'x-api-key': api.keys.sphere } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ api_version: '2.0', bulle: null });
    expect(api.requests).toMatchObject([{ method: 'GET', path: '/api/v2/me', status: 200 }]);
  });

  test('reads bodies, also large ones, and accepts a path prefix', async () => {
    const { url, api } = await start({ baseUrl: 'https://ignored.example/tenant/api/v2' });
    expect(url).toMatch(/\/tenant$/);
    const { id } = api.articles.add({ status: 'draft' });
    const content_html = `<p>${'pain '.repeat(100_000)}</p>`;
    const response = await fetch(`${url}/api/v2/articles/${id}`, {
      method: 'PUT',
      headers: { 'x-api-key': api.keys.sphere, 'content-type': 'application/json' },
      body: JSON.stringify({ content_html }),
    });
    expect(response.status).toBe(200);
    expect(api.articles.get(id).content_html).toBe(content_html);
    expect((await fetch(`${url.replace('/tenant', '')}/api/v2/health`)).status).toBe(404);
  });

  test.each(['abc', -1, 65_536, 1.5])('an invalid port is refused: %j', async (port) => {
    await expect(startMockServer({ port: port as number })).rejects.toThrow(ConfigurationError);
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', 'localhost'],
    // Addresses to listen on, which no client can connect to everywhere.
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
    ['::1', '[::1]'],
  ])('on the host %s its address is that of %s', async (host, reached) => {
    const server = await start({ host }).catch((error: NodeJS.ErrnoException) => error);
    // Containers may be without IPv6.
    if (server instanceof Error) return expect(server.code).toMatch(/EAFNOSUPPORT|EADDRNOTAVAIL/);
    const { url, api } = server;
    expect(url).toMatch(new RegExp(`^http://${reached.replace(/[.[\]]/g, '\\$&')}:\\d+$`));
    expect(api.baseUrl).toBe(url);
    const client = await Client.connect({ apiKey: api.keys.sphere, baseUrl: url, rateLimit: false });
    expect(client.identity?.bulle).toBeNull();
  });

  // Linux answers on all of 127.0.0.0/8, so a second address stands for that of another interface.
  test.runIf(process.platform === 'linux')('on 0.0.0.0 it is available on every address of this machine', async () => {
    const { url, api } = await start({ host: '0.0.0.0' });
    const client = new Client({ apiKey: api.keys.sphere, baseUrl: url.replace('127.0.0.1', '127.0.0.2') });
    expect(await client.me()).toMatchObject({ bulle: null });
    const { url: only } = await start();
    await expect(fetch(only.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow();
  });

  test.each(['', 7, null, 'http://localhost', 'localhost:80'])('an invalid host is refused: %j', async (host) => {
    await expect(startMockServer({ host: host as string })).rejects.toThrow(
      new ConfigurationError('startMockServer: `host` must be a host name or an IP address'),
    );
  });

  test('a port in use rejects, with its number and a hint', async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    const callerOfIt = async () => await startMockServer({ port });
    await expect(callerOfIt()).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `startMockServer: port ${port} is in use. Pass another \`port\`, or none to use any free port.`,
      stack: expect.stringContaining('callerOfIt'),
    });
  });

  test('odd request targets and methods do not harm it', async () => {
    const { url } = await start();
    const status = (options: { path: string; method: string }) =>
      new Promise<number | undefined>((resolve, reject) => {
        httpRequest(url, options, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end();
      });
    expect(await status({ path: '*', method: 'OPTIONS' })).toBe(404);
    expect(await status({ path: '//elsewhere.example/api/v2/health', method: 'GET' })).toBe(404);
    expect(await status({ path: 'http://elsewhere.example/api/v2/health', method: 'GET' })).toBe(404);
    expect(await status({ path: '/api/v2/bulles/%E0%A4%A', method: 'GET' })).toBe(404);
    expect(await status({ path: '/api/v2/me', method: 'TRACE' })).toBe(405);
    expect((await fetch(`${url}/api/v2/health`)).status).toBe(200);
  });
});

describe('CORS', () => {
  test('articles routes allow every origin, also for errors', async () => {
    const { url, api } = await start();
    const headers = { ...ORIGIN, 'x-api-key': api.keys.readOnly };
    api.fail({ path: '/articles/3', status: 503 });
    const answers = await Promise.all([
      fetch(`${url}/api/v2/articles`, { headers }),
      fetch(`${url}/api/v2/articles/42`, { headers }),
      fetch(`${url}/api/v2/articles`, { headers: ORIGIN }),
      fetch(`${url}/api/v2/articles/777`, { headers }),
      fetch(`${url}/api/v2/articles/42/nothing`, { headers }),
      fetch(`${url}/api/v2/articles/42/confirm`, { headers, method: 'POST', body: '{}' }),
      fetch(`${url}/api/v2/articles`, { headers: { ...headers, 'content-type': 'application/json' }, method: 'POST' }),
      fetch(`${url}/api/v2/articles/42`, { headers, method: 'DELETE' }),
      fetch(`${url}/api/v2/articles/3`, { headers }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 404, 400, 403, 405, 503]);
    for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('no other route does', async () => {
    const { url, api } = await start();
    const headers = { ...ORIGIN, 'x-api-key': api.keys.sphere };
    for (const path of ['/me', '/health', '/bulles', '/connections', '/articlesfoo', '/nowhere']) {
      for (const method of ['GET', 'OPTIONS']) {
        const response = await fetch(`${url}/api/v2${path}`, { headers, method });
        expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
        if (method === 'OPTIONS') expect([404, 405]).toContain(response.status);
      }
    }
  });

  test('preflights: 204 for the two headers that the API needs; not recorded and not affected by faults', async () => {
    const { url, api } = await start({ rateLimit: { perMinute: 1, perDay: 1 } });
    api.fail({ path: '/articles/42', status: 503 });
    const headers = {
      ...ORIGIN,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-api-key',
    };
    for (const path of ['/articles', '/articles/42', '/articles/42/confirm']) {
      const response = await fetch(`${url}/api/v2${path}`, { method: 'OPTIONS', headers });
      expect(response.status).toBe(204);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PUT',
        'access-control-allow-headers': 'x-api-key, content-type',
      });
    }
    expect(api.requests).toEqual([]);
    expect((await fetch(`${url}/api/v2/articles/42`)).status).toBe(503);
    api.fail({ path: '/articles/42', method: 'OPTIONS', status: 403 });
    expect((await fetch(`${url}/api/v2/articles/42`, { method: 'OPTIONS', headers })).status).toBe(403);
  });
});

describe('connections', () => {
  test('a network fault breaks the connection, and only that one', async () => {
    const { url, api } = await start();
    api.fail({ operation: 'health', network: true });
    const error = await fetch(`${url}/api/v2/health`).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).cause).toMatchObject({ code: expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/) });
    expect((await fetch(`${url}/api/v2/health`)).status).toBe(200);
  });

  test('a client that disconnects ends its wait', async () => {
    const { url, api } = await start();
    api.fail({ delay: 1_000 });
    const controller = new AbortController();
    const response = fetch(`${url}/api/v2/health`, { signal: controller.signal });
    while (api.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort('left');
    await expect(response).rejects.toBe('left');
    // Long past the delay, the status would be 200 had the wait gone on to its end.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(api.requests).toMatchObject([{ status: 0 }]);
    expect((await fetch(`${url}/api/v2/health`)).status).toBe(200);
  });

  test('close ends immediately, with kept-alive connections and waiting responses; it can be called twice', async () => {
    const server = await start();
    await fetch(`${server.url}/api/v2/health`);
    server.api.fail({ delay: Number.POSITIVE_INFINITY });
    const waiting = fetch(`${server.url}/api/v2/health`).catch(() => 'cut');
    // A client that has sent half of its request.
    const half = connect(Number(new URL(server.url).port), '127.0.0.1');
    half.on('error', () => {}).write('POST /api/v2/articles HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    const halfClosed = new Promise((resolve) => half.on('close', () => resolve('cut')));
    while (server.api.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.close();
    await server.close();
    expect(await waiting).toBe('cut');
    expect(await halfClosed).toBe('cut');
    await expect(fetch(`${server.url}/api/v2/health`)).rejects.toThrow();
  });
});
