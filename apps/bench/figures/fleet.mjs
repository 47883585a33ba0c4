import { availableParallelism } from 'node:os';
import { runWorker } from '../worker.mjs';

const BRANDS = 400;

export const title = 'A fleet';
export const method = `The code of \`examples/fleet\`, on this machine: BullMQ on a Redis, a Postgres with \`fsync\` off, and a mock for each
brand that responds after 50 ms. Each brand has 19 to 94 articles of 5 kB and is synced for the first time, in 1 or 2 requests.
Workers have 5 jobs at a time. Time runs from the first job to the last. The other columns are seconds of processor time per
1000 brands, of all processes of that part. *Busy*: all of them together, as a share of the cores of this machine.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ quick }) {
  const brands = quick ? 40 : BRANDS;
  const rows = [];
  const sizes = [];
  for (const workers of [1, 2, 4]) {
    const { seconds, requests, articles, used, held } = await runWorker(
      process.execPath,
      'fleet',
      [brands, workers],
      TSX,
    );
    const per1000 = (part) => ((used[part] * 1000) / brands).toFixed(1);
    const total = Object.values(used).reduce((sum, part) => sum + part, 0);
    const busy = (100 * total) / (seconds * availableParallelism());
    rows.push([
      String(workers),
      ((brands * 60) / seconds).toFixed(0),
      (articles / seconds).toFixed(0),
      (requests / brands).toFixed(1),
      ...['workers', 'postgres', 'redis', 'service'].map(per1000),
      `${busy.toFixed(0)} %`,
    ]);
    sizes.push([String(workers), ...[held.redis, held.postgres].map((bytes) => (bytes / 1024 / brands).toFixed(1))]);
  }
  const head = ['workers', 'brands a minute', 'articles a second', 'requests a brand'];
  return {
    targets: [],
    tables: [
      {
        caption: 'multilocal',
        head: [...head, 'workers, s', 'Postgres, s', 'Redis, s', 'the mocks, s', 'busy'],
        rows,
      },
      { caption: 'What a brand leaves behind', head: ['workers', 'Redis, kB', 'Postgres, kB'], rows: sizes },
    ],
  };
}

const TSX = ['--import', 'tsx'];
