// `multilocal mock`: what it prints, how it ends, and how it refuses.

import { Client } from 'multilocal';
import { startMockServer } from 'multilocal/mock/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { optionsOf } from '../../src/mock/options.js';
import { type Running, run, start, startMock } from './support.js';

describe('on a terminal', () => {
  it('prints what a client reads from its environment, and the requests', async () => {
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
    const mock = start(['mock', '--port', '0', '--host', '0.0.0.0'], { tty: true });
    await mock.shows('Requests:');
    const [, baseUrl = '', port = ''] = /MULTILOCAL_BASE_URL=(http:\/\/127\.0\.0\.1:(\d+))/.exec(mock.printed()) ?? [];
    expect((await fetch(`${baseUrl}/api/v2/health`)).status).toBe(200);
    expect(mock.printed()).toContain(`by this machine's name or address, on port ${port}`);
    expect(mock.printed()).toContain('`--allow-http`');
  });
});

/** What the lines of an env file set. */
function envOf(mock: Running): Record<string, string> {
  const lines = mock.printed().trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split('=')));
}

describe('without a terminal', () => {
  it('shows its keys, also if the environment holds one of them', async () => {
    const { MULTILOCAL_API_KEY } = (await startMock()).env;
    const mock = start(['mock', '--port', '0'], { env: { MULTILOCAL_API_KEY } });
    await mock.shows(`MULTILOCAL_API_KEY=${MULTILOCAL_API_KEY}\n`);
  });

  it('stdout has the lines of an env file, and requests go to stderr', async () => {
    const mock = start(['mock', '--port', '0']);
    await mock.shows(/MULTILOCAL_BASE_URL=.+\nMULTILOCAL_API_KEY=.+\n/);
    const env = envOf(mock);
    const { code } = await run(['call', 'spheres.list'], { env });
    expect(code).toBe(0);
    await mock.shows('200  GET /api/v2/spheres');
    mock.interrupt();
    const { stdout, stderr, code: ended } = await mock.result;
    expect([ended, stdout.split('\n').length, stderr]).toEqual([0, 4, '  200  GET /api/v2/spheres\n']);
  });

  it('--json prints one document', async () => {
    const mock = start(['mock', '--port', '0', '--json']);
    await mock.shows(/\}\n/);
    const { MULTILOCAL_BASE_URL, keys } = JSON.parse(mock.printed());
    const identity = await new Client({ apiKey: keys.bulle, baseUrl: MULTILOCAL_BASE_URL }).me();
    expect(identity.bulle?.id).toBe('bul_lyon_croix_rousse');
  });

  it('--seed: the same date gives the same data', async () => {
    const read = async (seed: string) => {
      const mock = start(['mock', '--port', '0', '--seed', seed]);
      await mock.shows('MULTILOCAL_API_KEY=');
      const env = envOf(mock);
      const { stdout } = await run(['call', 'articles.list'], { env });
      // Pictures have the port of the server.
      return stdout.replaceAll(env.MULTILOCAL_BASE_URL ?? '', '');
    };
    const [first, second, other] = [await read('2026-01-01'), await read('2026-01-01'), await read('2027-01-01')];
    expect(first).toContain('"updated_at":"2025-');
    expect([first === second, first === other]).toEqual([true, false]);
  });
});

