import { execFile } from 'node:child_process';
import { createServer } from 'node:https';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { childProgram } from '../support/child.js';
import { KEY, PUBLICATION } from '../support/fixtures.js';
import { formsOf } from '../support/render.js';
import { sendJson } from '../support/server.js';
import { identityOf, listen } from '../support/tls.js';
import { quietPort } from './fault-server.js';

const { program } = childProgram(new URL('proxy-child.ts', import.meta.url));
const TRUSTED = fileURLToPath(new URL('../support/certificates/localhost.pem', import.meta.url));
const PASSWORD = 'proxy-password';

/** What a proxy does with a request for a tunnel. */
type Proxy = (socket: Socket, port: number) => void;

const refuses =
  (status: string): Proxy =>
  (socket) =>
    void socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);

const opens: Proxy = (socket, port) => {
  const onward = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    socket.pipe(onward).pipe(socket);
  });
  onward.on('error', () => socket.destroy());
};

/** A costly write through this proxy: what came of it, and what the proxy and the service saw. */
async function publish(proxy: Proxy | undefined, onRequest = (_: Socket) => true) {
  const seen = { tunnels: 0, requests: 0, heads: '' };
  const service = createServer(identityOf('localhost'), ({ socket }, response) => {
    seen.requests++;
    if (onRequest(socket)) sendJson(response, PUBLICATION);
  });
  const baseUrl = `https://127.0.0.1:${await listen(service)}`;
  const server = createTcpServer((socket) => {
    socket.once('data', (chunk) => {
      const head = chunk.toString('latin1');
      seen.tunnels++;
      seen.heads += head;
      proxy?.(socket, Number(/^CONNECT 127\.0\.0\.1:(\d+)/.exec(head)?.[1]));
    });
  });
  const port = proxy ? await listen(server) : await quietPort();
  const address = `http://user:${PASSWORD}@127.0.0.1:${port}`;
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: address, NODE_EXTRA_CA_CERTS: TRUSTED };
  const { stdout } = await promisify(execFile)(process.execPath, [program, baseUrl], { env });
  const { ended, shown } = JSON.parse(stdout) as { ended: string; shown: string };
  for (const secret of [...Object.values(formsOf(KEY)), PASSWORD]) expect(shown).not.toContain(secret);
  // The tunnel hides it.
  for (const secret of Object.values(formsOf(KEY))) expect(seen.heads).not.toContain(secret);
  return { ended, tunnels: seen.tunnels, requests: seen.requests };
}

const cut = (socket: Socket) => {
  socket.destroy();
  return false;
};

describe.runIf(process.allowedNodeEnvironmentFlags.has('--use-env-proxy'))(
  'a costly write through a proxy of the environment',
  { timeout: 600_000 },
  () => {
    it.each<[string, ended: string, tunnels: number, requests: number, Proxy?, ((socket: Socket) => boolean)?]>([
      ['that opens a tunnel: reaches the service', 'ok', 1, 1, opens],
      ...['407 Proxy Authentication Required', '403 Forbidden', '502 Bad Gateway'].map(
        (status): [string, string, number, number, Proxy] => [
          `that refuses the tunnel with ${status}: nothing is sent, unknown`,
          'connection unknown 1',
          1,
          0,
          refuses(status),
        ],
      ),
      ['that nobody runs: retried, not_applied', 'connection not_applied 2', 0, 0],
      ['whose tunnel breaks after the request: sent once, unknown', 'connection unknown 1', 1, 1, opens, cut],
    ])('%s', async (_, ended, tunnels, requests, proxy, onRequest) => {
      expect(await publish(proxy, onRequest)).toEqual({ ended, tunnels, requests });
    });
  },
);
