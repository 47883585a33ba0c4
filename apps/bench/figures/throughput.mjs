import { CANDIDATES, WITH_LIMITER } from '../candidates.mjs';
import { byCandidate, judge, spread } from '../report.mjs';
import { median } from '../statistics.mjs';
import { takeTurns, withServer } from '../worker.mjs';

const LOADS = [
  { inFlight: 1, least: 92 },
  { inFlight: 50, least: 90 },
];
const TIMES = { generations: 2, rounds: 15 };
const NAMES = ['raw', 'ky', 'by-hand', 'openapi-fetch', 'hey-api-zod', 'hey-api-ky-zod', 'orval-zod', 'multilocal'];
const MEASURED = [...CANDIDATES.filter(({ name }) => NAMES.includes(name)), WITH_LIMITER];
const HEAD = ['calls/s', 'quartiles', '× raw', '% of by hand', 'µs of processor', 'quartiles', '× raw', '× by hand'];

export const title = 'Throughput over loopback';
export const method = `A bare \`node:http\` server in another process responds to each request with the article of 6 kB. Calls a second, by the
clock, so other work on the machine changes them. Beside them, processor time of a call in the client's process, which other work changes
little. Each candidate has a process of its own. All processes wait, and measure their rounds of 50 calls one by one and 250 calls with 50 in
flight in turn, in random order, after 1000 calls that do not count. Medians of ${TIMES.rounds} rounds in each of ${TIMES.generations} processes. Loopback has no
latency: over a real network the differences are a small part of a call. Ours has the limiter off in the first row, and on in the second,
with limits that let no call wait.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder, nodes, quick }) {
  const [targets, tables] = [[], []];
  for (const { name: node, path } of nodes) {
    const times = quick ? { generations: 1, rounds: 2 } : TIMES;
    const found = await withServer((url) =>
      takeTurns(path, 'throughput', MEASURED, ({ name }) => [folder, name, url], times),
    );
    for (const { inFlight, least } of LOADS) {
      const samples = new Map([...found].map(([{ name }, rounds]) => [name, rounds.map((round) => round[inFlight])]));
      const of = (name, what) => samples.get(name).map((sample) => sample[what]);
      const ratio = (name, what) => median(of(name, what)) / median(of('by-hand', what));
      const value = 100 * ratio('multilocal', 'rate');
      const figure = `throughput, ${inFlight} in flight`;
      targets.push(judge({ figure, node, value, unit: ' % of by hand', digits: 1, least }));
      const cellsOf = (name) => [
        ...spread(of(name, 'rate'), of('raw', 'rate'), 0),
        (100 * ratio(name, 'rate')).toFixed(0),
        ...spread(of(name, 'used'), of('raw', 'used'), 0),
        ratio(name, 'used').toFixed(2),
      ];
      tables.push(byCandidate(`${inFlight} in flight, ${node}`, HEAD, cellsOf, MEASURED));
    }
  }
  return { targets, tables };
}
