import { CANDIDATES } from '../candidates.mjs';
import { byCandidate, judge } from '../report.mjs';
import { interleave, median, quantile } from '../statistics.mjs';
import { runWorker } from '../worker.mjs';

const ARTICLES = 100_000;
const FEW = 10_000;
const ROUNDS = 3;

const STUB = { name: 'stub', title: 'the stub alone' };
const COMPARED = CANDIDATES.filter(({ name }) => ['raw', 'by-hand', 'multilocal'].includes(name));
const HEAPS = COMPARED.filter(({ name }) => name !== 'by-hand').flatMap(({ name }) => [
  { name, articles: FEW },
  { name, articles: ARTICLES },
]);
const HEAD = ['ms', 'quartiles', '× raw', '× by hand', 'heap, 10 000: MB', 'heap, 100 000: MB'];

export const title = 'Sync of 100 000 articles';
export const method = `A stub of \`fetch\` serves pages of 50 articles of 6 kB. Ours runs \`articles.sync({ known: [] })\`, with the limiter off. It finds
drafts and yields checkpoints, and it requests the last article of each page again to notice what moves. So it requests 2041 pages. The
others have no sync. They run the plain loop over \`updated_since\` over 2000 pages, which loses articles that share a timestamp.

- Time is processor time, with garbage collection and compilation: the median of ${ROUNDS} processes for each candidate, which take turns. Each
  process syncs 5000 articles before, which do not count.
- The pages are prepared before the requests. The stub only writes ids and timestamps into a copy. Its own time is measured by 2000 requests
  that nobody reads, and the ratios are without it. The stub's time for our 41 further pages counts against us.
- raw checks no response. *By hand* checks each with zod/mini, as ours does.
- Heap is what is in use after a garbage collection, at most: every 50 pages, when a page is requested. Ours keeps the id of each article
  in a \`Map\`, to recognise an article that goes offline during the run.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder, nodes, quick }) {
  const articles = quick ? FEW : ARTICLES;
  const [targets, tables] = [[], []];
  for (const { name: node, path } of nodes) {
    const time = ({ name }) => runWorker(path, 'sync', [folder, name, 'time', articles]);
    const samples = await interleave([STUB, ...COMPARED], quick ? 1 : ROUNDS, time);
    const times = new Map([...samples].map(([{ name }, found]) => [name, found]));
    const heap = (one) => runWorker(path, 'sync', [folder, one.name, 'heap', one.articles], ['--expose-gc']);
    const heaps = new Map();
    for (const one of HEAPS) heaps.set(one.name, [...(heaps.get(one.name) ?? []), await heap(one)]);

    const own = (name) => median(times.get(name)) - median(times.get('stub'));
    const ratio = (name, other) => own(name) / own(other);
    const [few, many] = heaps.get('multilocal');
    const growth = ((many - few) * 1e6) / (ARTICLES - FEW);
    targets.push(
      judge({
        figure: 'sync of 100 000 articles: processor time',
        node,
        value: ratio('multilocal', 'raw'),
        unit: ' × raw',
        most: 1.5,
      }),
      judge({ figure: 'sync: growth of the heap', node, value: growth, unit: ' bytes an article', digits: 0, most: 0 }),
    );
    const cellsOf = (name) => {
      const [lower, middle, upper] = [0.25, 0.5, 0.75].map((share) => quantile(times.get(name), share).toFixed(0));
      const ratios = name === 'stub' ? ['–', '–'] : ['raw', 'by-hand'].map((other) => ratio(name, other).toFixed(2));
      const held = heaps.get(name)?.map((value) => value.toFixed(1)) ?? ['–', '–'];
      return [middle, `${lower} – ${upper}`, ...ratios, ...held];
    };
    tables.push(byCandidate(node, HEAD, cellsOf, [STUB, ...COMPARED]));
  }
  return { targets, tables };
}
