// What all processes share: the queues, and one Postgres with the keys and the articles of all brands.
import { Queue } from 'bullmq';
import { sqlStore } from 'multilocal/sql';
import { Pool } from 'pg';

const DAY = 86_400_000;
const { REDIS_URL = '', DATABASE_URL } = process.env;

/** A job names only its brand: dashboards show the data of jobs, so jobs must hold no key. */
export interface BrandJob {
  brand: string;
}

/** BullMQ makes its connections from this. It waits for a Redis that is away, and never gives up a command. */
export const connection = { url: REDIS_URL, maxRetriesPerRequest: null };
export const due = new Queue<BrandJob>('fleet-due', { connection });
export const sync = new Queue<BrandJob>('fleet-sync', {
  connection,
  // Failed jobs stay until a person has acted. Others are removed after a day, in seconds.
  defaultJobOptions: { attempts: 8, backoff: { type: 'exponential', delay: 500 }, removeOnComplete: { age: 86_400 } },
});

export const db = new Pool({ connectionString: DATABASE_URL, max: 10 });
// Without listeners, a connection that breaks ends the process. The query that needs it fails, and its job is retried.
db.on('error', console.error);
db.on('connect', (client) => client.on('error', console.error));

/** Stores a brand, and makes it due now and each day. The key is in plain text here: encrypt the keys of a real fleet. */
export async function enrol(brand: string, baseUrl: string, apiKey: string): Promise<void> {
  await db.query(`${sqlStore.schema('postgres')};
    create table if not exists fleet_brands (id text primary key, base_url text not null, api_key text not null)`);
  await db.query(
    'insert into fleet_brands values ($1, $2, $3) on conflict (id) do update set base_url = $2, api_key = $3',
    [brand, baseUrl, apiKey],
  );
  await due.upsertJobScheduler(brand, { every: DAY }, { data: { brand }, opts: { removeOnComplete: true } });
}

/** The articles of one brand. */
export const storeOf = (brand: string) =>
  sqlStore({ dialect: 'postgres', brand, query: async (sql, params) => (await db.query(sql, params)).rows });
