// The queues: one repeatable job per brand makes the brand due, and one job at a time syncs it, slice by slice.
import { type Job, Queue } from 'bullmq';

export const DUE = 'fleet-due';
export const SYNC = 'fleet-sync';

const DAY = 24 * 60 * 60 * 1000;

/** A job names its brand only. The dashboard shows the data of a job, so that it must hold no key. */
export interface BrandJob {
  brand: string;
}

/** What a job has done so far, in all of its slices. */
export interface Progress {
  slices: number;
  requests: number;
  stored: number;
  /** How often the job had to wait for a limit. */
  waits: number;
}

export const progressOf = ({ progress }: Job<BrandJob>): Progress => ({
  ...{ slices: 0, requests: 0, stored: 0, waits: 0 },
  // 0 before the first update.
  ...(typeof progress === 'object' && progress),
});

/** Both queues. */
export interface Fleet {
  readonly due: Queue<BrandJob>;
  readonly sync: Queue<BrandJob>;
  close(): Promise<void>;
}

/** BullMQ makes its connections from this. A worker waits for a Redis that is away; it never gives up a command. */
export const connectionTo = (url: string) => ({ url, maxRetriesPerRequest: null });

export function openFleet(redisUrl: string): Fleet {
  const connection = connectionTo(redisUrl);
  const due = new Queue<BrandJob>(DUE, { connection });
  const sync = new Queue<BrandJob>(SYNC, {
    connection,
    defaultJobOptions: {
      attempts: 8,
      backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
      // In seconds. Failed jobs stay until somebody has acted.
      removeOnComplete: { age: DAY / 1000 },
    },
  });
  return {
    due,
    sync,
    close: async () => void (await Promise.all([due.close(), sync.close()])),
  };
}

/** Every brand becomes due now, and again every day. Calling this again changes nothing: a scheduler has an id. */
export async function schedule({ due }: Fleet, brands: readonly string[]): Promise<void> {
  await Promise.all(
    brands.map((brand) =>
      due.upsertJobScheduler(brand, { every: DAY }, { name: 'due', data: { brand }, opts: { removeOnComplete: true } }),
    ),
  );
}

/** Add the job of a brand. A brand that still has one, because it is large or its service is away, gets no second. */
export async function enqueue(sync: Queue<BrandJob>, brand: string): Promise<void> {
  await sync.add('sync', { brand }, { deduplication: { id: brand } });
}
