import { runWorker } from '../worker.mjs';

const COUNT = 10_000;

export const title = 'Many clients in one process';
export const method = `${COUNT} clients, each with a key of its own, as in a process that serves many brands. Heap is after a garbage
collection, and counts what stays because of one client: the client itself, and after its first call the count of its key. The
call is one article of 6 kB from a stub of \`fetch\`, with the limiter. Nothing else of a client stays: no timer, no socket.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ nodes, quick }) {
  const rows = [];
  for (const { name, path } of nodes) {
    const { created, called } = await runWorker(path, 'clients', [quick ? 1_000 : COUNT], ['--expose-gc']);
    rows.push(
      ...[
        ['new Client', created],
        ['its first call', called],
      ].map(([what, { time, bytes }]) => [what, name, time.toFixed(1), (bytes / 1024).toFixed(2)]),
    );
  }
  return { targets: [], tables: [{ caption: 'multilocal', head: ['', 'on', 'µs', 'heap that stays, kB'], rows }] };
}
