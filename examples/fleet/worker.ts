// One worker process: takes a job, syncs one slice of its brand, and goes to the next job. Start as many as you like.
import { type Job, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Client } from 'multilocal';
import { redisStore } from 'multilocal/redis';
import { endTurn, later } from './errors.js';
import { type BrandJob, connection, db, due, storeOf, sync } from './fleet.js';

/** A worker that does not renew the lock of a job in this time counts as dead, and another worker takes the job. */
const LOCK = 10_000;
const redis = new Redis(connection.url);
/** The count of requests that all processes share. */
const store = redisStore((script, keys, args) => redis.eval(script, keys.length, ...keys, ...args));

// A brand that still has a job, because it is large or its service is away, gets no second one.
const enqueue = async ({ data }: Job<BrandJob>) =>
  void (await sync.add('sync', data, { deduplication: { id: data.brand } }));
// However often a job is taken over, it continues at the cursor of its brand.
const locks = { lockDuration: LOCK, stalledInterval: LOCK / 2, maxStalledCount: 100 };
const dueWorker = new Worker<BrandJob>(due.name, enqueue, { connection });
const worker: Worker<BrandJob> = new Worker(sync.name, syncSlice, { connection, concurrency: 5, ...locks });
for (const each of [dueWorker, worker]) each.on('error', (error) => console.error(String(error)));

/** The job is done when its brand is. Otherwise it goes behind the jobs that wait, so large brands delay no others. */
async function syncSlice(job: Job<BrandJob>): Promise<void> {
  try {
    const { done, requests, upserted } = await slice(job.data.brand);
    await job.updateProgress({ requests, upserted });
    if (done) return;
  } catch (error) {
    return endTurn(error, worker, job);
  }
  return later(job, 0);
}

async function slice(brand: string) {
  const { rows } = await db.query('select base_url, api_key from fleet_brands where id = $1', [brand]);
  if (!rows[0]) throw new UnrecoverableError(`There is no brand ${brand}.`);
  // `maxWait`: a job that waits longer leaves its place to another one.
  const rateLimit = { maxWait: 2_000, store };
  const client = new Client({ apiKey: rows[0].api_key, baseUrl: rows[0].base_url, rateLimit });
  return client.articles.syncTo(storeOf(brand), { maxRequests: 8, deadline: Date.now() + 10_000 });
}

process.once('SIGTERM', async () => {
  await Promise.all([dueWorker.close(), worker.close()]); // waits for the slices that run
  process.exit();
});
