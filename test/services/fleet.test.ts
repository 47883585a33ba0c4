import { afterAll, beforeAll, expect, it } from 'vitest';
import { isGood, table } from '../../examples/fleet/check.js';
import { runFleet } from '../../examples/fleet/run.js';
import { type PostgresServer, type RedisServer, startPostgres, startRedis } from '../../scripts/services.mjs';

// The example imports the package as users do: `dist` must be there. `npm run build` writes it.

let redis: RedisServer;
let postgres: PostgresServer;
beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
});
afterAll(() => Promise.all([redis?.stop(), postgres?.stop()]));

it('syncs every brand, although a worker is killed', { timeout: 600_000 }, async () => {
  const said: string[] = [];
  const { rows, failed } = await runFleet({
    redisUrl: redis.url,
    databaseUrl: postgres.url,
    brands: 24,
    workers: 2,
    say: (text) => said.push(text),
  });
  expect(rows).toHaveLength(24);
  expect(rows.filter((row) => !isGood(row))).toEqual([]);
  expect(rows.every(({ articles, requests }) => articles > 0 && requests > 0)).toBe(true);
  expect(said.join('\n')).toContain('Worker 1 was killed');

  // A revoked key fails its job once, and the other failures are retried or waited for.
  const { outage, 'several slices': large, 'revoked key': revoked } = table(rows);
  expect(failed).toBe(revoked?.brands);
  expect(outage?.brands).toBe(2);
  expect(rows.filter(({ kind }) => kind === 'outage').every(({ requests }) => requests > 3)).toBe(true);
  expect(large?.slices).toMatch(/^[4-9]/);
});

it('leaves no key in Redis', async () => {
  const { Redis } = await import('ioredis');
  const client = new Redis(redis.url);
  try {
    const keys = await client.keys('*');
    expect(keys.length).toBeGreaterThan(24);
    const jobs = await Promise.all(
      keys.filter((key) => /^bull:fleet-sync:\d+$/.test(key)).map((key) => client.hgetall(key)),
    );
    expect(jobs).toHaveLength(24);
    for (const { data } of jobs) expect(Object.keys(JSON.parse(data ?? ''))).toEqual(['brand']);
  } finally {
    client.disconnect();
  }
});
