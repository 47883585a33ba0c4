// Microseconds of processor time of a call after so many requests of the day, and of one more call behind so many that
// wait. node limiter-cost.mjs <rounds> <many>
import { Client } from 'multilocal';
import { interleave } from '../statistics.mjs';
import { ARTICLE } from './data.mjs';
import { processorTime } from './processor-time.mjs';

const [rounds, many] = process.argv.slice(2).map(Number);
const CALLS = 500;
const NO_LIMIT = 1e9;
let clients = 0;

/** Clients of one address and key share their budget: each has an address of its own. */
function connect(perMinute) {
  const rateLimit = { perMinute, perDay: NO_LIMIT, maxWait: Infinity };
  return new Client({ apiKey: 'bench', baseUrl: `https://${clients++}.test`, fetch, rateLimit });
}
const fetch = async () => new Response(ARTICLE, { headers: { 'content-type': 'application/json' } });

async function costOf(work) {
  const begin = processorTime();
  await work();
  return ((processorTime() - begin) * 1_000) / CALLS;
}

async function afterRequests(count) {
  const client = connect(NO_LIMIT);
  const send = async (calls) => {
    for (let call = 0; call < calls; call++) await client.articles.get(42);
  };
  await send(count);
  return costOf(() => send(CALLS));
}

async function behindWaiting(count) {
  const client = connect(60);
  const controller = new AbortController();
  const { signal } = controller;
  const calls = [];
  const queue = async (more) => {
    for (let call = 0; call < more; call++) calls.push(client.articles.get(42, { signal }).catch(() => {}));
    // Until the last one stands in the queue.
    await new Promise(setImmediate);
  };
  await queue(count);
  const cost = await costOf(() => queue(CALLS));
  controller.abort();
  await Promise.all(calls);
  return cost;
}

const found = {};
for (const [name, measure] of Object.entries({ sent: afterRequests, waiting: behindWaiting })) {
  await measure(1_000); // warm
  const samples = await interleave([1_000, many], rounds, measure);
  found[name] = [samples.get(1_000), samples.get(many)];
}
console.log(JSON.stringify(found));
