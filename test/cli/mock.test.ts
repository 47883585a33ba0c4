// `multilocal mock`: what it prints, how it ends, and how it refuses.
import { describe, expect, it, onTestFinished } from 'vitest';
import { Client } from '../../src/index.js';
import { startMockServer } from '../../src/mock/server.js';
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
      return (await run(['call', 'articles.list'], { env })).stdout;
    };
    const [first, second, other] = [await read('2026-01-01'), await read('2026-01-01'), await read('2027-01-01')];
    expect(first).toContain('"updated_at":"2025-');
    expect([first === second, first === other]).toEqual([true, false]);
  });
});

describe('refusals', () => {
  it.each([
    ['no port', ['--port', '70000'], '`--port` must be an integer from 0 to 65535.'],
    ['no host', ['--host', 'http://localhost'], '`--host` must be a host name or an IP address.'],
    ['a host that is elsewhere', ['--host', '192.0.2.1'], 'of the address of `--host` (EADDRNOTAVAIL).'],
    ['no date', ['--seed', 'yesterday'], '`--seed` must be a date, such as 2026-01-01.'],
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
