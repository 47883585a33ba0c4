// Everything that a run needs, open as long as the run lasts: the service, the database, the queues, the workers.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { QueueEvents } from 'bullmq';
import type { Pool } from 'pg';
import type { Kind } from './brands.js';
import { openDashboard } from './dashboard.js';
import { createTables, openDatabase, saveBrand } from './database.js';
import { connectionTo, type Fleet, openFleet, SYNC } from './fleet.js';
import { ask, end, isRunning, message, start } from './processes.js';

export interface Options {
  redisUrl: string;
  databaseUrl: string;
  brands: number;
  workers: number;
  /** All brands are of this kind. Default: a mixture. */
  kind?: Kind;
  say(text: string): void;
}

export interface Stage extends Options {
  /** The ids of the brands. */
  readonly ids: readonly string[];
  readonly db: Pool;
  readonly fleet: Fleet;
  readonly events: QueueEvents;
  readonly service: ChildProcess;
  /** The worker processes. None before `hire`. */
  readonly crew: ChildProcess[];
}

/** Longer than any run takes, so that a run that hangs ends. */
const TIME_LIMIT = 10 * 60_000;

export async function onStage<Result>(options: Options, run: (stage: Stage) => Promise<Result>): Promise<Result> {
  const { redisUrl, databaseUrl, brands, kind, say } = options;
  const stage: Stage = {
    ...options,
    ids: Array.from({ length: brands }, (_, brand) => `brand-${brand}`),
    db: openDatabase(databaseUrl),
    fleet: openFleet(redisUrl),
    events: new QueueEvents(SYNC, { connection: connectionTo(redisUrl) }),
    service: start('service', { BRANDS: String(brands), ...(kind && { KIND: kind }) }),
    crew: [],
  };
  const { ids, db, fleet, events, service, crew } = stage;
  const dashboard = await openDashboard(fleet);
  try {
    await message(service);
    await Promise.all([fleet.due, fleet.sync].map((queue) => queue.obliterate({ force: true })));
    await createTables(db);
    for (const id of ids) await enrol(stage, id);
    say(`${brands} brands, each with a key of its own. Dashboard: ${dashboard.url}`);
    return await run(stage);
  } finally {
    dashboard.close();
    await Promise.all(crew.map((worker) => end(worker, 'SIGTERM')));
    await end(service, 'SIGTERM');
    await Promise.all([events.close(), fleet.close(), db.end()]);
  }
}

export function hire({ redisUrl, databaseUrl, workers, crew }: Stage): void {
  while (crew.length < workers) crew.push(start('worker', { REDIS_URL: redisUrl, DATABASE_URL: databaseUrl }));
}

/** Stores the address and the key of a brand. `renew`: a new key. */
export async function enrol({ ids, service, db }: Stage, id: string, renew = false): Promise<void> {
  const { url, key, perMinute } = await ask(service, { brand: ids.indexOf(id), renew });
  await saveBrand(db, { id, base_url: url, api_key: key, per_minute: perMinute });
}

/** Resolves when every brand's job is completed or failed. Rejects if a worker has ended, and after the time limit. */
export async function finished({ fleet, crew, brands, say }: Stage): Promise<void> {
  const deadline = performance.now() + TIME_LIMIT;
  let told = 0;
  for (;;) {
    const { completed = 0, failed = 0 } = await fleet.sync.getJobCounts('completed', 'failed');
    if (completed + failed === brands) return;
    if (!crew.every(isRunning)) throw new Error('A worker has ended.');
    if (performance.now() > deadline) throw new Error(`${completed} of ${brands} brands were synced in time.`);
    if (completed >= told + brands / 5) {
      told = completed;
      say(`${completed} of ${brands} brands are synced`);
    }
    await sleep(250);
  }
}
