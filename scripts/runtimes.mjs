// Runs the smoke suite of test/runtimes on the packed package, in every runtime that the package is made for.
// The runtimes come from npm, into a cache outside the repository; `node scripts/runtimes.mjs bun node26` runs some.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const shell = process.platform === 'win32';
const exe = shell ? '.exe' : '';
/** Milliseconds for one runtime. */
const LONGEST_RUN = 120_000;
/** Milliseconds from the results to the end of the process. */
const LONGEST_END = 5_000;

const nodePackage = `npm:node-${shell ? 'win' : process.platform}-${process.arch}`;
const PACKAGES = {
  node22: `${nodePackage}@22.23.3`,
  node24: `${nodePackage}@24.21.0`,
  node26: `${nodePackage}@26.10.0`,
  bun: '1.4.5',
  deno: '2.9.6',
  workerd: '1.20261117.1',
};

/** How each is started on main.mjs; `knowsRefusal`: see smoke.mjs. */
const RUNTIMES = [
  { name: 'node', binary: () => process.execPath, args: ['main.mjs'], knowsRefusal: true },
  ...['node22', 'node24', 'node26'].map((name) => ({
    name,
    binary: () => join(modules(), name, 'bin', `node${exe}`),
    args: ['main.mjs'],
    knowsRefusal: true,
  })),
  { name: 'bun', binary: () => inScope('@oven', 'bin', `bun${exe}`), args: ['main.mjs'], knowsRefusal: true },
  {
    name: 'deno',
    binary: () => inScope('@deno', `deno${exe}`),
    // No permission but these: the client asks for nothing else.
    args: ['run', '--quiet', '--no-remote', '--no-lock', '--no-prompt', '--node-modules-dir=manual'].concat(
      '--allow-net=127.0.0.1,nothing.invalid',
      '--allow-read=.',
      '--allow-write=.',
      'main.mjs',
    ),
    knowsRefusal: false,
  },
  {
    name: 'workerd',
    binary: () => inScope('@cloudflare', 'bin', `workerd${exe}`),
    run: runWorker,
    knowsRefusal: false,
  },
];

const WORKER = `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "bundle.js")],
      compatibilityDate = "2026-01-01",
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

let cache;
const modules = () => join(cache, 'node_modules');

/** The package of this machine's platform, the only one that npm has installed of its scope. */
function inScope(scope, ...path) {
  const [name] = readdirSync(join(modules(), scope));
  return join(modules(), scope, name, ...path);
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !RUNTIMES.some((runtime) => runtime.name === name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${RUNTIMES.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

cache = installRuntimes();
const project = installPackage();
const rows = [];
try {
  for (const runtime of RUNTIMES) {
    if (chosen.length === 0 || chosen.includes(runtime.name)) rows.push(await smoke(runtime));
  }
} finally {
  rmSync(project, { recursive: true, force: true });
}
report(rows);

/** The runtimes, from the cache or from npm. A cache is complete or not there. */
function installRuntimes() {
  const base = process.env.XDG_CACHE_HOME || tmpdir();
  const wanted = JSON.stringify({ private: true, dependencies: PACKAGES });
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const folder = join(base, 'multilocal-runtimes', hash);
  if (existsSync(folder)) return folder;
  console.log(`Installing the runtimes into ${folder} …`);
  const draft = `${folder}-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, 'package.json'), wanted);
    // Their install scripts only fetch and link what the packages of the platforms hold anyway.
    npm(draft, 'install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error');
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

/** What a user has: an empty project with the package as it would be published, and here the suite beside it. */
function installPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-smoke-'));
  writeFileSync(join(folder, 'package.json'), '{"name":"smoke","private":true,"type":"module"}');
  const packed = JSON.parse(npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  const [{ filename }] = Object.values(packed);
  npm(
    folder,
    'install',
    '--offline',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    join(folder, filename),
  );
  cpSync(join(root, 'test', 'runtimes'), folder, { recursive: true });
  cpSync(join(root, 'test', 'support', 'certificates'), join(folder, 'certificates'), { recursive: true });
  return folder;
}

function npm(cwd, ...args) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], shell });
}

