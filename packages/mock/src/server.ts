import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import {
  createMockControl,
  type MockApiOptions,
  type MockControl,
  type MockServerOptions,
  readServerOptions,
  readSettings,
} from './core.js';

export { type MockServerOptions, mockDeviations } from './core.js';
export type * from './types.js';

declare global {
  // TypeScript and `@types/node` also declare it, but a project need not have them.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** A running mock server. */
export interface MockServer {
  /** The address for a client's `baseUrl`, on this machine: `http://127.0.0.1:41873`, with the path prefix of `baseUrl`. */
  readonly url: string;
  /** Controls the mocked service: keys, faults, clock and data. */
  readonly api: MockControl;
  /** Stops the server immediately and closes all connections, even those with waiting requests. Can be called again. */
  close(): Promise<void>;
  /** Calls `close`, for `await using server = await startMockServer()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates the mock of `multilocal/mock` without its handlers, so `msw` is not needed: pass `handle` to a client.
 *
 * @throws a `ConfigurationError` if an option is unknown or invalid.
 * @example
 * const api = createMockApi();
 * const client = new Client({ apiKey: api.keys.sphere, baseUrl: api.baseUrl, fetch: api.handle });
 */
export function createMockApi(options: MockApiOptions = {}): MockControl {
  return createMockControl(readSettings(options));
}

/**
 * Starts the mock on a real port, for demos, for programs in other languages, and for tests that need real HTTP. `msw` is not
 * needed.
 *
 * @throws a `ConfigurationError` if an option is unknown or invalid. Rejects if the port is in use.
 * @example
 * const { url, api, close } = await startMockServer({ port: 0 });
 * const client = new Client({ apiKey: api.keys.sphere, baseUrl: url });
 * await close();
 */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { port, host, settings } = readServerOptions(options);
  // A server that closes idle connections may close one that a slow client is just about to use.
  const server = createServer({ keepAliveTimeout: 0 });
  await once(server.listen(port, host), 'listening').catch((error) => {
    throw withHint(error, port);
  });
  // The mock is made here, because its pictures and reports have addresses with the port.
  const origin = `${originOf(host)}:${(server.address() as AddressInfo).port}`;
  const control = createMockControl({ ...settings, origin });
  server.on('request', (request, response) => {
    // `Request` refuses some methods, such as TRACE.
    respond(request, response, origin, control.handle).catch(() => response.destroy());
  });

  let closed: Promise<unknown> | undefined;
  const close = async () => {
    closed ??= once(server.close(), 'close');
    // Waiting responses end as if the client had disconnected.
    server.closeAllConnections();
    await closed;
  };
  return { url: control.baseUrl, api: control, close, [Symbol.asyncDispose]: close };
}

/** An address to listen on is not always one to connect to. */
function originOf(host: string): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}`;
}

/** Node's message for a port in use does not say what to do. */
function withHint(cause: NodeJS.ErrnoException, port: number): Error {
  const { code } = cause;
  if (code !== 'EADDRINUSE') return cause;
  const problem = `startMockServer: port ${port} is in use. Pass another \`port\`, or none to use any free port.`;
  return Object.assign(new Error(problem, { cause }), { code });
}

/** Converts one request of node:http to a `Request`, and its `Response` back. */
async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  origin: string,
  handle: MockControl['handle'],
): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => {
    if (!outgoing.writableEnded) gone.abort();
  });
  const response = await handle(toRequest(incoming, origin, gone.signal));
  // Closes the connection, as a crashed service would.
  if (response.type === 'error') return void outgoing.destroy();
  outgoing.statusCode = response.status;
  outgoing.setHeaders(response.headers);
  outgoing.end(new Uint8Array(await response.arrayBuffer()));
}

function toRequest(incoming: IncomingMessage, origin: string, signal: AbortSignal): Request {
  const method = incoming.method ?? 'GET';
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  // A target that is not a path (`*`, or a whole address as in requests to proxies) matches no route.
  const target = incoming.url?.startsWith('/') === true ? incoming.url : '/';
  const body =
    method === 'GET' || method === 'HEAD' ? {} : { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' };
  return new Request(origin + target, { method, headers, signal, ...body });
}
