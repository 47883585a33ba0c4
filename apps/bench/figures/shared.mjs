import { judge } from '../report.mjs';
import { runWorker } from '../worker.mjs';

export const title = 'The shared limiter';
export const method = `One process with \`redisStore\` over ioredis and a real Redis, a stub of \`fetch\`. Counted by Redis itself
(\`INFO\`): evaluations of the script, their time, and bytes on the wire, for each request. *At once*: the limits have room. *Waits*:
30 calls that find the minute full, 60 s on the clock. Memory is \`MEMORY USAGE\` of all that one key has in Redis after so many
requests of the day.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ quick }) {
  const { atOnce, waiting, sizes } = await runWorker(process.execPath, 'shared', [quick ? 100 : 2_000]);
  const row = (what, { evaluations, microseconds, sent, received }) => [
    what,
    evaluations.toFixed(2),
    microseconds.toFixed(0),
    sent.toFixed(0),
    received.toFixed(0),
  ];
  return {
    targets: [
      { figure: 'shared: evaluations, at once', value: atOnce.evaluations, most: 2 },
      { figure: 'shared: evaluations, waits', value: waiting.evaluations, most: 3 },
    ].map((target) => judge({ ...target, node: '–', unit: '' })),
    tables: [
      {
        caption: 'For each request',
        head: ['', 'evaluations', 'µs of Redis', 'bytes to Redis', 'bytes from Redis'],
        rows: [row('at once', atOnce), row('waits', waiting)],
      },
      {
        caption: 'In Redis, for each key',
        head: ['requests of the day', 'bytes'],
        rows: sizes.map(({ requests, bytes }) => [String(requests), String(bytes)]),
      },
    ],
  };
}
