// Microseconds of processor time of a call after so many requests of the day, and of one more call behind so many that
// wait. node limiter-cost.mjs <rounds>, in the Node that is measured
import { Client } from 'multilocal';
import { interleave } from '../statistics.mjs';
import { ARTICLE } from './data.mjs';
import { processorTime } from './processor-time.mjs';

const rounds = Number(process.argv[2]);
const CALLS = 500;
const SENT = [100, 10_000, 100_000];
const WAITING = [1_000, 30_000];
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

async function clientAfter(requests) {
  const client = connect(NO_LIMIT);
  await send(client, requests);
  return client;
}

async function send(client, calls) {
  for (let call = 0; call < calls; call++) await client.articles.get(42);
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

const [FEWEST, ...MANY] = SENT;
const busy = new Map();
for (const count of MANY) busy.set(count, await clientAfter(count));
const afterRequests = async (count) => {
  // Each round adds requests. Among many they make no difference, so only the client of the fewest is a new one.
  const client = count === FEWEST ? await clientAfter(count) : busy.get(count);
  return costOf(() => send(client, CALLS));
};
const found = {};
for (const [name, counts, measure] of [
  ['sent', SENT, afterRequests],
  ['waiting', WAITING, behindWaiting],
]) {
  await measure(counts[0]); // warm
  found[name] = [...(await interleave(counts, rounds, measure))];
}
console.log(JSON.stringify(found));
