// `npx tsx examples/fleet/main.ts`: 200 brands, 4 workers, one of which is killed. Exit code 1 if a check fails.
import { isGood, table } from './check.js';
import { runFleet } from './run.js';

const BRANDS = 200;
const WORKERS = 4;

const { REDIS_URL, DATABASE_URL } = process.env;
// In the repository. They end with this process.
const services =
  REDIS_URL && DATABASE_URL
    ? undefined
    : await import('../../scripts/services.mjs').catch(() => {
        console.error('Set REDIS_URL and DATABASE_URL to a Redis and a Postgres that this example may write to.');
        process.exit(2);
      });
const redis = REDIS_URL ? undefined : await services?.startRedis();
const postgres = DATABASE_URL ? undefined : await services?.startPostgres();
try {
  const { rows, stalled, failed, seconds } = await runFleet({
    redisUrl: REDIS_URL ?? redis?.url ?? '',
    databaseUrl: DATABASE_URL ?? postgres?.url ?? '',
    brands: BRANDS,
    workers: WORKERS,
    say: (text) => console.log(text),
  });
  console.table(table(rows));
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  console.log(
    `${requests} requests in ${seconds.toFixed(0)} s. ${stalled} jobs stalled and were taken over, ${failed} needed a new key.`,
  );
  const bad = rows.filter((row) => !isGood(row));
  for (const row of bad)
    console.error(`✗ ${row.id}: ${row.isEqual ? `${row.most} requests in 60 s` : 'the store differs'}`);
  if (bad.length === 0)
    console.log(`✓ All ${rows.length} stores equal the service's lists, and no key went over its limit.`);
  process.exitCode = bad.length === 0 ? 0 : 1;
} finally {
  await Promise.all([redis?.stop(), postgres?.stop()]);
}
