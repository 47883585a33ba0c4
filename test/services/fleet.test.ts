import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Article } from 'multilocal';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startPostgres, startRedis } from '../../scripts/services.mjs';
import { example } from '../examples/run.js';

// The workers import the package as users do: `dist` must be there. `npm run build` writes it.

const KINDS = ['one slice', 'several slices', 'outage', 'pause', 'revoked key'] as const;
const BRANDS = 10;

/** The service of one brand. The mock enforces the limits of the key. */
async function serviceOf(index: number) {
  const kind = KINDS[index % KINDS.length] ?? 'one slice';
  const isLarge = kind === 'several slices';
  const server = await startMockServer({
    articlesPageSize: isLarge ? 10 : 50,
    latency: 50,
    rateLimit: { perMinute: 60, perDay: 1000 },
  });
  const { api } = server;
  if (!isLarge) for (const { id } of api.articles.all().slice(20 + index)) api.articles.remove(id);
  const failure = { operation: 'articles.list', times: 3 } as const;
  if (kind === 'outage') api.fail({ ...failure, status: 503 });
  if (kind === 'pause') api.fail({ ...failure, status: 429, headers: { 'retry-after': '1' } });
  if (kind === 'revoked key') api.revokeKey(api.keys.readOnly);
  return { id: `brand-${index}`, kind, server };
}

const published = ({ api }: MockServer) => api.articles.all().filter(({ status }) => status === 'published');
const byId = (articles: readonly Pick<Article, 'id'>[]) => new Map(articles.map((article) => [article.id, article]));

it('syncs every brand, although a worker is killed', async () => {
  const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  onTestFinished(async () => void (await Promise.all([redis.stop(), postgres.stop()])));
  vi.stubEnv('REDIS_URL', redis.url);
  vi.stubEnv('DATABASE_URL', postgres.url);
  const { db, due, enrol, sync } = await import('../../examples/fleet/fleet.js');
  onTestFinished(async () => void (await Promise.all([due.close(), sync.close(), db.end()])));

  const brands = await Promise.all(Array.from({ length: BRANDS }, (_, index) => serviceOf(index)));
  onTestFinished(async () => void (await Promise.all(brands.map(({ server }) => server.close()))));
  for (const { id, server } of brands) await enrol(id, server.url, server.api.keys.readOnly);
  const workers = [1, 2].map(() =>
    spawn(process.execPath, ['--import', 'tsx', 'worker.ts'], { cwd: example('fleet'), stdio: 'inherit' }),
  );
  onTestFinished(() => {
    for (const worker of workers) worker.kill('SIGKILL');
  });

  const count = async () => {
    const { active = 0, completed = 0, failed = 0 } = await sync.getJobCounts('active', 'completed', 'failed');
    return { active, ended: completed + failed };
  };
  await vi.waitUntil(async () => (await count()).ended >= BRANDS / 4, { timeout: 300_000 });
  const [victim] = workers.splice(0, 1);
  victim?.kill('SIGKILL');
  const isOver = async () => (await count()).ended === BRANDS;
  await vi.waitUntil(isOver, { timeout: 300_000, interval: 250 });

  // A job fails for good only if a person must act: it is retried with a new key.
  const failed = await sync.getFailed();
  const revoked = brands.filter(({ kind }) => kind === 'revoked key');
  expect(failed.map(({ data }) => data.brand).sort()).toEqual(revoked.map(({ id }) => id).sort());
  for (const { id, server } of revoked) {
    const key = server.api.addKey({ permissions: ['read'] });
    await db.query('update fleet_brands set api_key = $2 where id = $1', [id, key]);
  }
  for (const job of failed) await job.retry();
  await vi.waitUntil(isOver, { timeout: 300_000, interval: 250 });
  expect(await sync.getFailed()).toEqual([]);

  for (const { id, kind, server } of brands) {
    const { rows } = await db.query('select article from multilocal_articles where brand = $1', [id]);
    expect(byId(rows.map(({ article }) => article)), id).toEqual(byId(published(server)));
    // The only 429 are those of the pause, of which the killed worker may have got one: no key went over its limit.
    const refused = server.api.requests.filter(({ status }) => status === 429);
    expect(kind === 'pause' ? [2, 3] : [0], id).toContain(refused.length);
  }
  // Dashboards show the data of jobs.
  const jobs = await sync.getCompleted();
  expect(jobs.map(({ data }) => Object.keys(data).join())).toEqual(brands.map(() => 'brand'));

  const [worker] = workers;
  worker?.kill('SIGTERM');
  if (worker) expect(await once(worker, 'exit')).toEqual([0, null]);
});
