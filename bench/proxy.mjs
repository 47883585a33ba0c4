// What a proxy with a large copy costs: node --expose-gc bench/proxy.mjs prints the rows of RESULTS.md.
import { equal } from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { Client, memoryStore } from 'multilocal';
import { articlesProxy } from 'multilocal/proxy';
import { ARTICLE } from './data.mjs';

const ARTICLES = 20_000;
const ROUNDS = 40;
const DAY = Date.UTC(2026, 0, 1);
const ADDRESS = 'https://www.example.com/api/v2/articles';
const QUERIES = {
  'one article': '/42',
  'the newest 20, with their texts': '?order=newest',
  'the newest 12 of a category, without texts': '?order=newest&category=c3&limit=12&fields=id,title,slug',
  'the changes since a date': `?updated_since=${new Date(DAY + (ARTICLES - 10) * 1_000).toISOString()}`,
  'one article by its slug': '?slug=article-42',
  'related articles': '/42/related',
};

/** Rows of what was done, and its time or memory. */
export async function proxyRows() {
  const store = filledStore();
  const fetch = () => Promise.reject(new Error('The copy is fresh.'));
  const client = new Client({ baseUrl: 'https://api.multilocal.test', apiKey: 'bench', fetch });
  const proxy = articlesProxy({ client, store });
  const visit = async (query) => {
    const response = await proxy(new Request(ADDRESS + query));
    equal(response.status, 200);
    return response.text();
  };
  const before = inUse();
  const building = await timed(() => visit('/42'));
  const growth = (inUse() - before) / ARTICLES;
  const rows = [
    ['building the index', `${building.toFixed(0)} ms`],
    ['memory of the index, without the articles', `${growth.toFixed(0)} bytes an article`],
  ];
  for (const [what, query] of Object.entries(QUERIES)) {
    const samples = [];
    for (let round = 0; round < ROUNDS; round++) samples.push(await timed(() => visit(query)));
    rows.push([what, `${median(samples).toFixed(2)} ms`]);
  }
  return rows;
}

/** A store that a run has just brought up to date. */
function filledStore() {
  const store = memoryStore();
  for (let id = 1; id <= ARTICLES; id++) {
    const at = new Date(DAY + id * 1_000).toISOString();
    store.put({
      ...JSON.parse(ARTICLE),
      id,
      slug: `article-${id}`,
      category: `c${id % 10}`,
      bulle_id: `b${id % 100}`,
      published_at: at,
      updated_at: at,
    });
  }
  const now = new Date().toISOString();
  store.saveState({ refreshedAt: now, reconciledAt: now, version: 'bench' });
  return store;
}

function inUse() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function median(samples) {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const row of await proxyRows()) console.log(row.join(' | '));
}
