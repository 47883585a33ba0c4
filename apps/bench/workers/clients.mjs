// Heap and time of so many clients in one process, each with a key of its own: after construction, and after one call
// each. node --expose-gc clients.mjs <clients>
import { Client } from 'multilocal';
import { ARTICLE } from './data.mjs';
import { processorTime } from './processor-time.mjs';

const count = Number(process.argv[2]);
const fetch = async () => new Response(ARTICLE, { headers: { 'content-type': 'application/json' } });
const connect = (index) => new Client({ apiKey: `bench-${index}`, baseUrl: 'https://api.test', fetch });

async function heap() {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

/** Microseconds and bytes for each client. */
async function costOf(work) {
  const heapBefore = await heap();
  const begin = processorTime();
  await work();
  const time = ((processorTime() - begin) * 1_000) / count;
  return { time, bytes: ((await heap()) - heapBefore) / count };
}

// What the first client and the first call load and compile is not the cost of each.
for (let index = 0; index < 100; index++) await connect(`warm-${index}`).articles.get(42);

const clients = [];
const created = await costOf(() => {
  for (let index = 0; index < count; index++) clients.push(connect(index));
});
const called = await costOf(async () => {
  for (const client of clients) await client.articles.get(42);
});
process.stdout.write(JSON.stringify({ created, called }));
