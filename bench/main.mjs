// npm run bench: what this package costs beside raw `fetch`, the same libraries by hand, and a generated client. Writes RESULTS.md.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import { ARTICLE, pageOf } from './data.mjs';
import { bundleSize, ENTRIES } from './sizes.mjs';

const OPENAPI = fileURLToPath(import.meta.resolve('multilocal/openapi.json'));
const CANDIDATES = [
  { name: 'raw', title: 'raw `fetch`' },
  { name: 'by-hand', title: 'by hand' },
  { name: 'hey-api', title: 'hey-api' },
  { name: 'multilocal', title: '**multilocal**, no limiter' },
  { name: 'multilocal', title: '**multilocal**', limiter: true },
];
const [RAW, BY_HAND, , UNLIMITED, LIMITED] = CANDIDATES;
const STARTS = 7;
const SYNCS = 5;
const ROUNDS = 9;
/** Each process lays its code out in memory in another way. */
const PROCESSES = 3;

const load = loadavg();
await step('generate and compile', prepare);
await step('make sure that each candidate works', () => inTurn(1, (candidate) => run(candidate, 'verify')));
const measured = [
  ['cold start: a script that lists 50 articles', 'ms', await step('cold start', coldStarts)],
  ...(await step('calls', () => served(ARTICLE, calls))),
  ['a sync of 20 000 articles', 'ms', await step('sync', () => inTurn(SYNCS, (candidate) => run(candidate, 'sync')))],
];
const growth = await step('memory of a sync', () => Promise.all(CANDIDATES.map((candidate) => run(candidate, 'heap'))));
const plans = await step('plans', () => rowsOf('plans.mjs'));
const proxy = await step('proxy', () => rowsOf('proxy.mjs'));
const results = await report();
console.log(`\n${results}`);
writeFileSync(pathOf('RESULTS.md'), results);

async function step(title, work) {
  const begin = performance.now();
  const found = await work();
  console.log(`${title}: ${((performance.now() - begin) / 1_000).toFixed(0)} s`);
  return found;
}

async function prepare() {
  await createClient({
    input: OPENAPI,
    output: pathOf('dist/hey-api'),
    plugins: [
      '@hey-api/client-fetch',
      '@hey-api/typescript',
      { name: 'zod', compatibilityVersion: 'mini' },
      { name: '@hey-api/sdk', validator: 'zod' },
    ],
    logs: { level: 'silent', file: false },
  });
  // Generated code is compiled into the program of its user. Packages stay where they are.
  await build({
    entryPoints: CANDIDATES.map(({ name }) => pathOf(`candidates/${name}.mjs`)),
    outdir: pathOf('dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    format: 'esm',
    target: 'es2022',
  });
}

function pathOf(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}

function argsOf({ name, limiter = false }, ...work) {
  return [pathOf(`dist/${name}.mjs`), String(limiter), ...work];
}

/** The number that a process of the candidate prints. */
async function run(candidate, ...work) {
  const args = ['--expose-gc', pathOf('worker.mjs'), ...argsOf(candidate, ...work)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

/** Takes a sample of each candidate in each round, in random order: what disturbs the machine disturbs all alike. */
async function inTurn(rounds, sample) {
  const samples = new Map(CANDIDATES.map((candidate) => [candidate, []]));
  for (let round = 0; round < rounds; round++) {
    const order = CANDIDATES.map((candidate) => ({ candidate, place: Math.random() }));
    for (const { candidate } of order.sort((a, b) => a.place - b.place)) {
      samples.get(candidate).push(await sample(candidate));
    }
  }
  return samples;
}

function coldStarts() {
  const page = pageOf(50, '1970-01-01T00:00:00Z');
  return served(page, (url) => inTurn(STARTS, (candidate) => run(candidate, 'start', url)));
}

/** Does some work beside a server on loopback that always sends the same body. */
async function served(body, work) {
  const bytes = Buffer.from(body);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    return await work(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.close();
  }
}

async function calls(url) {
  const rounds = new Map(CANDIDATES.map((candidate) => [candidate, []]));
  for (let generation = 0; generation < PROCESSES; generation++) {
    const workers = new Map(
      CANDIDATES.map((candidate) => [candidate, fork(pathOf('worker.mjs'), argsOf(candidate, 'calls', url))]),
    );
    try {
      await Promise.all([...workers.values()].map((worker) => once(worker, 'message')));
      const found = await inTurn(ROUNDS, async (candidate) => {
        workers.get(candidate).send('round');
        return (await once(workers.get(candidate), 'message'))[0];
      });
      for (const [candidate, samples] of found) rounds.get(candidate).push(...samples);
    } finally {
      for (const worker of workers.values()) worker.kill();
    }
  }
  const of = (read) => new Map([...rounds].map(([candidate, found]) => [candidate, found.map((round) => round[read])]));
  return [
    ['one article, 6 kB', 'µs', of('article')],
    ['a page of 100 posts, 117 kB', 'µs', of('posts')],
    ['one article through loopback, one at a time', 'µs', of('alone')],
    ['one article through loopback, 50 at a time', 'µs', of('abreast')],
  ];
}

/** The rows that a file prints in a process of its own, which can collect its garbage. */
async function rowsOf(file) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', pathOf(file)]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' | '));
}

/** The value below which that share of the samples lies. */
function quantile(samples, share) {
  return [...samples].sort((a, b) => a - b)[Math.round((samples.length - 1) * share)];
}

/** The median of the ratios of each round, with the quartiles. */
function ratio(samples, others) {
  const ratios = samples.map((sample, round) => sample / others[round]);
  const [lower, middle, upper] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(2));
  return `${middle} (${lower} – ${upper})`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column > 0 ? '---:' : '---'))), ...rows.map(line)].join('\n');
}

