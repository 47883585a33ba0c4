import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Arrived {
  method: string;
  /** The target of the request line, as it was written. */
  target: string;
  headers: Record<string, string>;
  /** Names and values as they were written, for what a lower-cased object cannot show. */
  rawHeaders: string[];
  body: string;
}

export interface TestServer {
  url: string;
  arrived: Arrived[];
  /** How many connections were made. */
  connections: () => number;
}

export type Handler = (request: Arrived, response: ServerResponse, index: number) => void;

/** A real HTTP server on loopback that is gone when the test is over. */
export async function serve(handler: Handler): Promise<TestServer> {
  const arrived: Arrived[] = [];
  let connections = 0;
  const server = createServer((incoming, response) => {
    read(incoming).then(
      (request) => handler(request, response, arrived.push(request) - 1),
      () => response.destroy(),
    );
  });
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => close(server));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, arrived, connections: () => connections };
}

async function read(incoming: IncomingMessage): Promise<Arrived> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method ?? '',
    target: incoming.url ?? '',
    headers: incoming.headers as Record<string, string>,
    rawHeaders: incoming.rawHeaders,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** An address at which nobody listens: below the ports that a server is given, and not one that `fetch` refuses itself. */
export async function closedPort(): Promise<string> {
  return 'http://127.0.0.1:2';
}
