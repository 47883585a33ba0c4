import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isPrivate } from '../../src/watch/address.js';
import { secretOf } from '../../src/watch/webhook.js';
import { withoutContacts } from '../../src/watch/words.js';
import { refusals, run, start, startMock, temporaryFolder } from './support.js';

const BYTES = Buffer.alloc(24, 7);
const SECRET = `whsec_${BYTES.toString('base64')}`;

/** A receiver that answers with these statuses, one after the other, then with 204. */
async function receive(statuses: number[]) {
  const got: {
    id: string;
    status: number;
    body: { type: string; timestamp: string; data: Record<string, unknown> };
  }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const {
      'webhook-id': id = '',
      'webhook-timestamp': time = '',
      'webhook-signature': signature = '',
    } = request.headers as Record<string, string>;
    expect(new Webhook(SECRET).verify(text, request.headers as Record<string, string>)).toEqual(JSON.parse(text));
    expect(signature).toBe(`v1,${createHmac('sha256', BYTES).update(`${id}.${time}.${text}`).digest('base64')}`);
    const status = statuses.shift() ?? 204;
    got.push({ id, status, body: JSON.parse(text) });
    response.writeHead(status, status < 400 && status >= 300 ? { location: 'http://127.0.0.1:1/' } : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/t0ken` };
}

async function begin() {
  const { api, env } = await startMock();
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'secret'), `${SECRET}\n`);
  const options = { env, cwd };
  const lines = (stdout: string) =>
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { api, cwd, options, lines, hook: (url: string) => ['--webhook', url, '--webhook-secret-file', 'secret'] };
}

describe('watch', () => {
  it('prints a line for each event once, and keeps what it has seen', async () => {
    const { api, cwd, options, lines } = await begin();
    const first = await run(['watch', '--once', '--events', 'connections,review.new'], options);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(lines(first.stdout).map(({ type }) => type)).toEqual(Array(3).fill('connection.lost'));
    expect(await run(['watch', '--once'], options)).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'multilocal.watch.json'), 'utf8')).not.toContain(api.keys.sphere);
    expect(await run(['watch', '--once', '--events', 'connections'], options)).toMatchObject({ code: 0, stdout: '' });
  });

  it('ends after the event in hand', async () => {
    const { options, lines } = await begin();
    const running = start(['watch', '--events', 'connections'], options);
    await running.shows('connection.lost');
    running.child.kill('SIGTERM');
    const { code, stdout } = await running.result;
    expect(code).toBe(130);
    const rest = await run(['watch', '--once', '--events', 'connections'], options);
    expect(new Set([...lines(stdout), ...lines(rest.stdout)].map(({ id }) => id)).size).toBe(3);
    expect([...lines(stdout), ...lines(rest.stdout)]).toHaveLength(3);
  });

  it('says that another one has the state, and goes on after it', async () => {
    const { options } = await begin();
    const first = start(['watch', '--events', 'connections'], options);
    await first.shows('connection.lost');
    const second = start(['watch', '--once', '--events', 'connections'], options);
    await second.shows('Another `watch` uses multilocal.watch.json');
    first.interrupt();
    expect((await second.result).code).toBe(0);
  });

  it('refuses the cursor of another brand', async () => {
    const { api, options } = await begin();
    await run(['watch', '--once', '--events', 'reports'], options);
    const env = { ...options.env, MULTILOCAL_API_KEY: api.keys.bulle };
    const { code, stdout } = await run(['watch', '--once', '--events', 'reports'], { ...options, env });
    expect(code).toBe(1);
    const { message, hint } = JSON.parse(stdout).error;
    expect([message, hint]).toEqual([
      expect.stringContaining('belongs to another'),
      expect.stringContaining('The cursor is multilocal.watch'),
    ]);
  });

  it('tells what it saw before it fails, and the next run goes on', async () => {
    const { api, options, lines } = await begin();
    api.fail({ operation: 'reports.list', status: 503, times: Number.POSITIVE_INFINITY });
    const { code, stdout } = await run(['watch', '--once', '--events', 'connections,reports'], options);
    expect(code).toBe(3);
    expect(lines(stdout).map(({ type, error }) => type ?? error.code)).toEqual([
      ...Array(3).fill('connection.lost'),
      'service_unavailable',
    ]);
  });

  it('refuses what it cannot do', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'secret'), SECRET);
    writeFileSync(join(cwd, 'short'), 'whsec_c2hvcnQ=');
    const hook = (url: string, more = '--webhook-secret-file secret') =>
      [`watch --once --webhook ${url} ${more}`, { cwd }] as const;
    const shown = await refusals([
      ['watch --events reviews,post.fail'],
      ['watch --per-day 0'],
      ['watch --allow-private'],
      hook('https://hooks.example/t0ken', ''),
      hook('https://hooks.example/t0ken', '--webhook-secret-file short'),
      hook('http://hooks.example/t0ken'),
      hook('https://192.168.1.1/t0ken'),
      hook('https://[::ffff:10.0.0.1]/t0ken'),
      hook('https://user:pass@hooks.example/t0ken'),
      hook('ftp://hooks.example/t0ken'),
    ]);
    expect(shown.replace(/^\$.*$/gm, '')).not.toContain('t0ken');
    expect(shown.match(/^exit \d/gm)).toEqual(Array(10).fill('exit 2'));
  });
});

describe('watch --webhook', () => {
  it('sends each event until it arrives, signed, with one id', async () => {
    const { options, lines, hook } = await begin();
    const { got, url } = await receive([500, 204, 302, 204, 503, 204]);
    const { code, stdout, stderr } = await run(['watch', '--once', '--events', 'connections', ...hook(url)], options);
    expect(code).toBe(0);
    expect(got.map(({ status }) => status)).toEqual([500, 204, 302, 204, 503, 204]);
    expect([...new Set(got.map(({ id }) => id))]).toEqual(lines(stdout).map(({ id }) => id));
    expect(got[0]?.body).toMatchObject({
      type: 'connection.lost',
      timestamp: expect.any(String),
      data: { id: got[0]?.id, connection: {} },
    });
    expect(stdout + stderr).not.toMatch(/t0ken|whsec|BwcH/);
  });

  it.each([
    [410, 1, 1],
    [500, 3, 5],
  ])('keeps an event that a receiver answers with %i: exit %i after %i attempts', async (status, code, attempts) => {
    const { options, lines, hook } = await begin();
    const { got, url } = await receive(Array(attempts).fill(status));
    const args = ['watch', '--once', '--events', 'connections', ...hook(url)];
    expect(await run(args, options)).toMatchObject({ code });
    expect(got).toHaveLength(attempts);
    const { stdout } = await run(args, options);
    expect(lines(stdout)).toHaveLength(3);
    expect(got.at(attempts)?.id).toBe(got[0]?.id);
  });
});

it.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['0.0.0.0', true],
  ['93.184.215.14', false],
  ['::1', true],
  ['::', true],
  ['fe80::1%eth0', true],
  ['fd00::1', true],
  ['::ffff:10.0.0.1', true],
  ['::ffff:a00:1', true],
  ['0:0:0:0:0:ffff:a00:1', true],
  ['::ffff:0:10.0.0.1', true],
  ['::ffff:93.184.215.14', false],
  ['::10.0.0.1', true],
  ['64:ff9b::a00:1', true],
  ['2002:a00:1::', true],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', false],
  ['name', true],
])('isPrivate(%s) is %s', (address, expected) => {
  expect(isPrivate(address)).toBe(expected);
});

it.each([
  ['Appelez le 06 12 34 56 78, merci', 'Appelez le [redacted], merci'],
  ['+33 (0)6.12.34.56.78 ou odile.c@mail.example', '[redacted] ou [redacted]'],
  ['Le 2026-11-28 à 9 h, 12 pains pour 24,50 €', 'Le 2026-11-28 à 9 h, 12 pains pour 24,50 €'],
])('masks contacts in %s', (text, masked) => {
  const event = {
    id: 'evt_0612345678',
    at: '2026-11-28T09:30:00.123456+00:00',
    review: { review_id: '0612345678901', text },
  };
  expect(withoutContacts(event)).toEqual({ ...event, review: { ...event.review, text: masked } });
});

it('takes secrets of 24 bytes or more', () => {
  expect(secretOf(` ${SECRET}\n`)).toBe(SECRET);
  for (const wrong of ['', 'whsec_', SECRET.slice(6), `whsec_${'%'.repeat(40)}`])
    expect(() => secretOf(wrong)).toThrow('whsec_');
});
