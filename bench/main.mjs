// npm run bench: this package side by side with what people would use in its place, into bench/RESULTS.md.
// `-- --only calls,sizes` runs some figures and prints them; `-- --quick` tries the harness, its figures mean nothing.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare } from './prepare.mjs';
import { markdown, verdicts } from './report.mjs';

const FIGURES = ['calls', 'throughput', 'imports', 'types', 'sizes', 'sync', 'limiter', 'requests'];

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
try {
  for (const name of chosen) {
    const figure = await import(`./figures/${name}.mjs`);
    const begin = performance.now();
    const found = await figure.measure(workshop);
    console.log(`${figure.title} (${((performance.now() - begin) / 1_000).toFixed(0)} s)`);
    targets.push(...found.targets);
    sections.push([`## ${figure.title}`, figure.method, ...found.tables.map(markdown)].join('\n\n'));
  }
} finally {
  workshop.remove();
}

const machine = `${cpus()[0].model.trim()}, ${availableParallelism()} cores; ${workshop.nodes
  .map(({ version }) => `Node ${version}`)
  .join(' and ')}; ${new Date().toISOString().slice(0, 10)}.`;
const report = `# Benchmark

Written by \`npm run bench\`. ${machine} Other work on the machine: a load of ${load} when it
began. All candidates take their rounds in turn: compare ratios rather than times. Times are processor time of the measuring
process, all threads (what a clock shows on an idle machine), but for the throughput, which goes by the clock. \`rateLimit: false\` for ours in every figure of time, since the
default of 60 a minute would be all there is to see; nothing else differs from the defaults.

${markdown(verdicts(targets))}

${sections.join('\n\n')}
`;
console.log(`\n${report}`);
if (!values.only && !values.quick) writeFileSync(fileURLToPath(new URL('RESULTS.md', import.meta.url)), report);
