// Microseconds of processor time of a call whose response is there at once: what the client itself costs, for each read.
// node calls.mjs <folder> <candidate, or stub>, in the Node that is measured; see rounds.mjs
import { deepEqual, rejects } from 'node:assert/strict';
import { CANDIDATES, WITH_LIMITER } from '../candidates.mjs';
import { connect } from './candidates.mjs';
import { ARTICLE, POSTS } from './data.mjs';
import { processorTime } from './processor-time.mjs';
import { measureOnRequest } from './rounds.mjs';

const [folder, name] = process.argv.slice(2);
/** `warm`: rounds until the compiler of Node has done most of its work. */
const READS = { article: { text: ARTICLE, calls: 100, warm: 16 }, posts: { text: POSTS, calls: 5, warm: 8 } };
const headers = { 'content-type': 'application/json; charset=utf-8' };
let text;
let init = { headers };
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

/** Fails if a candidate does less than it is measured for. */
async function checkWork({ checks }) {
  for (const read of Object.keys(READS)) {
    text = READS[read].text;
    deepEqual(await job[read](42), JSON.parse(text));
  }
  text = JSON.stringify({ ...JSON.parse(ARTICLE), created_at: 42 });
  if (checks) await rejects(async () => job.article(42));
  init = { headers, status: 404 };
  await rejects(async () => job.article(42));
  init = { headers };
}

if (job !== stub) await checkWork([...CANDIDATES, WITH_LIMITER].find((one) => one.name === name));
for (const [read, { warm }] of Object.entries(READS)) {
  for (let turn = 0; turn < warm; turn++) await costOf(read);
}
await measureOnRequest(async () => ({ article: await costOf('article'), posts: await costOf('posts') }));
