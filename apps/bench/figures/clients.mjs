import { judge } from '../report.mjs';
import { median } from '../statistics.mjs';
import { runWorker } from '../worker.mjs';

const COUNT = 1_000;
const PROCESSES = 5;

export const title = 'Many clients in one process';
export const method = `${COUNT} clients, each with a key of its own, as in a process that serves many brands. Heap is after a garbage
collection, and counts what stays because of one client: the client itself, and after its first call the count of its key. The
call is one article of 6 kB from a stub of \`fetch\`, with the limiter. Nothing else of a client stays: no timer, no socket.
The target of the heap is for both together. Median of ${PROCESSES} processes.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ nodes, quick }) {
  const [targets, rows] = [[], []];
  for (const { name: node, path } of nodes) {
    const runs = [];
    for (let turn = 0; turn < (quick ? 1 : PROCESSES); turn++) {
      runs.push(await runWorker(path, 'clients', [COUNT], ['--expose-gc']));
    }
    const of = (what) => ({
      milliseconds: median(runs.map((run) => run[what].time)) / 1_000,
      kilobytes: median(runs.map((run) => run[what].bytes)) / 1_000,
    });
    const [created, called] = [of('created'), of('called')];
    targets.push(
      judge({ figure: 'clients: time of one', node, value: created.milliseconds, unit: ' ms', digits: 3, most: 0.1 }),
      judge({
        figure: 'clients: heap of one',
        node,
        value: created.kilobytes + called.kilobytes,
        unit: ' kB',
        most: 20,
      }),
    );
    for (const [what, { milliseconds, kilobytes }] of Object.entries({
      'new Client': created,
      'its first call': called,
    })) {
      rows.push([what, node, milliseconds.toFixed(3), kilobytes.toFixed(2)]);
    }
  }
  return { targets, tables: [{ caption: 'multilocal', head: ['', 'on', 'ms', 'heap that stays, kB'], rows }] };
}