/** Starts the mock with these flags. Sends a request to it with the sphere key. */
async function mockWith(...flags: string[]) {
  const mock = start(['mock', '--port', '0', ...flags]);
  await mock.shows(/MULTILOCAL_API_KEY=.+\n/);
  const { MULTILOCAL_BASE_URL = '', MULTILOCAL_API_KEY = '' } = envOf(mock);
  return async (path: string, body?: object) => {
    const response = await fetch(`${MULTILOCAL_BASE_URL}/api/v2${path}`, {
      headers: { 'X-API-Key': MULTILOCAL_API_KEY, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
}

describe('flags of the service', () => {
  const bulle_id = 'bul_lyon_croix_rousse';

  it('--bulles, --rate-limit, --quota and --fail, the last two repeated', async () => {
    const ask = await mockWith(
      ...['--bulles', '14', '--rate-limit', '5/40', '--quota', 'seo_scans=0', '--quota=social=7'],
      ...['--fail', 'reviews.summary=503', '--fail=posts.list=410'],
    );
    const { body } = await ask('/me');
    expect(body.rate_limits).toEqual({ per_minute: 5, per_day: 40 });
    expect(body.gmb_fiches).toHaveLength(13);
    expect((await ask('/seo/scan', { bulle_id })).status).toBe(429);
    expect((await ask(`/social/quota?bulle_id=${bulle_id}`)).body.limit).toBe(7);
    // Every call fails, not only the first one. Failures do not count.
    for (const status of [503, 503]) expect((await ask('/reviews/summary')).status).toBe(status);
    expect((await ask('/posts')).status).toBe(410);
    expect([(await ask('/me')).status, (await ask('/me')).status, (await ask('/me')).status]).toEqual([200, 200, 429]);
  });

  it('--crooked alone: all deviations, also before another flag', async () => {
    const ask = await mockWith('--crooked', '--bulles', '15');
    const { body } = await ask('/connections');
    expect(body.data.at(-1)).toMatchObject({ platform: 'threads', revision: 1 });
    expect((await ask('/bulles')).body).toHaveLength(15);
  });

  it('--crooked with names: only those', async () => {
    const ask = await mockWith('--crooked', 'wrapped-lists,default-limit');
    expect((await ask('/connections')).body.data.at(-1)).not.toHaveProperty('revision');
    expect((await ask('/articles')).body.articles).toHaveLength(5);
  });

  it.each([
    ['500', 500],
    ['2s', 2_000],
  ])('--latency %s', (latency, ms) => {
    const flags = { bulles: undefined, 'rate-limit': undefined, crooked: undefined, quota: [] };
    expect(optionsOf({ ...flags, latency }, [])).toEqual({ latency: ms, rateLimit: false, quotas: {} });
  });
});

describe('refusals', () => {
  it.each([
    ['no port', ['--port', '70000'], '`--port` must be an integer from 0 to 65535.'],
    ['no host', ['--host', 'http://localhost'], '`--host` must be a host name or an IP address.'],
    ['a host that is elsewhere', ['--host', '192.0.2.1'], 'of the address of `--host` (EADDRNOTAVAIL).'],
    ['no date', ['--seed', 'yesterday'], '`--seed` must be a date, such as 2026-01-01.'],
    ['too few locations', ['--bulles', '12'], '`--bulles` must be an integer, 13 or more.'],
    ['no time', ['--latency', 'slow'], '`--latency` must be a number of ms, or a time such as 30s, 10m or 1h.'],
    ['one limit', ['--rate-limit', '60'], '`--rate-limit` must be the requests of a minute and of a day'],
    ['a limit of 0', ['--rate-limit', '60/0'], '1 or more each.'],
    ['no quota', ['--quota', 'scans=0'], '`--quota` must be `name=n`; the names are articles, social, sms, email,'],
    ['a quota without a number', ['--quota', 'sms=few'], '`--quota` must be `name=n`'],
    ['a failure without a status', ['--fail', 'posts.create'], '`--fail` must be `operation=status`'],
    ['no status', ['--fail', 'posts.create=700'], 'with a status from 200 to 599.'],
    ['no operation', ['--fail', 'post.create=500'], '`post.create` is not an operation. Did you mean `posts.create`?'],
    ['a wrong one of two', ['--quota', 'x=1', '--quota', 'sms=1'], '`--quota` must be'],
    ['no deviation', ['--crooked', 'html-error'], '`html-error` is not a deviation. Did you mean `html-errors`?'],
    ['a date beyond all dates', ['--seed', '99999999999999999999'], '`--seed` must be a date'],
  ])('%s', async (_, words, text) => {
    const { stdout, stderr, code } = await run(['mock', '--port', '0', ...words]);
    expect([code, stderr]).toEqual([2, '']);
    expect(JSON.parse(stdout).error.message).toContain(text);
  });

  it('a port in use', async () => {
    const { url, close } = await startMockServer();
    onTestFinished(close);
    const { port } = new URL(url);
    const { stdout, code } = await run(['mock'], { env: { PORT: port } });
    expect([code, JSON.parse(stdout).error.message]).toEqual([2, `Port ${port} is taken, perhaps by another mock.`]);
  });
});
