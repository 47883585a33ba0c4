// Microseconds of processor time of a call whose response is there at once: what the client itself costs, for each read.
// node calls.mjs <folder> <candidate, or stub>, in the Node that is measured; see rounds.mjs
import { deepEqual } from 'node:assert/strict';
import { connect } from './candidates.mjs';
import { ARTICLE, POSTS } from './data.mjs';
import { processorTime } from './processor-time.mjs';
import { measureOnRequest } from './rounds.mjs';

const [folder, name] = process.argv.slice(2);
/** `warm`: rounds until the compiler of Node has done most of its work. */
const READS = { article: { text: ARTICLE, calls: 100, warm: 16 }, posts: { text: POSTS, calls: 5, warm: 8 } };
const init = { headers: { 'content-type': 'application/json; charset=utf-8' } };
let text;
globalThis.fetch = async () => new Response(text, init);

const readStub = async () => (await fetch('')).text();
const stub = { article: readStub, posts: readStub };
const job = name === 'stub' ? stub : await connect(folder, name, 'https://api.multilocal.test');

async function costOf(read) {
  const { calls } = READS[read];
  text = READS[read].text;
  const begin = processorTime();
  for (let call = 0; call < calls; call++) await job[read](42);
  return ((processorTime() - begin) * 1_000) / calls;
}

for (const [read, { warm }] of Object.entries(READS)) {
  text = READS[read].text;
  if (job !== stub) deepEqual(await job[read](42), JSON.parse(text));
  for (let turn = 0; turn < warm; turn++) await costOf(read);
}
await measureOnRequest(async () => ({ article: await costOf('article'), posts: await costOf('posts') }));
