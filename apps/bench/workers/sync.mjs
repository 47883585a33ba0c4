// All articles of a service, page after page. node [--expose-gc] sync.mjs <folder> <candidate | stub> <time | heap> <articles>
// `time`: milliseconds of processor time. `heap`: MB of the heap in use, at most.
import { connect } from './candidates.mjs';
import { timestampOf } from './data.mjs';
import { byHand, servePages } from './pages.mjs';
import { processorTime } from './processor-time.mjs';

const [folder, name, mode, count] = process.argv.slice(2);
const articles = Number(count);
const WARM = 5_000;
const PAGE = 50;
const URL = 'https://api.multilocal.test';

/** What the stub alone costs: the requests of the plain loop, without a reader. */
async function stubAlone(total) {
  for (let index = 0; index < total; index += PAGE) {
    await fetch(`${URL}/api/v2/articles?status=all&updated_since=${encodeURIComponent(timestampOf(index - 1))}`);
  }
  return total;
}

async function ownSync({ sync }) {
  let seen = 0;
  for await (const { type } of sync()) if (type === 'upsert') seen++;
  return seen;
}

const job = name === 'stub' ? undefined : await connect(folder, name, URL);

async function run(total, onPage) {
  servePages(total, onPage);
  const seen = await (job?.sync ? ownSync(job) : job ? byHand(job) : stubAlone(total));
  if (seen !== total) throw new Error(`${seen} articles instead of ${total}`);
}

/** The heap in use, after a garbage collection. */
function heap() {
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1e6;
}

await run(WARM);
if (mode === 'heap') {
  const before = heap();
  let most = 0;
  let pages = 0;
  await run(articles, () => {
    if (++pages % 50 === 0) most = Math.max(most, heap() - before);
  });
  console.log(most);
} else {
  const begin = processorTime();
  await run(articles);
  console.log(processorTime() - begin);
}
