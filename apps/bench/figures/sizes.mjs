import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf, PARTS } from '../bundle-parts.mjs';
import { SIZE_WITH } from '../bundle-size.mjs';
import { CANDIDATES } from '../candidates.mjs';
import { byCandidate, judge, peersOf } from '../report.mjs';

const ENTRIES = [
  { entry: 'articles', title: 'bundle, articles job', most: 26, source: 'articles.ts', name: 'ArticlesClient' },
  { entry: 'whole', title: 'bundle, whole client', most: 36, source: 'index.ts', name: 'Client' },
];
const BUNDLERS = Object.keys(SIZE_WITH);

export const title = 'Bundles';
export const method = `\`candidates/<name>/articles.ts\` (list, read and confirm articles) and \`whole.ts\` (every route), minified for ES2022, gzip -9,
kB of 1000 bytes. Ours holds in both what the others leave to the user: retries, the limiter, typed errors with French texts, checks of
parameters, sync. Routes of openapi-fetch are only types: it weighs the same however many are used.

The last tables divide our own bundles: a build of \`src/articles.ts\` and of \`src/index.ts\` by esbuild, and how many minified bytes of each part are in
it. A compressed bundle has no parts, so their kB after gzip are an estimate: the share of the minified bytes.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ folder }) {
  const sizes = new Map();
  for (const { name } of CANDIDATES) {
    for (const { entry } of ENTRIES) {
      const file = join(folder, 'candidates', name, `${entry}.ts`);
      if (!existsSync(file)) continue;
      for (const bundler of BUNDLERS) sizes.set(`${name} ${entry} ${bundler}`, await SIZE_WITH[bundler](file));
    }
  }
  const targets = ENTRIES.flatMap(({ entry, title, most }) =>
    BUNDLERS.map((bundler) => {
      const kilobytesOf = (name) => sizes.get(`${name} ${entry} ${bundler}`) / 1_000;
      const value = kilobytesOf('multilocal');
      return judge({ figure: title, node: bundler, value, unit: ' kB', digits: 1, most, peers: peersOf(kilobytesOf) });
    }),
  );
  const tables = ENTRIES.map(({ entry, title }) =>
    byCandidate(title, BUNDLERS, (name) => {
      if (!sizes.has(`${name} ${entry} esbuild`)) return 'the user writes each route';
      return BUNDLERS.map((bundler) => (sizes.get(`${name} ${entry} ${bundler}`) / 1_000).toFixed(2));
    }),
  );
  for (const { entry, title, source, name } of ENTRIES) {
    tables.push(partsOf(title, await bytesOf(source, name), sizes.get(`multilocal ${entry} esbuild`)));
  }
  return { targets, tables };
}

function partsOf(title, bytes, gzipped) {
  const sum = Object.values(bytes).reduce((total, part) => total + part, 0);
  const row = (what, part) => [
    what,
    (part / 1_000).toFixed(1),
    `${((100 * part) / sum).toFixed(0)} %`,
    ((gzipped * part) / sum / 1_000).toFixed(1),
  ];
  const rows = Object.keys(PARTS).map((what) => row(what, bytes[what]));
  const head = ['', 'minified, kB', 'share', 'after gzip, about kB'];
  return { caption: `What is in ours: ${title}`, head, rows: [...rows, row('all', sum)] };
}
