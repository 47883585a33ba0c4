import { byCandidate, judge, spread } from '../report.mjs';
import { median } from '../statistics.mjs';
import { runWorker } from '../worker.mjs';

export const title = 'Sync of 100 000 articles';
export const method = `A stub of \`fetch\` serves pages of 50 articles of 6 kB. Ours runs \`articles.sync({ known: [] })\`: drafts,
deletions, checkpoints, articles of one timestamp across the edge of a page; it asks for the last article of each page again,
to notice what moves, and so for 2041 pages. The others have no sync: they run the plain loop over \`updated_since\`, of 2000
pages, which loses articles that share a timestamp. Heap, of raw and ours: the most in use when a page is asked for, over
that before the run, in MB. *In use* is after a garbage collection, each 100 pages; *peak* also holds what waits to be
collected, and how much that is the engine decides.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder, nodes, quick }) {
  const articles = quick ? 5_000 : 100_000;
  const [targets, tables] = [[], []];
  for (const { name: node, path } of nodes) {
    const samples = new Map(await runWorker(path, 'sync', [folder, articles, quick ? 2 : 3]));
    const heaps = new Map();
    for (const name of ['raw', 'multilocal']) {
      heaps.set(name, await runWorker(path, 'sync', [folder, articles, 'heap', name], ['--expose-gc']));
    }
    const raw = samples.get('raw');
    const { peak, live } = heaps.get('multilocal');
    const value = median(samples.get('multilocal')) / median(raw);
    targets.push(
      judge({ figure: 'sync: time', node, value, unit: ' × raw', most: 1.5 }),
      judge({ figure: 'sync: heap, in use', node, value: live, unit: ' MB', digits: 1, most: 40 }),
      judge({ figure: 'sync: heap, peak', node, value: peak, unit: ' MB', digits: 1, most: 40 }),
    );
    const head = ['ms', 'quartiles', '× raw', 'heap in use, MB', 'heap peak, MB'];
    tables.push(
      byCandidate(node, head, (name) => [
        ...spread(samples.get(name), raw, 0),
        heaps.get(name)?.live.toFixed(1) ?? '–',
        heaps.get(name)?.peak.toFixed(1) ?? '–',
      ]),
    );
  }
  return { targets, tables };
}
