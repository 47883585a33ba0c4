// Holds the built package to its budgets: sizes, cost of its types, requests of a job. Counts alone, which no noise of a
// machine can change; `npm run bench` measures time.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sizeOf } from '../bench/bundle-size.mjs';
import { countRequests } from '../bench/request-counts.mjs';
import { typeCostOf } from '../bench/type-cost.mjs';

/** kB (1000 bytes) gzipped, of either bundler; type instantiations over those of an empty file. Requests: see countRequests. */
const MOST = { articles: 11, whole: 21, instantiations: 5_000 };

const root = dirname(dirname(fileURLToPath(import.meta.url)));
let exceeded = 0;

function hold(what, value, most, unit = '') {
  const isKept = value <= most;
  if (!isKept) exceeded++;
  console.log(`${isKept ? '✓' : '✗'} ${what}: ${value}${unit} of at most ${most}${unit}`);
}

// A user's project: the package under its name, and the code that the benchmark takes for a user's.
const project = mkdtempSync(join(tmpdir(), 'multilocal-budgets-'));
try {
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(root, join(project, 'node_modules', 'multilocal'), 'junction');
  cpSync(join(root, 'bench', 'candidates', 'multilocal'), project, { recursive: true });

  for (const [entry, title] of Object.entries({ articles: 'articles entry', whole: 'whole client' })) {
    for (const [bundler, bytes] of Object.entries(await sizeOf(join(project, `${entry}.ts`)))) {
      hold(`${title}, ${bundler}, gzip`, Number((bytes / 1_000).toFixed(3)), MOST[entry], ' kB');
    }
  }
  hold(
    'type instantiations of a consumer',
    typeCostOf(join(project, 'consumer.ts')).instantiations,
    MOST.instantiations,
  );
  for (const { job, requests, most } of await countRequests()) {
    hold(`requests: ${job}`, requests, most);
  }
} finally {
  rmSync(project, { recursive: true, force: true });
}
if (exceeded > 0) {
  console.error(
    `Budgets are kept, not raised: make room. One exception: a new route may raise \`whole\` in scripts/budgets.mjs by
what it weighs by the heavier bundler (the size with it, less the size without it).`,
  );
}
process.exit(exceeded > 0 ? 1 : 0);
