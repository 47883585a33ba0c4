// Microseconds of processor time of a call whose answer is there at once: what the client itself costs.
// node calls.mjs <folder> <article | posts> <calls in a round> <rounds>, in the Node that is measured
import { deepEqual } from 'node:assert/strict';
import { interleave } from '../statistics.mjs';
import { connectAll } from './candidates.mjs';
import { ARTICLE, POSTS } from './data.mjs';
import { processorTime } from './processor-time.mjs';

const [folder, method, calls, rounds] = process.argv.slice(2);
const text = method === 'article' ? ARTICLE : POSTS;
const init = { headers: { 'content-type': 'application/json; charset=utf-8' } };
globalThis.fetch = async () => new Response(text, init);

const jobs = await connectAll(folder, 'https://api.multilocal.test');
const round = async ({ job }) => {
  const begin = processorTime();
  for (let call = 0; call < Number(calls); call++) await job[method](42);
  return ((processorTime() - begin) * 1_000) / Number(calls);
};
for (const { job } of jobs) deepEqual(await job[method](42), JSON.parse(text));
await interleave(jobs, Math.ceil(Number(rounds) / 4), round); // warm
const samples = await interleave(jobs, Number(rounds), round);
console.log(JSON.stringify([...samples].map(([{ name }, values]) => [name, values])));
