// All articles of a service with so many of 6 kB, page after page: milliseconds of processor time a round; with `heap`, the
// megabytes by which the heap grows at most. node [--expose-gc] sync.mjs <folder> <articles> <rounds | heap <candidate>>
import { interleave } from '../statistics.mjs';
import { connectAll } from './candidates.mjs';
import { articleOf, indexAfter, timestampOf } from './data.mjs';
import { processorTime } from './processor-time.mjs';

const [folder, count, mode, only] = process.argv.slice(2);
const PAGE = 50;
let total = Number(count);

// One page in bytes; an answer is this page with other ids and timestamps, so that making it costs little.
const template = Buffer.from(Array.from({ length: PAGE }, (_, index) => JSON.stringify(articleOf(index))).join(','));
const stride = (template.length + 1) / PAGE;
const idAt = template.indexOf('1000000');
const timestampAt = template.indexOf(timestampOf(0));
let onPage = () => {};

globalThis.fetch = async (input) => {
  const since = new URL(input.url ?? input).searchParams.get('updated_since');
  const first = indexAfter(since);
  const length = Math.min(PAGE, total - first);
  const articles = Buffer.from(template.subarray(0, Math.max(0, length * stride - 1)));
  for (let place = 0; place < length; place++) {
    articles.write(String(1_000_000 + first + place), place * stride + idAt);
    articles.write(timestampOf(first + place), place * stride + timestampAt);
  }
  const end = `],"total":${total - first},"limit":${PAGE},"offset":0}`;
  onPage();
  const body = Buffer.concat([Buffer.from('{"articles":['), articles, Buffer.from(end)]);
  return new Response(body, { headers: { 'content-type': 'application/json' } });
};

/** What users of a client without a sync write: on from the last timestamp, right while no two articles share one. */
async function byHand(job) {
  let since = '1970-01-01T00:00:00Z';
  for (let seen = 0; ; ) {
    const page = await job.articles(since);
    seen += page.articles.length;
    if (page.articles.length === page.total) return seen;
    since = page.articles.at(-1).updated_at;
  }
}

async function ownSync({ sync }) {
  let seen = 0;
  for await (const { type } of sync()) if (type === 'upsert') seen++;
  return seen;
}

const jobs = await connectAll(folder, 'https://api.multilocal.test');
const run = async ({ job }) => {
  const begin = processorTime();
  const seen = await (job.sync ? ownSync(job) : byHand(job));
  if (seen !== total) throw new Error(`${seen} articles instead of ${total}`);
  return processorTime() - begin;
};

if (mode === 'heap') {
  const chosen = jobs.find(({ name }) => name === only);
  const heap = () => process.memoryUsage().heapUsed;
  globalThis.gc();
  const before = heap();
  let peak = 0;
  onPage = () => {
    peak = Math.max(peak, heap() - before);
  };
  await run(chosen);
  // Once more, collecting now and then: what is still in use, without what only waits to be collected.
  let live = 0;
  let pages = 0;
  onPage = () => {
    if (++pages % 100 !== 0) return;
    globalThis.gc();
    live = Math.max(live, heap() - before);
  };
  await run(chosen);
  console.log(JSON.stringify({ peak: peak / 1e6, live: live / 1e6 }));
} else {
  total = 5_000;
  await interleave(jobs, 1, run); // warm
  total = Number(count);
  const samples = await interleave(jobs, Number(mode), run);
  console.log(JSON.stringify([...samples].map(([{ name }, values]) => [name, values])));
}
