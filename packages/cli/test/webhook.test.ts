import { type LookupAddress, lookup } from 'node:dns';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Output } from '../src/output.js';
import { lookupFor } from '../src/watch/address.js';
import { Sender } from '../src/watch/webhook.js';

// Other files of the thread have loaded the modules with the real one.
vi.hoisted(() => vi.resetModules());
vi.mock(import('node:dns'), async (original) => ({ ...(await original()), lookup: vi.fn() as never }));

afterAll(() => {
  vi.doUnmock('node:dns');
  vi.resetModules();
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

const immediate = globalThis.setImmediate;
const event = { id: 'evt_1', type: 'watch.gap', at: '2026-11-28T09:30:00Z', kind: 'reports' } as const;

/** A receiver that answers each request with one of these texts: `undefined` leaves it without an answer. */
async function receive(answers: (string | undefined)[]) {
  const ids: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket
      .on('error', () => {})
      .once('data', (data) => {
        ids.push(/webhook-id: (\S+)/i.exec(`${data}`)?.[1] ?? '');
        const answer = answers.shift();
        if (answer !== undefined) socket.end(answer);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { ids, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`) };
}

it.each([
  ['with an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ['with half of a line', 'HTTP/1.1 2'],
  ['with nothing', ''],
  ['with what is not HTTP', '220 mail.example ESMTP\r\n'],
  ['never', undefined],
])('sends an event again that a receiver answers %s', async (_, answer) => {
  const { ids, url } = await receive([answer, answer, 'HTTP/1.1 204 No Content\r\n\r\n']);
  const output = { note: () => {} } as unknown as Output;
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const sender = new Sender({ url, secret, allowPrivate: false, once: false }, output, new AbortController().signal);
  let isSent = false;
  const sent = sender.send(event).then(() => {
    isSent = true;
  });
  for (let step = 0; !isSent && step < 100_000; step++) {
    await new Promise((resolve) => immediate(resolve));
    if (step % 50 === 0) await vi.advanceTimersByTimeAsync(500);
  }
  await sent;
  expect(ids).toEqual(Array(3).fill('evt_1'));
});

it.each<[string, boolean, string[], boolean]>([
  ['https://hooks.example', false, ['93.184.215.14'], true],
  ['https://hooks.example', false, ['10.0.0.1'], false],
  ['https://hooks.example', false, ['93.184.215.14', '::ffff:169.254.169.254'], false],
  ['https://hooks.example', true, ['10.0.0.1'], true],
  ['http://localhost', false, ['127.0.0.1', '::1'], true],
  ['http://hooks.localhost', true, ['10.0.0.1'], false],
])('connects to %s (private: %s), which is %s now: %s', async (url, allowPrivate, addresses, expected) => {
  const found = addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
  const answers = [found, [{ address: '10.0.0.1', family: 4 }]];
  vi.mocked(lookup).mockImplementation(((_: string, __: object, done: (error: null, all: unknown) => void) =>
    done(null, answers.shift())) as never);
  const resolve = lookupFor(new URL(url), allowPrivate);
  const ask = () =>
    new Promise((done) => resolve('hooks', { all: true }, (error, all) => done(error ? error.message : all)));
  expect(await ask()).toEqual(expected ? found : 'the name leads to a private address');
  // Each attempt asks again, so a name that has changed since is refused.
  if (!allowPrivate) expect(await ask()).toBe('the name leads to a private address');
});
