// The whole run: starts the service, the dashboard and the workers, kills a worker, and checks every brand at the end.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { QueueEvents } from 'bullmq';
import type { Pool } from 'pg';
import { checkBrand, type Row } from './check.js';
import { openDashboard } from './dashboard.js';
import { createTables, openDatabase, saveBrand } from './database.js';
import { connectionTo, type Fleet, openFleet, SYNC, schedule } from './fleet.js';
import { ask, end, isRunning, message, start } from './processes.js';

export interface Options {
  redisUrl: string;
  databaseUrl: string;
  brands: number;
  workers: number;
  say(text: string): void;
}

export interface Result {
  rows: Row[];
  /** Jobs of the killed worker that others took over. */
  stalled: number;
  /** Jobs that failed for good, until their brand got a new key. */
  failed: number;
  /** From the start of the workers to the end of the last job. */
  seconds: number;
}

/** The parts of a run. */
interface Run extends Options {
  readonly db: Pool;
  readonly fleet: Fleet;
  readonly events: QueueEvents;
  readonly service: ChildProcess;
  readonly crew: ChildProcess[];
}

/** Longer than any run takes, so that a run that hangs ends. */
const TIME_LIMIT = 10 * 60_000;

export async function runFleet(options: Options): Promise<Result> {
  const { redisUrl, databaseUrl, brands } = options;
  const run: Run = {
    ...options,
    db: openDatabase(databaseUrl),
    fleet: openFleet(redisUrl),
    events: new QueueEvents(SYNC, { connection: connectionTo(redisUrl) }),
    service: start('service', { BRANDS: String(brands) }),
    crew: [],
  };
  const { db, fleet, events, service, crew, say } = run;
  const dashboard = await openDashboard(fleet);
  try {
    await message(service);
    await Promise.all([fleet.due, fleet.sync].map((queue) => queue.obliterate({ force: true })));
    await createTables(db);
    for (let brand = 0; brand < brands; brand++) await enrol(run, brand);
    say(`${brands} brands, each with a key of its own. Dashboard: ${dashboard.url}`);
    return await tell(run);
  } finally {
    dashboard.close();
    await Promise.all(crew.map((worker) => end(worker, 'SIGTERM')));
    await end(service, 'SIGTERM');
    await Promise.all([events.close(), fleet.close(), db.end()]);
  }
}

async function tell(run: Run): Promise<Result> {
  const { redisUrl, databaseUrl, brands, workers, db, fleet, events, service, crew, say } = run;
  let stalled = 0;
  events.on('stalled', () => stalled++);
  const middle = progresses(events, Math.floor(brands / 4));
  const started = performance.now();
  for (let worker = 0; worker < workers; worker++) {
    crew.push(start('worker', { REDIS_URL: redisUrl, DATABASE_URL: databaseUrl }));
  }
  const ids = Array.from({ length: brands }, (_, brand) => idOf(brand));
  await schedule(fleet, ids);
  const synced = finished(run);
  await Promise.race([middle, synced]);
  const [victim] = crew.splice(0, 1);
  if (victim) await end(victim, 'SIGKILL');
  say('Worker 1 was killed. Its jobs stall, and the other workers take them over.');
  await synced;

  const failed = await fleet.sync.getFailed();
  say(
    `${failed.length} jobs failed for good: ${[...new Set(failed.map(({ failedReason }) => failedReason))].join(' ')}`,
  );
  for (const job of failed) {
    await enrol(run, ids.indexOf(job.data.brand), true);
    await job.retry();
  }
  if (failed.length > 0) say('Their brands got new keys, and the jobs are retried.');
  await finished(run);
  const seconds = (performance.now() - started) / 1000;

  const rows: Row[] = [];
  const jobs = new Map((await fleet.sync.getCompleted()).map((job) => [job.data.brand, job]));
  for (const [brand, id] of ids.entries()) {
    rows.push(await checkBrand(db, id, await ask(service, { brand }), jobs.get(id)));
  }
  return { rows, stalled, failed: failed.length, seconds };
}

const idOf = (brand: number): string => `brand-${brand}`;

/** Stores the address and the key of a brand. */
async function enrol({ service, db }: Run, brand: number, renew = false): Promise<void> {
  const { url, key, perMinute } = await ask(service, { brand, renew });
  await saveBrand(db, { id: idOf(brand), base_url: url, api_key: key, per_minute: perMinute });
}

/** Resolves at the n-th progress that a job reports. */
function progresses(events: QueueEvents, n: number): Promise<void> {
  let seen = 0;
  return new Promise((resolve) => events.on('progress', () => ++seen === n && resolve()));
}

/** Resolves when every brand's job is completed or failed. Rejects if a worker has ended, and after the time limit. */
async function finished({ fleet, crew, brands, say }: Run): Promise<void> {
  const deadline = performance.now() + TIME_LIMIT;
  let told = 0;
  for (;;) {
    const { completed = 0, failed = 0 } = await fleet.sync.getJobCounts('completed', 'failed');
    if (completed + failed === brands) return;
    if (!crew.every(isRunning)) throw new Error('A worker has ended.');
    if (performance.now() > deadline)
      throw new Error(`${completed} of ${brands} brands are synced after the time limit.`);
    if (completed >= told + brands / 5) {
      told = completed;
      say(`${completed} of ${brands} brands are synced`);
    }
    await sleep(250);
  }
}
