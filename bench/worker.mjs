// Runs one candidate in a process of its own: node worker.mjs <compiled candidate> <limiter?> <work> [base URL]
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const [file, limiter, work, baseUrl = 'https://api.multilocal.test'] = process.argv.slice(2);
const candidate = await import(pathToFileURL(file).href);
const realFetch = globalThis.fetch;
const job = candidate.connect({ baseUrl, apiKey: 'bench', limiter: limiter === 'true' });
// A start loads no more than a user's script.
const { ARTICLE, POSTS, pageOf } = work === 'start' ? {} : await import('./data.mjs');
await { start, verify, calls, sync, heap }[work]();

/** Milliseconds of processor time of this process, all threads. */
function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** A script that lists a page of articles. */
async function start() {
  const { articles } = await job.articles('1970-01-01T00:00:00Z');
  if (articles.length !== 50) throw new Error(`${articles.length} articles instead of 50`);
  process.once('exit', () => console.log(used()));
}

function respond(text, status = 200) {
  globalThis.fetch = async () => new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

/** Fails if the candidate does less than it is measured for. */
async function verify() {
  respond(ARTICLE);
  deepEqual(await job.article(42), JSON.parse(ARTICLE));
  respond(POSTS);
  deepEqual(await job.posts(), JSON.parse(POSTS));
  respond(ARTICLE, 404);
  await rejects(async () => job.article(42));
  respond(JSON.stringify({ ...JSON.parse(ARTICLE), created_at: 42 }));
  const validates = !file.endsWith('raw.mjs');
  if (validates) await rejects(async () => job.article(42));
  else equal((await job.article(42)).created_at, 42);
  await readAll(120);
  console.log('null');
}

/** Microseconds of an article and of a page of posts, and of an article from the server, measured once for each message. */
async function calls() {
  const costOf = async (read, text, count) => {
    respond(text);
    const begin = used();
    for (let call = 0; call < count; call++) await job[read](42);
    return ((used() - begin) * 1_000) / count;
  };
  const throughSocket = async (width) => {
    globalThis.fetch = realFetch;
    const begin = performance.now();
    let left = 200;
    const lane = async () => {
      while (left-- > 0) await job.article(42);
    };
    await Promise.all(Array.from({ length: width }, lane));
    return ((performance.now() - begin) * 1_000) / 200;
  };
  const round = async () => ({
    article: await costOf('article', ARTICLE, 200),
    posts: await costOf('posts', POSTS, 20),
    alone: await throughSocket(1),
    abreast: await throughSocket(50),
  });
  for (let turn = 0; turn < 6; turn++) await round();
  process.on('message', async () => process.send(await round()));
  process.send('ready');
}

/** Reads all articles of a service with so many, page after page. Returns the time that the service itself took. */
async function readAll(total, onPage = () => {}) {
  let service = 0;
  globalThis.fetch = async (input) => {
    const begin = used();
    const body = pageOf(total, new URL(input.url ?? input).searchParams.get('updated_since'));
    const response = new Response(body, { headers: { 'content-type': 'application/json' } });
    service += used() - begin;
    await onPage();
    return response;
  };
  let seen = 0;
  if (job.sync) {
    for await (const { type } of job.sync()) if (type === 'upsert') seen++;
  } else {
    // The loop of a program without a sync. It loses articles that share a timestamp.
    for (let since = '1970-01-01T00:00:00Z', left = 1; left > 0; ) {
      const { articles, total } = await job.articles(since);
      seen += articles.length;
      left = total - articles.length;
      since = articles.at(-1).updated_at;
    }
  }
  equal(seen, total);
  return service;
}

/** Milliseconds of 20 000 articles, without the service. */
async function sync() {
  await readAll(5_000);
  const begin = used();
  const service = await readAll(20_000);
  console.log(used() - begin - service);
}

/** How many bytes the heap in use grows by an article, from the most in a read of 5000 to the most in one of 20 000. */
async function heap() {
  const mostInUse = async (total) => {
    let [most, page] = [0, 0];
    await readAll(total, async () => {
      if (++page % 50 > 0) return;
      // What is referred to weakly stays until the next turn.
      await new Promise(setImmediate);
      globalThis.gc();
      most = Math.max(most, process.memoryUsage().heapUsed);
    });
    return most;
  };
  await mostInUse(5_000);
  const few = await mostInUse(5_000);
  console.log(((await mostInUse(20_000)) - few) / 15_000);
}
