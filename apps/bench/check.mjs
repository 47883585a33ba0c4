// Compares the built package with its budgets: sizes, type instantiations, requests of a job. These are counts, so they
// are the same on every machine; `npm run bench` measures time.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { BUDGETS } from './budgets.mjs';
import { SIZE_WITH } from './bundle-size.mjs';
import { countRequests } from './request-counts.mjs';
import { typeCostOf } from './type-cost.mjs';

const bench = dirname(fileURLToPath(import.meta.url));
let exceeded = 0;

// A user's project: the package under its name, and the code that the benchmark takes for a user's.
const project = mkdtempSync(join(tmpdir(), 'multilocal-budgets-'));
try {
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(dirname(dirname(bench)), join(project, 'node_modules', 'multilocal'), 'junction');
  cpSync(join(bench, 'candidates', 'multilocal'), project, { recursive: true });

  compare('articles entry, gzip', await SIZE_WITH.esbuild(join(project, 'articles.ts')), BUDGETS.articles, ' bytes');
  compare('whole client, gzip', await SIZE_WITH.esbuild(join(project, 'whole.ts')), BUDGETS.whole, ' bytes');
  compare('site entry, gzip', await SIZE_WITH.esbuild(join(project, 'site.ts')), BUDGETS.site, ' bytes');
  compare('file of the web component, gzip', sizeOfFile('multilocal-element.min.js'), BUDGETS.element, ' bytes');
  const { instantiations } = typeCostOf(join(project, 'consumer.ts'));
  compare('type instantiations of a consumer', instantiations, BUDGETS.instantiations);
  for (const { job, requests, most } of await countRequests()) compare(`requests: ${job}`, requests, most);
} finally {
  rmSync(project, { recursive: true, force: true });
}
if (exceeded > 0) {
  console.error(`${exceeded} of the figures above are over budget. Make the code smaller. If the growth is worth it, raise the limit
in apps/bench/budgets.mjs and say why in decisions/0004-bundling.md.`);
  process.exitCode = 1;
}

function sizeOfFile(name) {
  return gzipSync(readFileSync(join(bench, '../../dist/browser', name)), { level: 9 }).length;
}

function compare(what, value, most, unit = '') {
  if (value > most) exceeded++;
  console.log(`${value > most ? '✗' : '✓'} ${what}: ${value}${unit} of at most ${most}${unit}`);
}
