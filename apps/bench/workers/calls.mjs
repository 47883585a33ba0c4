// Microseconds of processor time of a call whose response is there at once: what the client itself costs. Prints the
// samples of each read. node calls.mjs <folder> <candidate, or stub> <rounds>, in the Node that is measured
import { deepEqual } from 'node:assert/strict';
import { connect } from './candidates.mjs';
import { ARTICLE, POSTS } from './data.mjs';
import { processorTime } from './processor-time.mjs';

const [folder, name, rounds] = process.argv.slice(2);
/** `warm`: rounds until the compiler of Node has done most of its work. */
const READS = { article: { text: ARTICLE, calls: 100, warm: 16 }, posts: { text: POSTS, calls: 5, warm: 8 } };
const init = { headers: { 'content-type': 'application/json; charset=utf-8' } };
let text;
globalThis.fetch = async () => new Response(text, init);

const readStub = async () => (await fetch('')).text();
const stub = { article: readStub, posts: readStub };
const job = name === 'stub' ? stub : await connect(folder, name, 'https://api.multilocal.test');

async function round(read) {
  const { calls } = READS[read];
  text = READS[read].text;
  const begin = processorTime();
  for (let call = 0; call < calls; call++) await job[read](42);
  return ((processorTime() - begin) * 1_000) / calls;
}

const samples = {};
for (const read of Object.keys(READS)) {
  text = READS[read].text;
  if (job !== stub) deepEqual(await job[read](42), JSON.parse(text));
  for (let turn = 0; turn < READS[read].warm; turn++) await round(read);
  samples[read] = [];
  for (let turn = 0; turn < Number(rounds); turn++) samples[read].push(await round(read));
}
console.log(JSON.stringify(samples));
