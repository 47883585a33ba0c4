import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionError } from '../../src/index.js';
import { CLIENTS, caught } from '../support/clients.js';
import { ARTICLE, PUBLICATION } from '../support/fixtures.js';
import { sleep } from './fault-server.js';

/** Time for the connection to come back to the pool. */
const idle = () => sleep(20);

/** An answer after which the connection stays. */
const kept = (body: unknown) => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

describe.each(CLIENTS)('$name: a connection that is used again', ({ make }) => {
  it.each<[string, (socket: Socket) => void]>([
    ['reset', (socket) => void socket.resetAndDestroy()],
    ['closed', (socket) => void socket.destroy()],
  ])('and is %s as a costly write comes: it is sent once, its outcome unknown', async (_, end) => {
    const { url, lines } = await serveLines((line, socket) => {
      if (line.startsWith('GET')) socket.write(kept(ARTICLE));
      else end(socket);
    });
    const api = make({ baseUrl: url });
    await api.get(42);
    await idle();
    const error = await caught(api.publish(42), ConnectionError);
    expect(error).toMatchObject({ attempts: 1, outcome: 'unknown' });
    await sleep(50);
    expect(lines.map(({ line, connection }) => [connection, line.split(' ')[0]])).toEqual([
      [0, 'GET'],
      [0, 'POST'],
    ]);
  });

  it('and is reset as a read comes: it is read over another', async () => {
    const { url, lines } = await serveLines((_, socket, index) => {
      if (index === 1) socket.resetAndDestroy();
      else socket.write(kept(ARTICLE));
    });
    const api = make({ baseUrl: url });
    await api.get(42);
    await idle();
    expect(await api.get(42)).toEqual(ARTICLE);
    expect(lines.map(({ connection }) => connection)).toEqual([0, 0, 1]);
  });

  it('and was closed while nobody used it: a costly write goes out over another, once', async () => {
    const { url, lines } = await serveLines((line, socket) => {
      if (line.startsWith('POST')) return void socket.write(kept(PUBLICATION));
      socket.write(kept(ARTICLE));
      setTimeout(() => socket.end(), 20);
    });
    const api = make({ baseUrl: url });
    await api.get(42);
    await sleep(100);
    expect(await api.publish(42)).toEqual(PUBLICATION);
    expect(lines.map(({ connection }) => connection)).toEqual([0, 1]);
  });

  it.each([0, 5])(
    'and brings one answer too many, %i ms later: it is not taken for that of the next call',
    async (ms) => {
      const { url } = await serveLines((_, socket, index) => {
        const answer = kept({ ...ARTICLE, title: `réponse ${index}` });
        const tooMany = kept({ ...ARTICLE, title: 'de trop' });
        if (index > 0) socket.write(answer);
        else if (ms === 0) socket.write(answer + tooMany);
        else {
          socket.write(answer);
          setTimeout(() => socket.write(tooMany), ms);
        }
      });
      const api = make({ baseUrl: url });
      expect((await api.get(42)).title).toBe('réponse 0');
      await idle();
      expect((await api.get(42)).title).toBe('réponse 1');
    },
  );
});

/** A server that keeps connections and takes requests by their first line. */
async function serveLines(received: (line: string, socket: Socket, index: number) => void) {
  const lines: { line: string; connection: number }[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const connection = sockets.push(socket) - 1;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const [line = ''] = chunk.toString('latin1').split('\r\n');
      // A body that comes on its own is not another request.
      if (!/HTTP\/1\.1$/.test(line)) return;
      received(line, socket, lines.push({ line, connection }) - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, lines };
}
