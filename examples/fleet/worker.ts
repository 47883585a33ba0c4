// One worker process: takes a job, syncs one slice of its brand, and goes to the next job. `main.ts` starts four.
import { type Job, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Client } from 'multilocal';
import { redisStore } from 'multilocal/redis';
import { findBrand, openDatabase, storeOf } from './database.js';
import { decide, later, obey } from './errors.js';
import { type BrandJob, connectionTo, DUE, enqueue, openFleet, type Progress, progressOf, SYNC } from './fleet.js';

/** Requests in one slice. Small slices are fair: after each one, a large brand goes behind the small brands. */
const MAX_REQUESTS = 8;
/** Jobs at a time in one process. Most of the time they wait for the service. */
const CONCURRENCY = 5;
/** A worker that does not renew the lock of a job in this time counts as dead, and another worker takes the job. */
const LOCK = 10_000;
/** Milliseconds after which a slice ends at its next page, so that no brand keeps its place for long. */
const MAX_TIME = 10_000;
/** How long a request waits here for its key's limits. After that the job waits in Redis, and another one gets its place. */
const MAX_WAIT = 2_000;

const { REDIS_URL = '', DATABASE_URL = '' } = process.env;
const connection = connectionTo(REDIS_URL);
const db = openDatabase(DATABASE_URL);
const fleet = openFleet(REDIS_URL);
const redis = new Redis(REDIS_URL);
/** The count of requests that all processes share. */
const store = redisStore((script, keys, args) => redis.eval(script, keys.length, ...keys, ...args));

const due = new Worker<BrandJob>(DUE, ({ data }) => enqueue(fleet.sync, data.brand), { connection });
const sync: Worker<BrandJob> = new Worker<BrandJob>(SYNC, syncSlice, {
  connection,
  concurrency: CONCURRENCY,
  lockDuration: LOCK,
  stalledInterval: LOCK / 2,
  // However often a job is taken over, it goes on at the cursor of its brand.
  maxStalledCount: 100,
});
for (const worker of [due, sync]) worker.on('error', (error) => console.error(String(error)));

/** The job is done when its brand is. Else it goes behind the jobs that wait. */
async function syncSlice(job: Job<BrandJob>): Promise<Progress> {
  const before = progressOf(job);
  try {
    const { done, requests, upserted } = await slice(job.data.brand);
    const progress = {
      ...before,
      slices: before.slices + 1,
      requests: before.requests + requests,
      stored: before.stored + upserted,
    };
    await job.updateProgress(progress);
    if (done) return progress;
  } catch (error) {
    const decision = decide(error);
    if ('ms' in decision) await job.updateProgress({ ...before, waits: before.waits + 1 });
    return obey(decision, error, sync, job);
  }
  return later(job, 0);
}

async function slice(brand: string) {
  const { api_key: apiKey, base_url: baseUrl, per_minute: perMinute } = await findBrand(db, brand);
  const rateLimit = { perMinute, perDay: 1000, maxWait: MAX_WAIT, store };
  const client = new Client({ apiKey, baseUrl, rateLimit });
  return client.articles.syncTo(storeOf(db, brand), { maxRequests: MAX_REQUESTS, deadline: Date.now() + MAX_TIME });
}

process.once('SIGTERM', async () => {
  // Waits for the slices that run.
  await Promise.all([due.close(), sync.close()]);
  process.exit();
});
// The parent has ended.
process.once('disconnect', () => process.exit());