/** One runtime, with a service of its own. */
async function smoke({ name, binary, args, run = runMain, knowsRefusal }) {
  const row = { name, version: '?', results: [], seconds: 0 };
  const fail = (error) => row.results.push({ name: 'the run', ok: false, error: String(error?.message ?? error) });
  const servers = start(process.execPath, ['servers.mjs'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const begin = performance.now();
  try {
    const path = binary();
    row.version =
      /\d+(\.\d+)+|\d{4}-\d\d-\d\d/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[0] ?? '?';
    const world = { ...JSON.parse(await lineOf(servers.stdout)), knowsRefusal };
    row.results = await run({ path, args, world, fail });
  } catch (error) {
    fail(error);
  } finally {
    servers.kill();
  }
  row.seconds = (performance.now() - begin) / 1000;
  const failed = row.results.filter(({ ok }) => !ok).length;
  console.log(`${name} ${row.version}: ${failed > 0 ? `${failed} of ${row.results.length} failed` : 'passed'}`);
  return row;
}

async function runMain({ path, args, world }) {
  const child = start(path, [...args, JSON.stringify(world)], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const results = JSON.parse(await lineOf(child.stdout));
    const begin = performance.now();
    const end = await Promise.race([child.ended, delay(LONGEST_END)]);
    const milliseconds = Math.round(performance.now() - begin);
    const ok = end === 0;
    const error = end === undefined ? `still runs after ${milliseconds} ms` : `ended with ${end}`;
    results.push({ name: 'a process that used the client ends by itself', ok, ...(!ok && { error }) });
    return results;
  } finally {
    child.kill('SIGKILL');
  }
}

/** The suite as a Worker: no built-in of Node, no compatibility flag, no file. */
async function runWorker({ path, world }) {
  await build({
    entryPoints: [join(project, 'worker.mjs')],
    outfile: join(project, 'bundle.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['workerd', 'worker'],
    logLevel: 'warning',
  });
  writeFileSync(join(project, 'worker.capnp'), WORKER);
  const child = start(path, ['serve', 'worker.capnp', '--control-fd=3'], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  try {
    const { port } = JSON.parse(await lineOf(child.stdio[3]));
    const ask = async (route, milliseconds = LONGEST_RUN, leavesAfter = 0) => {
      const headers = { 'x-world': JSON.stringify(world), 'x-leaves-after': String(leavesAfter) };
      const signal = AbortSignal.timeout(milliseconds);
      const response = await fetch(`http://127.0.0.1:${port}/${route}`, { headers, signal });
      if (!response.ok) throw new Error(await response.text());
      return response.json();
    };
    const results = await ask('smoke');
    // Each visitor: when it comes, and when it leaves if it does not wait for its answer; all in ms.
    for (const [route, name, ...visitors] of [
      [
        'shared/429-once',
        'five requests at once share a client, and the first is told to wait',
        [0],
        [0],
        [0],
        [0],
        [0],
      ],
      ['shared/429-long', 'the last in the line of the limiter leaves', [0], [300], [400], [500, 300]],
      ['shared/429-long/2', 'the one leaves whose wait holds the others back', [0, 300], [200], [400]],
      ['proxy/slow', 'five visitors at once share one question of the proxy', [0], [0], [0], [0], [0]],
      ['proxy/slow-once', 'the visitor leaves whose question others share', [0, 250], [100], [150]],
    ]) {
      const settled = await Promise.allSettled(
        visitors.map(async ([at, stays]) => {
          await delay(at);
          return ask(route, 15_000, stays);
        }),
      );
      const told = settled.map(({ value, reason }) => value ?? reason?.message ?? reason);
      const ok = told.every((value, index) => value === (visitors[index][1] ? 'left' : 50));
      results.push({ name, ok, ...(!ok && { error: told.join(' | ') }) });
    }
    return results;
  } finally {
    child.kill('SIGKILL');
  }
}

/** A child in the project, without the environment that the client would read. */
function start(path, args, { stdio }) {
  const { MULTILOCAL_API_KEY: _key, MULTILOCAL_BASE_URL: _url, ...rest } = process.env;
  const env = { ...rest, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(cache, 'deno-cache') };
  const child = spawn(path, args, { cwd: project, stdio, env });
  child.ended = new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? signal));
    child.on('error', (error) => resolve(error.message));
  });
  return child;
}

/** The first line that is JSON. */
function lineOf(stream) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no result after ${LONGEST_RUN / 1000} s`)), LONGEST_RUN);
    const lines = createInterface({ input: stream });
    lines.on('line', (line) => {
      if (!/^[[{]/.test(line)) return void console.log(line);
      clearTimeout(timer);
      resolve(line);
    });
    lines.on('close', () => {
      clearTimeout(timer);
      reject(new Error('ended without a result'));
    });
  });
}

function delay(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function report(rows) {
  const cells = [['runtime', 'version', 'passed', 'failed', 'seconds']].concat(
    rows.map(({ name, version, results, seconds }) => {
      const passed = results.filter(({ ok }) => ok).length;
      return [name, version, String(passed), String(results.length - passed), seconds.toFixed(1)];
    }),
  );
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const align = (cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]));
  console.log(`\n${cells.map((row) => row.map(align).join('  ')).join('\n')}`);
  const lines = rows.flatMap(({ name, results }) =>
    results
      .filter(({ ok, note }) => !ok || note)
      .map((result) => `${name}: ${result.name}: ${result.error ?? result.note}`),
  );
  if (lines.length > 0) console.log(`\n${lines.join('\n')}`);
  if (rows.some(({ results }) => results.length === 0 || results.some(({ ok }) => !ok))) process.exitCode = 1;
}
