import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BUDGETS } from '../budgets.mjs';
import { SIZE_WITH } from '../bundle-size.mjs';
import { CANDIDATES } from '../candidates.mjs';
import { byCandidate, judge } from '../report.mjs';

const ENTRIES = [
  { entry: 'articles', title: 'bundle, articles job', most: BUDGETS.articles },
  { entry: 'whole', title: 'bundle, whole client', most: BUDGETS.whole },
];
const BUNDLERS = Object.keys(SIZE_WITH);

export const title = 'Bundles';
export const method = `\`candidates/<name>/articles.ts\` (list, read and confirm articles) and \`whole.ts\` (every route), minified for
ES2022, gzip -9, kB of 1000 bytes. Ours holds in both what the others leave to the user: retries, the limiter, typed
errors, sync. Routes of openapi-fetch are types alone: it weighs the same however many are used.`;

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
      const value = sizes.get(`multilocal ${entry} ${bundler}`) / 1_000;
      return judge({ figure: title, node: bundler, value, unit: ' kB', most });
    }),
  );
  const tables = ENTRIES.map(({ entry, title }) =>
    byCandidate(title, BUNDLERS, (name) => {
      if (!sizes.has(`${name} ${entry} esbuild`)) return 'knows no routes';
      return BUNDLERS.map((bundler) => (sizes.get(`${name} ${entry} ${bundler}`) / 1_000).toFixed(2));
    }),
  );
  return { targets, tables };
}
