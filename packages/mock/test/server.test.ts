import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Client } from 'multilocal';
import { afterEach, describe, expect, test } from 'vitest';
import { type MockServer, type MockServerOptions, startMockServer } from '../src/server.js';

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

  test('another process can move its clock, to wait for a report', async () => {
    const { url, api } = await start();
    const advance = async (milliseconds?: unknown) => {
      const response = await fetch(`${url}/mock/advance`, { method: 'POST', body: JSON.stringify({ milliseconds }) });
      return [response.status, await response.json()];
    };
    const client = await Client.connect({ apiKey: api.keys.sphere, baseUrl: url, rateLimit: false });
    const order = {
      type: 'fiche',
      fiche_ids: [api.ids.fiche],
      date_start: '2026-10-01',
      date_end: '2026-10-31',
    } as const;
    const report_name = 'Octobre';
    const waiting = { pollInterval: 20, onPoll: () => void advance(60_000) };
    expect(await client.reports.createAndWait({ ...order, report_name }, waiting)).toMatchObject({ report_name });
    expect(await advance(0)).toEqual([200, { now: expect.stringMatching(/^2\d{3}-/) }]);
    expect(await advance(-1)).toEqual([422, { detail: expect.stringContaining('`milliseconds` must be a number') }]);
    expect(await advance()).toMatchObject([422, {}]);
    expect(api.requests.filter(({ path }) => path.includes('mock'))).toEqual([]);
  });

  test('odd request targets and methods do not harm it', async () => {
    const { url } = await start();
    const status = (options: { path: string; method: string }) =>
      new Promise<number | string | undefined>((resolve) => {
        httpRequest(url, options, (response) => resolve(response.resume().statusCode))
          .on('error', () => resolve('closed'))
          .end();
      });
    expect(await status({ path: '*', method: 'OPTIONS' })).toBe(404);
    expect(await status({ path: '//elsewhere.example/api/v2/health', method: 'GET' })).toBe(404);
    expect(await status({ path: 'http://elsewhere.example/api/v2/health', method: 'GET' })).toBe(404);
    expect(await status({ path: '/api/v2/bulles/%E0%A4%A', method: 'GET' })).toBe(404);
    expect(await status({ path: '/api/v2/me', method: 'TRACE' })).toBe('closed');
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

  test('preflights: 204 for the two headers that the API needs; not recorded and not affected by faults', async () => {
    const { url, api } = await start({ rateLimit: { perMinute: 1, perDay: 1 } });
    api.fail({ path: '/articles/42', status: 503 });
    const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' };
    const headers = { ...ORIGIN, ...asked };
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
    api.fail({ delay: Number.POSITIVE_INFINITY });
    const controller = new AbortController();
    const response = fetch(`${url}/api/v2/health`, { signal: controller.signal });
    while (api.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort('left');
    await expect(response).rejects.toBe('left');
    await expect.poll(() => api.requests).toMatchObject([{ status: 0 }]);
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
    // `await using` calls this one.
    await server[Symbol.asyncDispose]();
    await server.close();
    expect(await waiting).toBe('cut');
    expect(await halfClosed).toBe('cut');
    await expect(fetch(`${server.url}/api/v2/health`)).rejects.toThrow();
  });
});
