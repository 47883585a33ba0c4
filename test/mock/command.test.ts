// `npm run mock`, without its build: what it prints, and how it says no.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Client } from '../../src/index.js';
import { startMockServer } from '../../src/mock/server.js';

function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/mock.ts', ...args], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const seen = { output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      seen.output += text;
    });
  }
  return { child, seen };
}

async function end(args: string[], env: Record<string, string> = {}) {
  const { child, seen } = start(args, env);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: seen.output };
}

describe('npm run mock', () => {
  test('prints what a client reads from its environment, and the requests', async () => {
    const { child, seen } = start(['--port', '0']);
    await expect.poll(() => seen.output, { timeout: 15_000 }).toContain('Requests:');
    const [, apiKey = '', baseUrl = ''] =
      /^ +export MULTILOCAL_API_KEY=(\S+) MULTILOCAL_BASE_URL=(\S+)$/m.exec(seen.output) ?? [];
    // The form of `startMockServer().url`: what follows it in a guide is the same for both.
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(seen.output).toContain(`answers on ${baseUrl}\n`);
    expect(seen.output).toContain(`'${baseUrl}/api/v2/articles?status=published'`);
    const { articles } = await new Client({ apiKey, baseUrl }).articles.list({ status: 'published' });
    expect(articles).toHaveLength(50);
    await expect.poll(() => seen.output).toContain('  200  GET /api/v2/articles?status=published\n');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test('--host: an address that works here, and how others reach it', async () => {
    const { seen } = start(['--port', '0', '--host', '0.0.0.0']);
    await expect.poll(() => seen.output, { timeout: 15_000 }).toContain('Requests:');
    const [, baseUrl = '', port = ''] = /MULTILOCAL_BASE_URL=(http:\/\/127\.0\.0\.1:(\d+))$/m.exec(seen.output) ?? [];
    expect((await fetch(`${baseUrl}/api/v2/health`)).status).toBe(200);
    expect(seen.output).toContain(`by this machine's name or address, on port ${port}`);
    expect(seen.output).toContain('`allowHttp: true`');
  });

  test('--help', async () => {
    expect(await end(['--help'])).toEqual({ code: 0, output: expect.stringContaining('-p, --port <port>') });
  });

  test.each([
    ['an unknown option', ['--prot', '5'], "Unknown option '--prot'"],
    ['what is no port', ['--port', '70000'], 'Not a port: 70000'],
    ['what is no host', ['--host', 'http://localhost'], 'Not a host: http://localhost'],
  ])('%s: the way it is meant, and no stack', async (_, args, message) => {
    const { code, output } = await end(args);
    expect(code).toBe(1);
    expect(output).toContain(message);
    expect(output).toContain('-p, --port <port>');
    expect(output).not.toMatch(/^ +at /m);
  });

  test('a port in use: a hint and no stack', async () => {
    const { url, close } = await startMockServer();
    onTestFinished(close);
    const { port } = new URL(url);
    expect(await end([], { PORT: port })).toEqual({
      code: 1,
      output: `Port ${port} is taken, perhaps by another mock. Any free one: npm run mock -- --port 0\n`,
    });
  });
});
