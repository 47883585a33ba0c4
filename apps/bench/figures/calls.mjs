import { byCandidate, judge, spread } from '../report.mjs';
import { median } from '../statistics.mjs';
import { runWorker } from '../worker.mjs';

const READS = [
  { read: 'article', title: 'one article of 6 kB', calls: 200, most: { 'Node 20': 2.2, 'Node 24': 1.8 } },
  { read: 'posts', title: 'a page of 100 posts, 112 kB', calls: 20, most: { 'Node 20': 1.25, 'Node 24': 1.25 } },
];
/** Each process lays its code out in memory in another way. */
const PROCESSES = 3;

export const title = 'What a call costs';
export const method = `\`fetch\` is a stub that answers at once with a \`Response\` of JSON text, so that what is left is the
client: building the request, reading, parsing and checking the answer. Microseconds a call, median of the rounds of
${PROCESSES} processes.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder, nodes, quick }) {
  const [targets, tables] = [[], []];
  for (const { read, title, calls, most } of READS) {
    for (const { name: node, path } of nodes) {
      const samples = new Map();
      for (let turn = 0; turn < (quick ? 1 : PROCESSES); turn++) {
        for (const [name, values] of await runWorker(path, 'calls', [folder, read, calls, quick ? 8 : 60])) {
          samples.set(name, [...(samples.get(name) ?? []), ...values]);
        }
      }
      const raw = samples.get('raw');
      const value = median(samples.get('multilocal')) / median(raw);
      targets.push(judge({ figure: `a call: ${title}`, node, value, unit: ' × raw', most: most[node] }));
      const head = ['µs', 'quartiles', '× raw'];
      tables.push(byCandidate(`${title}, ${node}`, head, (name) => spread(samples.get(name), raw)));
    }
  }
  return { targets, tables };
}
