import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { installTarball } from '../package/project.js';
import { environmentOf, example, run } from './run.js';

const cwd = example('node-script');

let server: MockServer;
beforeEach(async () => {
  server = await startMockServer();
  return () => server.close();
});

const script = (args: string[] = [], key?: string) =>
  run(process.execPath, ['main.mjs', ...args], { cwd, env: environmentOf(server, key) });

/** The cells of the row whose name ends so. */
function cells(output: string, heading: string, name: string): string[] {
  const lines = output.split('\n');
  const from = lines.findIndex((line) => line.startsWith(heading));
  const line = lines.slice(from).find((text) => text.includes(name)) ?? '';
  return line
    .slice(line.indexOf(name) + name.length)
    .trim()
    .split(/\s+/);
}

it('prints what the service holds, with one request a page of each brand-wide list', async () => {
  const { api } = server;
  api.connections.change(api.ids.bulle, 'facebook', { expires_at: '2020-01-01T00:00:00' });
  api.posts.add({ bulle_id: api.ids.bulle, scheduled_at: new Date(Date.now() + 86_400_000).toISOString() });
  const posts = api.posts.all().filter(({ bulle_id }) => bulle_id === api.ids.bulle);
  const reviews = api.reviews.all();

  const { code, output } = await script([], api.keys.readOnly);
  expect(output).toContain("Les Fournils d'Augustine: 13 locations, 12 listings");
  expect(code).toBe(0);
  expect(cells(output, 'location', 'Croix-Rousse')).toEqual([
    '5',
    '1',
    String(posts.filter(({ status }) => status === 'pending').length),
    String(posts.filter(({ status }) => status === 'error').length),
  ]);
  const stars = reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length;
  const [average, total, unanswered, ...figures] = cells(output, 'listing', 'Croix-Rousse');
  expect([average, total]).toEqual([stars.toFixed(1), String(reviews.length)]);
  const open = reviews.filter(({ responded }) => !responded).length;
  expect(Number(unanswered)).toBeGreaterThan(0);
  expect(Number(unanswered)).toBeLessThanOrEqual(open);
  expect(figures.map(Number).every((figure) => figure > 0)).toBe(true);
  expect(output).toContain('31 of 1000 requests of the day');

  expect(api.requests).toHaveLength(31);
  expect(api.requests.every(({ method }) => method === 'GET')).toBe(true);
  expect(output).not.toContain(api.keys.readOnly);
});

it('refuses what would cost more than its budget, after one request', async () => {
  const { code, output } = await script(['--budget', '30']);
  expect(output).toContain('12 listings take 31 requests, and --budget allows 30');
  expect(code).toBe(1);
  expect(server.api.requests).toHaveLength(1);
});

it('never sends more than its budget, whatever it finds', async () => {
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  // A third page of planned posts: one request more than could be expected.
  for (let count = 0; count < 200; count++) server.api.posts.add({ scheduled_at });
  const { code, output } = await script(['--budget', '31']);
  expect(output).toContain('rate_limit: ');
  expect(code).toBe(1);
  expect(server.api.requests).toHaveLength(31);
});

it('installs from the packed package and runs, as users do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'multilocal-example-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const files = ['package.json', 'main.mjs', 'figures.mjs'];
  for (const name of files) await cp(join(cwd, name), join(folder, name));
  await installTarball(folder);
  const { code, output } = await run('npm', ['start'], { cwd: folder, env: environmentOf(server) });
  expect(output).toContain('13 locations, 12 listings');
  expect(code).toBe(0);
});
