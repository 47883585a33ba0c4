import { byCandidate, judge, spread } from '../report.mjs';
import { median } from '../statistics.mjs';
import { runWorker, withServer } from '../worker.mjs';

const LOADS = [
  { inFlight: 1, calls: 50, least: 92 },
  { inFlight: 50, calls: 250, least: 80 },
];

export const title = 'Throughput over loopback';
export const method = `A bare \`node:http\` server in another process answers each request with the article. Calls a second,
by the clock; the share of raw is that of the medians. Loopback has no latency: over a real network the differences drown in it.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder, nodes, quick }) {
  const [targets, tables] = [[], []];
  for (const { inFlight, calls, least } of LOADS) {
    for (const { name: node, path } of nodes) {
      const args = [inFlight, calls, quick ? 4 : 60];
      const samples = new Map(await withServer((url) => runWorker(path, 'throughput', [folder, url, ...args])));
      const raw = samples.get('raw');
      const value = (100 * median(samples.get('multilocal'))) / median(raw);
      const figure = `throughput, ${inFlight} in flight`;
      targets.push(judge({ figure, node, value, unit: ' % of raw', digits: 1, least }));
      const head = ['calls/s', 'quartiles', '× raw'];
      tables.push(byCandidate(`${inFlight} in flight, ${node}`, head, (name) => spread(samples.get(name), raw, 0)));
    }
  }
  return { targets, tables };
}
