import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionError } from '../../src/index.js';
import { caught, makeArticles } from '../support/clients.js';
import { PUBLICATION } from '../support/fixtures.js';
import { sendJson } from '../support/server.js';
import { identityOf, listen, through, trusting } from '../support/tls.js';
import { quietPort } from './fault-server.js';

beforeEach(() => {
  // The shortest backoff.
  vi.spyOn(Math, 'random').mockReturnValue(1);
  return () => void vi.restoreAllMocks();
});

/** A service with a certificate: how many connections and requests arrived. */
async function secure(certificate: Parameters<typeof identityOf>[0]) {
  const seen = { connections: 0, requests: 0 };
  const server = createServer(identityOf(certificate), (_, response) => {
    seen.requests++;
    sendJson(response, PUBLICATION);
  });
  server.on('connection', () => {
    seen.connections++;
  });
  return { url: `https://127.0.0.1:${await listen(server)}`, seen };
}

describe('TLS', () => {
  it('a certificate that is trusted: the service is reached', async () => {
    const { url, seen } = await secure('localhost');
    const fetchOptions = await through({ connect: trusting('localhost') });
    expect(await makeArticles({ baseUrl: url, fetchOptions }).publish(42)).toEqual(PUBLICATION);
    expect(seen).toEqual({ connections: 1, requests: 1 });
  });

  it.each([
    ['self-signed', 'localhost', {}],
    ['expired', 'expired', trusting('expired')],
    ['of another host', 'other-host', trusting('other-host')],
  ] as const)('a certificate that is %s: one connection, no request, not_applied', async (_, certificate, connect) => {
    const { url, seen } = await secure(certificate);
    const api = makeArticles({ baseUrl: url, fetchOptions: await through({ connect }) });
    const error = await caught(api.publish(42), ConnectionError);
    expect(error).toMatchObject({ code: 'connection', attempts: 1, outcome: 'not_applied' });
    expect(error.message).toContain('Check `baseUrl`, the clock');
    expect(seen).toEqual({ connections: 1, requests: 0 });
  });

  // Node reports them like a failure of a connection in use, so they are taken for one.
  it.each<[string, () => Server]>([
    ['reset within the handshake', () => createTcpServer((socket) => socket.once('data', () => reset(socket)))],
    ['closed within the handshake', () => createTcpServer((socket) => socket.on('data', () => socket.end()))],
    ['of a service without TLS', () => createHttpServer()],
  ])('a connection %s: sent once, unknown', async (_, create) => {
    const baseUrl = `https://127.0.0.1:${await listen(create())}`;
    const error = await caught(makeArticles({ baseUrl }).publish(42), ConnectionError);
    expect(error).toMatchObject({ attempts: 1, outcome: 'unknown' });
  });
});

describe('host names', () => {
  it('that does not resolve: retried, not_applied', async () => {
    const error = await caught(
      makeArticles({ baseUrl: 'https://nothing.invalid', maxRetries: 1 }).publish(42),
      ConnectionError,
    );
    expect(error).toMatchObject({ attempts: 2, outcome: 'not_applied' });
    expect(error.message).toContain('no connection to the service: getaddrinfo');
  });

  it('with two addresses of which neither takes the connection: retried, not_applied', async () => {
    const port = await quietPort();
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      // Refused, or unreachable where there is no IPv6.
      { address: '::1', family: 6 },
    ];
    const lookup = (_host: string, _options: object, done: (error: null, found: typeof addresses) => void) =>
      done(null, addresses);
    const fetchOptions = await through({ connect: { lookup, autoSelectFamily: true } });
    const api = makeArticles({ baseUrl: `http://localhost:${port}`, fetchOptions, maxRetries: 1 });
    const error = await caught(api.publish(42), ConnectionError);
    expect(error).toMatchObject({ attempts: 2, outcome: 'not_applied' });
  });
});

function reset(socket: Socket): void {
  socket.resetAndDestroy();
}
