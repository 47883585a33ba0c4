import { CANDIDATES, WITH_LIMITER } from '../candidates.mjs';
import { byCandidate, judge, spread } from '../report.mjs';
import { interleave, median } from '../statistics.mjs';
import { runWorker, withServer } from '../worker.mjs';

const LOADS = [
  { inFlight: 1, calls: 100, least: 92 },
  { inFlight: 50, calls: 250, least: 90 },
];
const PROCESSES = 3;
const ROUNDS = 6;
const NAMES = ['raw', 'ky', 'by-hand', 'openapi-fetch', 'hey-api-zod', 'hey-api-ky-zod', 'orval-zod', 'multilocal'];
const MEASURED = [...CANDIDATES.filter(({ name }) => NAMES.includes(name)), WITH_LIMITER];

export const title = 'Throughput over loopback';
export const method = `A bare \`node:http\` server in another process responds to each request with the article of 6 kB. Calls a second, by the
clock, so other work on the machine changes them. Beside them, processor time of a call in the client's process, which other work changes
little. Medians of ${ROUNDS} rounds in each of ${PROCESSES} processes a candidate, after as many rounds that do not count. The candidates take turns in
random order. Loopback has no latency: over a real network the differences are a small part of a call. Ours has the limiter off in the
first row, and on in the second, with limits that let no call wait.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder, nodes, quick }) {
  const [targets, tables] = [[], []];
  for (const { inFlight, calls, least } of LOADS) {
    for (const { name: node, path } of nodes) {
      const numbers = [inFlight, calls, quick ? 2 : ROUNDS];
      const found = await withServer((url) =>
        interleave(MEASURED, quick ? 1 : PROCESSES, ({ name }) =>
          runWorker(path, 'throughput', [folder, name, url, ...numbers]),
        ),
      );
      const runs = new Map([...found].map(([{ name }, processes]) => [name, processes.flat()]));
      const of = (name, what) => runs.get(name).map((sample) => sample[what]);
      const share = (name) => (100 * median(of(name, 'rate'))) / median(of('by-hand', 'rate'));
      const figure = `throughput, ${inFlight} in flight`;
      targets.push(judge({ figure, node, value: share('multilocal'), unit: ' % of by hand', digits: 1, least }));
      const head = ['calls/s', 'quartiles', '× raw', '% of by hand', 'µs of processor', 'quartiles', '× raw'];
      const cellsOf = (name) => [
        ...spread(of(name, 'rate'), of('raw', 'rate'), 0),
        share(name).toFixed(0),
        ...spread(of(name, 'used'), of('raw', 'used'), 0),
      ];
      tables.push(byCandidate(`${inFlight} in flight, ${node}`, head, cellsOf, MEASURED));
    }
  }
  return { targets, tables };
}
