// Where the time of calls goes, by owner. node time.mjs <folder> <article | posts | sync> <count>
// Prints the owners' shares, and the microseconds of processor time of one call or sync without the profiler.
import { Session } from 'node:inspector/promises';
import { WITH_LIMITER } from '../candidates.mjs';
import { connect } from './candidates.mjs';
import { ARTICLE, POSTS } from './data.mjs';
import { createOwnerOf } from './owners.mjs';
import { servePages } from './pages.mjs';
import { processorTime } from './processor-time.mjs';

const [folder, what, count] = process.argv.slice(2);
const INIT = { headers: { 'content-type': 'application/json; charset=utf-8' } };
const job = await connect(folder, WITH_LIMITER.name, 'https://api.multilocal.test');

async function calls(total) {
  for (let call = 0; call < total; call++) await job[what](42);
}

async function sync(articles) {
  servePages(articles);
  for await (const _ of job.sync());
}

function serve(text) {
  const bytes = Buffer.from(text);
  globalThis.fetch = async () => new Response(bytes, INIT);
}

if (what !== 'sync') serve(what === 'article' ? ARTICLE : POSTS);
const run = what === 'sync' ? sync : calls;
await run(Math.ceil(Number(count) / 4)); // warm
const begin = processorTime();
await run(Number(count));
const microseconds = ((processorTime() - begin) * 1_000) / (what === 'sync' ? 1 : Number(count));

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 200 });
await session.post('Profiler.start');
await run(Number(count));
const { profile } = await session.post('Profiler.stop');
console.log(JSON.stringify({ microseconds, shares: sharesOf(profile) }));

/** The share of each owner in the samples. */
function sharesOf({ nodes, samples }) {
  const ownerOf = createOwnerOf(nodes);
  const found = {};
  for (const id of samples) {
    const owner = ownerOf(id);
    if (owner) found[owner] = (found[owner] ?? 0) + 1;
  }
  const total = Object.values(found).reduce((sum, part) => sum + part, 0);
  return Object.fromEntries(Object.entries(found).map(([owner, part]) => [owner, part / total]));
}
