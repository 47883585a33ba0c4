// One run of examples/fleet with so many workers: brands per minute, and the processor time of each part.
// node --import tsx fleet.mjs <brands> <workers>
import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { schedule } from '../../../examples/fleet/fleet.ts';
import { finished, hire, onStage } from '../../../examples/fleet/stage.ts';
import { startPostgres, startRedis } from '../../../scripts/services.mjs';

const [brands, workers] = process.argv.slice(2).map(Number);
/** Clock ticks of Linux a second, in /proc. */
const TICKS = 100;

/** Seconds of processor time of a process and of its children, those that ended included. */
function processorTime(pid) {
  const [, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ').map(Number);
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) / TICKS;
  return childrenOf(pid).reduce((sum, child) => sum + processorTime(child), own);
}

function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
}

/** Bytes that Redis and Postgres hold. */
async function sizes({ db, redisUrl }) {
  const redis = new Redis(redisUrl);
  const [, memory] = /used_memory:(\d+)/.exec(await redis.info('memory'));
  redis.disconnect();
  const { rows } = await db.query('select pg_database_size(current_database()) as size');
  return { redis: Number(memory), postgres: Number(rows[0].size) };
}

async function measure(stage, pids) {
  const { fleet, ids, service, crew } = stage;
  hire(stage);
  await fleet.sync.waitUntilReady();
  // The workers are idle until there is a job: their start does not count.
  while ((await fleet.sync.getWorkersCount()) < workers) await new Promise((resolve) => setTimeout(resolve, 50));
  const times = () => ({
    redis: processorTime(pids.redis),
    postgres: processorTime(pids.postgres),
    service: processorTime(service.pid),
    workers: crew.reduce((sum, { pid }) => sum + processorTime(pid), 0),
  });
  const before = times();
  const empty = await sizes(stage);
  await schedule(fleet, ids);
  await finished(stage);
  const after = times();
  const full = await sizes(stage);
  const jobs = await fleet.sync.getCompleted();
  const first = Math.min(...jobs.map(({ processedOn }) => processedOn));
  const last = Math.max(...jobs.map(({ finishedOn }) => finishedOn));
  const used = Object.fromEntries(Object.keys(before).map((part) => [part, after[part] - before[part]]));
  const requests = jobs.reduce((sum, { progress }) => sum + progress.requests, 0);
  const articles = jobs.reduce((sum, { progress }) => sum + progress.stored, 0);
  const held = { redis: full.redis - empty.redis, postgres: full.postgres - empty.postgres };
  return { seconds: (last - first) / 1000, requests, articles, used, held };
}

const redis = await startRedis();
const postgres = await startPostgres();
try {
  const options = {
    redisUrl: redis.url,
    databaseUrl: postgres.url,
    brands,
    workers,
    kind: 'one slice',
    say: () => {},
  };
  const pids = { redis: redis.pid, postgres: postgres.pid };
  const found = await onStage(options, (stage) => measure(stage, pids));
  process.stdout.write(JSON.stringify(found));
} finally {
  await Promise.all([redis.stop(), postgres.stop()]);
}
