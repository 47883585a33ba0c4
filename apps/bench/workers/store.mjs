// A sync into a folder with `directoryStore`, by the clock and in processor time.
// node store.mjs <folder> full <temporary folder> <articles> <rounds>: milliseconds beside a raw loop of the same durability
// node store.mjs <folder> incremental <temporary folder> <rounds> <sizes …>: milliseconds of idle and small syncs
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'multilocal';
import { directoryStore } from 'multilocal/node';
import { interleave } from '../statistics.mjs';
import { connect } from './candidates.mjs';
import { articleOf, timestampOf } from './data.mjs';
import { byHand, servePages } from './pages.mjs';
import { processorTime } from './processor-time.mjs';

const [folder, mode, temporary, ...rest] = process.argv.slice(2);
const [first, ...more] = rest.map(Number);
const URL = 'https://api.multilocal.test';
const CHANGED = 10;
/** Syncs in a sample, so that a clock can measure them. */
const REPEATS = 5;

// The client calls the stub that is there at the time of the call.
const client = new Client({ baseUrl: URL, apiKey: 'bench', rateLimit: false, fetch: (...args) => fetch(...args) });

async function flush(path) {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}

/** Another name, flush, rename: what `directoryStore` does. */
async function write(file, value) {
  const draft = `${file}.${randomUUID()}.tmp`;
  const handle = await open(draft, 'wx');
  await handle.writeFile(`${JSON.stringify(value, null, 2)}\n`);
  await handle.sync();
  await handle.close();
  await rename(draft, file);
}

/** The plain loop. It writes the files of a page side by side, flushes the folder and saves a cursor. */
async function rawLoop(job, target) {
  await mkdir(target, { recursive: true });
  await byHand(job, async (articles) => {
    await Promise.all(articles.map((article) => write(join(target, `${article.id}.json`), article)));
    await flush(target);
    await write(join(target, 'cursor.json'), { cursor: articles.at(-1).updated_at });
  });
}

async function full(articles, rounds) {
  const raw = await connect(folder, 'raw', URL);
  const work = {
    raw: (target) => rawLoop(raw, target),
    ours: (target) => client.articles.syncTo(directoryStore(target)),
  };
  const run = async (name, total) => {
    const target = join(temporary, randomUUID());
    servePages(total);
    const begin = performance.now();
    await work[name](target);
    const time = performance.now() - begin;
    const files = readdirSync(target).length;
    if (files !== total + 1) throw new Error(`${name}: ${files} files instead of ${total + 1}`);
    rmSync(target, { recursive: true });
    return time;
  };
  for (const name of Object.keys(work)) await run(name, 500); // warm
  return Object.fromEntries(await interleave(Object.keys(work), rounds, (name) => run(name, articles)));
}

/** Files of so many articles, which an incremental sync does not read. */
function createStore(size) {
  const target = join(temporary, String(size));
  mkdirSync(target, { recursive: true });
  for (let index = 0; index < size; index++) {
    const { id, updated_at } = articleOf(index);
    writeFileSync(join(target, `${id}.json`), JSON.stringify({ id, updated_at }));
  }
  return target;
}

/** The first articles of the store have changed since its cursor, or none of them. */
function serveChanges(changed, size) {
  const articles = Array.from({ length: changed }, (_, index) => {
    return { ...articleOf(index), updated_at: timestampOf(size + index) };
  });
  const text = JSON.stringify({ articles, total: changed, limit: 50, offset: 0 });
  globalThis.fetch = async () => new Response(text, { headers: { 'content-type': 'application/json' } });
}

async function incremental(rounds, sizes) {
  const requests = new Set();
  const cases = sizes.flatMap((size) => {
    const target = createStore(size);
    return ['idle', 'small'].map((kind) => ({
      kind,
      size,
      target,
      changed: kind === 'idle' ? 0 : CHANGED,
      processor: [],
    }));
  });
  const sample = async ({ size, target, changed, processor }) => {
    serveChanges(changed, size);
    let [wall, used] = [0, 0];
    for (let turn = 0; turn < REPEATS; turn++) {
      writeFileSync(join(target, 'cursor.json'), JSON.stringify({ cursor: timestampOf(size - 1) }));
      const [begin, beginUsed] = [performance.now(), processorTime()];
      const result = await client.articles.syncTo(directoryStore(target));
      wall += performance.now() - begin;
      used += processorTime() - beginUsed;
      if (result.upserted !== changed) throw new Error(`${result.upserted} articles instead of ${changed}`);
      requests.add(result.requests);
    }
    processor.push(used / REPEATS);
    return wall / REPEATS;
  };
  await interleave(cases, Math.ceil(rounds / 2), sample); // warm
  for (const one of cases) one.processor.length = 0;
  const samples = await interleave(cases, rounds, sample);
  const found = [...samples].map(([{ kind, size, processor }, wall]) => ({ kind, size, wall, processor }));
  return { found, requests: [...requests] };
}

console.log(JSON.stringify(await (mode === 'full' ? full(first, ...more) : incremental(first, more))));
