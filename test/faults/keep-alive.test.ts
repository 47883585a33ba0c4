import { stat } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionError } from '../../src/index.js';
import { caught, makeArticles } from '../support/clients.js';
import { ARTICLE, PUBLICATION } from '../support/fixtures.js';
import { sleep } from './fault-server.js';

/** Lets undici take the connection back into its pool, which takes turns of the event loop and no time. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** An answer after which the connection stays. */
const kept = (body: unknown) => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

describe('a connection that is used again', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['reset', (socket) => void socket.resetAndDestroy()],
    ['closed', (socket) => void socket.destroy()],
  ])('and is %s as a costly write comes: it is sent once, its outcome unknown', async (_, end) => {
    const { url, lines } = await serveLines((line, socket) => {
      if (line.startsWith('GET')) socket.write(kept(ARTICLE));
      else end(socket);
    });
    const api = makeArticles({ baseUrl: url });
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
    const api = makeArticles({ baseUrl: url });
    await api.get(42);
    await idle();
    expect(await api.get(42)).toEqual(ARTICLE);
    expect(lines.map(({ connection }) => connection)).toEqual([0, 0, 1]);
  });

  it('and was closed while nobody used it: a costly write goes out over another, once', async () => {
    const { url, lines, sockets } = await serveLines((line, socket) => {
      socket.write(kept(line.startsWith('POST') ? PUBLICATION : ARTICLE));
    });
    const api = makeArticles({ baseUrl: url });
    await api.get(42);
    await idle();
    // Only on its way when the call begins: the client looks before it writes.
    sockets[0]?.end();
    expect(await api.publish(42)).toEqual(PUBLICATION);
    expect(lines.map(({ connection }) => connection)).toEqual([0, 1]);
  });
});

// HTTP/1.1 numbers no responses: the first one after a request is taken for its own (RFC 9112, section 9.2). What the
// client can do is to look at the connection before it writes. undici does so since GHSA-35p6-xmwp-9g52 was fixed; the
// one in Node 20 does not, so the client gives the event loop a turn first.
describe('a connection that brings one response too many', () => {
  const title = (text: string) => kept({ ...ARTICLE, title: text });
  const ownTitles = ['response 0', 'response 1', 'response 2'];
  const tooMany = title('one too many');

  async function titles(
    received: (socket: Socket, index: number) => void,
    between: (socket: Socket | undefined) => unknown = () => {},
  ) {
    const { url, sockets } = await serveLines((_, socket, index) => received(socket, index));
    const api = makeArticles({ baseUrl: url });
    const seen = [(await api.get(42)).title];
    await between(sockets[0]);
    seen.push((await api.get(42)).title);
    await idle();
    return [...seen, (await api.get(42)).title];
  }

  it.each<[string, () => unknown]>([
    ['and the next call begins at once', () => {}],
    ['and the next call begins later', idle],
  ])('in one packet with the first, %s: it is not taken for the next', async (_, between) => {
    const received = (socket: Socket, index: number) =>
      void socket.write(title(`response ${index}`) + (index === 0 ? tooMany : ''));
    expect(await titles(received, between)).toEqual(ownTitles);
  });

  // The write to the loopback is synchronous: the bytes have arrived when it returns, and nobody has read them.
  const sentAfter = (pause: () => Promise<unknown>) => async (socket: Socket | undefined) => {
    await pause();
    socket?.write(tooMany);
  };
  const closed = async (socket: Socket | undefined) => {
    socket?.write(tooMany);
    await new Promise((resolve) => socket?.once('close', resolve));
  };
  it.each<[string, (socket: Socket | undefined) => unknown]>([
    ['long before the next call', closed],
    ['as the next call begins in an immediate', sentAfter(idle)],
    ['as the next call begins in a timer', sentAfter(() => sleep(5))],
    ['as the next call begins in the callback of other I/O', sentAfter(() => idle().then(() => stat('.')))],
  ])('%s: it is not taken for the next', async (_, between) => {
    const received = (socket: Socket, index: number) => void socket.write(title(`response ${index}`));
    expect(await titles(received, between)).toEqual(ownTitles);
  });

  it('after the next request was written: nothing tells it from the own one, but the call after that gets its own', async () => {
    const received = (socket: Socket, index: number) =>
      void socket.write((index === 1 ? tooMany : '') + title(`response ${index}`));
    expect(await titles(received, idle)).toEqual(['response 0', 'one too many', 'response 2']);
  });
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
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, lines, sockets };
}
