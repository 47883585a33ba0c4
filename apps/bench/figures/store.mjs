import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { judge } from '../report.mjs';
import { median, quantile } from '../statistics.mjs';
import { runWorker } from '../worker.mjs';

const ARTICLES = 10_000;
const SIZES = [1_000, 10_000, 200_000];
const KINDS = { idle: 'nothing new', small: '10 changed articles' };
const FULL_HEAD = ['ms', 'quartiles', '× raw'];
const HEAD = ['articles in the store', 'ms by the clock', 'quartiles', 'ms of processor time'];

export const title = 'Sync into a folder';
export const method = `\`articles.syncTo(directoryStore(folder))\` on the disk of this machine, with the limiter off. A stub of \`fetch\` serves
articles of 6 kB, 50 a page.

- *A full sync* of ${ARTICLES} articles into an empty folder, by the clock, beside a raw loop with the same durability. The loop writes the files of a
  page side by side, each under another name, flushed and renamed. Then it flushes the folder and writes the cursor in the same way. Most
  of the time is the disk's, and other work on the disk disturbs it. One process for each Node, in which the two take turns. Ours requests
  205 pages and the loop 200.
- *An incremental sync*: one without news, and one with 10 changed articles, into folders with that many files. The folders are created without
  flushing, by the newest Node only. Each sample is the mean of 5 syncs, and the sizes take turns. Only the call of \`syncTo\` is
  timed. Processor time decides, because the clock also shows the flushes of 10 articles.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder, nodes, quick }) {
  const temporary = mkdtempSync(join(folder, 'store-'));
  try {
    const findings = [];
    for (const node of nodes) findings.push(await measureFull(node, folder, temporary, quick));
    findings.push(await measureIncremental(nodes.at(-1), folder, temporary, quick));
    return { targets: findings.flatMap(({ targets }) => targets), tables: findings.flatMap(({ tables }) => tables) };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function quartiles(samples, digits) {
  return `${quantile(samples, 0.25).toFixed(digits)} – ${quantile(samples, 0.75).toFixed(digits)}`;
}

async function measureFull({ name: node, path }, folder, temporary, quick) {
  const args = [folder, 'full', temporary, quick ? 500 : ARTICLES, quick ? 1 : 3];
  const { raw, ours } = await runWorker(path, 'store', args);
  const row = (name, samples) => {
    const ratio = median(samples) / median(raw);
    return [name, median(samples).toFixed(0), quartiles(samples, 0), ratio.toFixed(2)];
  };
  const value = median(ours) / median(raw);
  return {
    targets: [judge({ figure: 'full sync into a folder', node, value, unit: ' × raw', most: 1.3 })],
    tables: [
      {
        caption: `A full sync of ${ARTICLES} articles, ${node}`,
        head: ['', ...FULL_HEAD],
        rows: [row('a raw loop', raw), row('**multilocal**', ours)],
      },
    ],
  };
}

async function measureIncremental({ name: node, path }, folder, temporary, quick) {
  const sizes = quick ? SIZES.map((size) => size / 100) : SIZES;
  const args = [folder, 'incremental', temporary, quick ? 2 : 20, ...sizes];
  const { found, requests } = await runWorker(path, 'store', args);
  const timeOf = (kind, size) => median(found.find((one) => one.kind === kind && one.size === size).processor);
  const targets = Object.entries(KINDS).map(([kind, words]) => {
    const value = timeOf(kind, sizes.at(-1)) / timeOf(kind, sizes[0]);
    return judge({ figure: `sync with ${words}, 200 000 : 1000 articles`, node, value, unit: ' ×', most: 1.3 });
  });
  const figure = 'sync with nothing new or 10 changed articles: requests';
  targets.push(judge({ figure, node, value: Math.max(...requests), unit: '', digits: 0, most: 1 }));
  const rows = found.map(({ kind, size, wall, processor }) => [
    KINDS[kind],
    String(size),
    median(wall).toFixed(1),
    quartiles(wall, 1),
    median(processor).toFixed(1),
  ]);
  return { targets, tables: [{ caption: `An incremental sync, ${node}`, head: ['', ...HEAD], rows }] };
}
