// The run of `main.ts`: syncs all brands, kills a worker in the middle, renews the revoked keys, and checks every brand.
import type { QueueEvents } from 'bullmq';
import { checkBrand, type Row } from './check.js';
import { schedule } from './fleet.js';
import { ask, end, enrol, finished, hire, type Options, onStage, type Stage } from './stage.js';

export interface Result {
  rows: Row[];
  /** Jobs of the killed worker that others took over. */
  stalled: number;
  /** Jobs that failed for good, until their brand got a new key. */
  failed: number;
  /** From the start of the workers to the end of the last job. */
  seconds: number;
}

export const runFleet = (options: Options): Promise<Result> => onStage(options, tell);

async function tell(stage: Stage): Promise<Result> {
  const { ids, brands, fleet, events, crew, say } = stage;
  let stalled = 0;
  events.on('stalled', () => stalled++);
  const middle = progresses(events, Math.floor(brands / 4));
  const started = performance.now();
  hire(stage);
  await schedule(fleet, ids);
  const synced = finished(stage);
  await Promise.race([middle, synced]);
  const [victim] = crew.splice(0, 1);
  if (victim) await end(victim, 'SIGKILL');
  say('Worker 1 was killed. Its jobs stall, and the other workers take them over.');
  await synced;

  const failed = await fleet.sync.getFailed();
  const reasons = new Set(failed.map(({ failedReason }) => failedReason));
  say(`${failed.length} jobs failed for good: ${[...reasons].join(' ')}`);
  for (const job of failed) {
    await enrol(stage, job.data.brand, true);
    await job.retry();
  }
  say('Their brands got new keys, and the jobs are retried.');
  await finished(stage);
  const seconds = (performance.now() - started) / 1000;
  return { rows: await check(stage), stalled, failed: failed.length, seconds };
}

async function check({ ids, db, fleet, service }: Stage): Promise<Row[]> {
  const rows: Row[] = [];
  const jobs = new Map((await fleet.sync.getCompleted()).map((job) => [job.data.brand, job]));
  for (const [brand, id] of ids.entries()) {
    rows.push(await checkBrand(db, id, await ask(service, { brand }), jobs.get(id)));
  }
  return rows;
}

/** Resolves at the n-th progress that a job reports. */
function progresses(events: QueueEvents, n: number): Promise<void> {
  let seen = 0;
  return new Promise((resolve) => events.on('progress', () => ++seen === n && resolve()));
}
