// npm run bench: this package side by side with what people would use in its place, into RESULTS.md, the table of
// README.md and the pictures of docs/images.
// `-- --only calls,sizes` runs some figures and prints them; `-- --quick` tries the harness, its figures mean nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { prepare } from './prepare.mjs';
import { markdown, verdicts, withQuotes } from './report.mjs';

const FIGURES = [
  'requests',
  'start',
  'sizes',
  'types',
  'calls',
  'throughput',
  'sync',
  'store',
  'limiter',
  'clients',
  'shared',
  'fleet',
  'tracing',
  'time',
  'tests',
];

const { values } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } } });
const chosen = values.only?.split(',') ?? FIGURES;
const unknown = chosen.filter((name) => !FIGURES.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${FIGURES.join(', ')}.`);
  process.exit(2);
}

const load = loadavg()[0].toFixed(1);
const workshop = await prepare(values);
const targets = [];
const sections = [];
const pictures = {};
try {
  for (const name of chosen) {
    const figure = await import(`./figures/${name}.mjs`);
    const begin = performance.now();
    const found = await figure.measure(workshop);
    console.log(`${figure.title} (${((performance.now() - begin) / 1_000).toFixed(0)} s)`);
    targets.push(...found.targets);
    Object.assign(pictures, found.pictures);
    sections.push([`## ${figure.title}`, figure.method, ...found.tables.map(markdown)].join('\n\n'));
  }
} finally {
  workshop.remove();
}

const versions = new Intl.ListFormat('en').format(workshop.nodes.map(({ version }) => `Node ${version}`));
const report = `# Benchmark

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpus()[0].model.trim()}, ${availableParallelism()} cores, a load of ${load} before it began, ${versions}.

- All candidates take their rounds in turn, in one process or one series of processes: compare ratios rather than times.
- Times are processor time of the process that is measured, all threads, unless a section says that they go by the clock.
  Other work on the machine changes processor time only little.
- A miss is bold, and \`decisions/0014-figures.md\` has the reasons. The last columns have the range of the generated
  clients, on all engines: hey-api with zod, zod/mini or valibot and orval with zod, which validate, and hey-api without a validator
  and openapi-fetch, which do not.
- A figure of several rounds is their median, and beside it the quartiles.
- The limiter of ours is off (\`rateLimit: false\`) where a figure does not say that it is on: at the default of 60 a minute
  there would be nothing to see but the wait.

${markdown(verdicts(targets))}

${sections.join('\n\n')}
`;
console.log(`\n${report}`);
if (!values.only && !values.quick) {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const files = { 'RESULTS.md': report, '../../README.md': withQuotes(readme, targets) };
  for (const [name, svg] of Object.entries(pictures)) files[`../../docs/images/${name}`] = svg;
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, import.meta.url), text);
}