async function report() {
  const kilobytes = (bytes) => (bytes / 1_000).toFixed(1);
  const ratios = measured.map(([what, unit, samples]) => [
    what,
    `1 = ${quantile(samples.get(RAW), 0.5).toFixed(0)} ${unit}`,
    ...CANDIDATES.slice(1).map((candidate) => ratio(samples.get(candidate), samples.get(RAW))),
    ratio(samples.get(UNLIMITED), samples.get(BY_HAND)),
    ratio(samples.get(LIMITED), samples.get(UNLIMITED)),
  ]);
  const sizes = [];
  for (const { name, size } of ENTRIES) sizes.push([name, kilobytes(await size())]);
  for (const { name, title } of CANDIDATES.slice(0, 3)) {
    sizes.push([
      `${title}: articles and posts`,
      kilobytes(await bundleSize(`export * from './candidates/${name}.mjs'`)),
    ]);
  }
  const heap = CANDIDATES.map(({ title }, index) => [title, growth[index].toFixed(0)]);
  return `# Benchmark

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${cpus()[0].model.trim()}, ${availableParallelism()} cores, a load of ${load[0].toFixed(1)}
before the benchmark and ${loadavg()[0].toFixed(1)} at its end. Other work on the machine widens the quartiles.
\`docs/decisions/0014-figures.md\` has the targets, and the last figures of other clients.

- *By hand* is ky and zod/mini with the fields of our schemas. *hey-api* is the client that hey-api generates from our OpenAPI document,
  with zod/mini.
- Processor time of all threads, as ratios to raw \`fetch\` in the same round: the median, and the quartiles in parentheses.
- A stub takes the place of \`fetch\`, except in the cold start and through loopback, where a server of this machine answers. The
  time of the stub counts in calls, and not in the sync. Through loopback, the clock counts: a lower ratio is more throughput. Only ours has a sync. The others run a plain loop over \`updated_since\`.
  The first 5000 articles do not count.
- With the limiter, no call waits. Without it, ours still has its retries, typed errors, bounds and checks of parameters.

${table(['', ...CANDIDATES.map(({ title }) => title), 'no limiter ÷ by hand', 'limiter ÷ no limiter'], ratios)}

Growth of the heap in use by a sync:

${table(['', 'bytes an article'], heap)}

Plans, against the mock in the same process, with a journal in memory. Resuming: the second half, after a run that was stopped.

${table(['', 'ms', 'requests'], plans)}

A proxy with a copy of 20 000 articles of 6 kB, in memory. Queries: the median, by the clock, with the response read.

${table(['', ''], proxy)}

Bundles by esbuild, minified and gzipped:

${table(['', 'kB'], sizes)}
`;
}
