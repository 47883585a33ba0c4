// `multilocal mock`: what it prints, how it ends, and how it refuses.

import { Client } from 'multilocal';
import { startMockServer } from 'multilocal/mock/server';
import { expect, it, onTestFinished } from 'vitest';
import { mock as command } from '../../src/commands/mock.js';
import { readWords } from '../../src/flags.js';
import { type MockFlags, optionsOf } from '../../src/mock/options.js';
import { type Line, refusals, run, start, startMock } from './support.js';

it('on a terminal: prints what a client reads from its environment, and the requests', async () => {
  const mock = start(['mock', '--port', '0'], { tty: true, env: { NO_COLOR: '1' } });
  await mock.shows('Requests:');
  const [, apiKey = '', baseUrl = ''] =
    /^ +export MULTILOCAL_API_KEY=(\S+) MULTILOCAL_BASE_URL=(\S+)$/m.exec(mock.printed()) ?? [];
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { articles } = await new Client({ apiKey, baseUrl }).articles.list({ status: 'published' });
  expect(articles).toHaveLength(50);
  await mock.shows('  200  GET /api/v2/articles?status=published\n');
  const seen = mock
    .printed()
    .replaceAll(baseUrl, 'http://127.0.0.1:4010')
    .replaceAll(/mlk_live_\w+/g, 'mlk_live_…');
  await expect(seen).toMatchFileSnapshot('snapshots/mock.txt');
  mock.interrupt();
  expect((await mock.result).code).toBe(0);
});

it('--host 0.0.0.0 says how others reach it', async () => {
  const mock = start(['mock', '--port', '0', '--host', '0.0.0.0', '--no-json']);
  await mock.shows('Requests:');
  const [, baseUrl = '', port = ''] = /MULTILOCAL_BASE_URL=(http:\/\/127\.0\.0\.1:(\d+))/.exec(mock.printed()) ?? [];
  expect((await fetch(`${baseUrl}/api/v2/health`)).status).toBe(200);
  expect(mock.printed()).toContain(`by this machine's name or address, on port ${port}`);
  expect(mock.printed()).toContain('`--allow-http`');
});

it('without a terminal: stdout has the lines of an env file, with keys that the environment may hold, and requests go to stderr', async () => {
  const { MULTILOCAL_API_KEY } = (await startMock()).env;
  const mock = start(['mock', '--port', '0'], { env: { MULTILOCAL_API_KEY } });
  await mock.shows(/MULTILOCAL_BASE_URL=.+\nMULTILOCAL_API_KEY=.+\nexport .+\n/);
  const env = Object.fromEntries(
    mock
      .printed()
      .split('\n')
      .map((line) => line.split('=')),
  );
  expect(env.MULTILOCAL_API_KEY).toBe(MULTILOCAL_API_KEY);
  expect((await run(['call', 'spheres.list'], { env })).code).toBe(0);
  await mock.shows('200  GET /api/v2/spheres');
  mock.interrupt();
  const { stdout, stderr, code } = await mock.result;
  expect([code, stdout.split('\n').length, stderr]).toEqual([0, 4, '  200  GET /api/v2/spheres\n']);
});

it('--json prints one document, and each flag changes the service', async () => {
  const flags =
    '--seed 2026-01-01 --bulles 14 --rate-limit 5/40 --quota seo_scans=0 --quota=social=7 --crooked default-limit';
  const faults = '--fail reviews.summary=503 --fail=posts.list=410';
  const mock = start(['mock', '--port', '0', '--json', ...`${flags} ${faults}`.split(' ')]);
  await mock.shows(/\}\n/);
  const { MULTILOCAL_BASE_URL, keys } = JSON.parse(mock.printed());
  const ask = async (path: string, body?: object, key = keys.sphere) => {
    const response = await fetch(`${MULTILOCAL_BASE_URL}/api/v2${path}`, {
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const bulle_id = 'bul_lyon_croix_rousse';
  expect((await ask('/me', undefined, keys.bulle)).body.bulle.id).toBe(bulle_id);
  const { body } = await ask('/me');
  expect(body.rate_limits).toEqual({ per_minute: 5, per_day: 40 });
  expect(body.gmb_fiches).toHaveLength(13);
  expect((await ask('/seo/scan', { bulle_id })).status).toBe(429);
  expect((await ask(`/social/quota?bulle_id=${bulle_id}`)).body.limit).toBe(7);
  // Every call fails, not only the first one. Failures do not count.
  for (const status of [503, 503]) expect((await ask('/reviews/summary')).status).toBe(status);
  expect((await ask('/posts')).status).toBe(410);
  const { articles } = (await ask('/articles')).body;
  expect(articles).toHaveLength(5);
  expect(articles[0].updated_at).toMatch(/^2025-/);
  expect([(await ask('/me')).status, (await ask('/me')).status]).toEqual([200, 429]);
});

it.each([
  ['', { rateLimit: false, quotas: {} }],
  ['--latency 500', { latency: 500, rateLimit: false, quotas: {} }],
  ['--latency 2s', { latency: 2_000, rateLimit: false, quotas: {} }],
  ['--crooked --bulles 15', { bulles: 15, crooked: true, rateLimit: false, quotas: {} }],
  ['--crooked=ids-as-strings', { crooked: ['ids-as-strings'], rateLimit: false, quotas: {} }],
])('the flags %j are options of the mock', (flags, options) => {
  const { args, values } = readWords('mock', command, flags.split(' ').filter(Boolean));
  const read = optionsOf({ ...(args as unknown as MockFlags), quota: values('quota') }, ['ids-as-strings']);
  expect(read).toEqual(options);
});

it('refuses wrong flags, and a port in use', async () => {
  const { url, close } = await startMockServer();
  onTestFinished(close);
  const flags = [
    '--port 70000',
    '--host http://localhost',
    '--host 192.0.2.1',
    '--seed yesterday',
    '--seed 99999999999999999999',
    '--bulles 12',
    '--latency slow',
    '--rate-limit 60',
    '--rate-limit 60/0',
    '--quota scans=0',
    '--quota sms=few',
    '--quota x=1 --quota sms=1',
    '--quota sms=0 --quota sms=1',
    '--fail posts.create',
    '--fail posts.create=700',
    '--fail post.create=500',
    '--crooked html-error',
  ];
  const { port: PORT } = new URL(url);
  const lines = flags.map((one): Line => [`mock ${one.startsWith('--port') ? '' : '--port 0 '}${one}`]);
  const text = await refusals([...lines, ['mock', { env: { PORT } }]]);
  await expect(text.replaceAll(PORT, '4010')).toMatchFileSnapshot('snapshots/refused-mock.txt');
});
