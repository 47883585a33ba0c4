// Everything that the figures measure, laid out in a folder outside the repository: the packages of the candidates and
// the Nodes from npm, the clients generated from dist/openapi.json, and a copy of our own build.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { CANDIDATES, WITH_LIMITER } from './candidates.mjs';

const bench = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(bench));
const shell = process.platform === 'win32';

/** The Nodes that are measured: the oldest line that the package supports, and the later ones of long support. */
const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };
/** A candidate keeps its own files, and gets no generated ones. */
const SHARED = { recursive: true, force: false, filter: (path) => !path.endsWith('generated') };

/**
 * @typedef {object} Workshop
 * @property {string} folder where the candidates stand: `candidates/<name>/`, and `<name>.mjs`, their compiled job
 * @property {{ name: string, version: string, path: string }[]} nodes
 * @property {boolean} quick few rounds: to try the harness, not to measure
 */

/** @returns {Promise<Workshop & { remove(): void }>} */
export async function prepare({ quick }) {
  const cache = install();
  const nodes = Object.entries(NODES).map(([major, version]) => ({
    name: `Node ${major}`,
    version,
    path: nodeOf(cache, major, version),
  }));
  // Below the cache, where Node finds the candidates' packages; own to this run, so that a build does not change it.
  const folder = join(cache, 'runs', String(process.pid));
  cpSync(join(bench, 'candidates'), join(folder, 'candidates'), { recursive: true });
  cpSync(join(root, 'dist', 'openapi.json'), join(folder, 'candidates', 'openapi.json'));
  // What `import.mjs` imports is looked up from where it stands.
  cpSync(join(bench, 'workers'), join(folder, 'workers'), { recursive: true });
  const own = join(folder, 'node_modules', 'multilocal');
  mkdirSync(own, { recursive: true });
  for (const name of ['dist', 'package.json']) cpSync(join(root, name), join(own, name), { recursive: true });

  // Some generators run on no older one.
  const newest = nodes.at(-1).path;
  for (const { name, like, generate } of CANDIDATES) {
    if (!generate) continue;
    if (like) cpSync(join(folder, 'candidates', like), join(folder, 'candidates', name), SHARED);
    const [program, ...args] = generate;
    execFileSync(newest, [join(cache, 'node_modules', program), ...args], {
      cwd: join(folder, 'candidates', name),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  await build({
    entryPoints: Object.fromEntries(
      [...CANDIDATES, WITH_LIMITER].map(({ name }) => [name, join(folder, 'candidates', name, 'job.ts')]),
    ),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // A user's own code is compiled into one file here, and packages stay where they are.
    packages: 'external',
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  });
  return { folder, nodes, quick, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The folder with the packages, from the cache or from npm. A cache is complete or not there. */
function install() {
  const wanted = JSON.parse(readFileSync(join(bench, 'candidates', 'package.json'), 'utf8'));
  const platform = shell ? 'win' : process.platform;
  for (const [major, version] of Object.entries(NODES)) {
    if (version !== process.versions.node) {
      wanted.dependencies[`node${major}`] = `npm:node-${platform}-${process.arch}@${version}`;
    }
  }
  const text = JSON.stringify(wanted);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const folder = join(process.env.XDG_CACHE_HOME || tmpdir(), 'multilocal-bench', hash);
  if (existsSync(folder)) return folder;
  console.log(`Installing the candidates into ${folder} …`);
  const draft = `${folder}-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, 'package.json'), text);
    const args = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', args, { cwd: draft, stdio: ['ignore', 'ignore', 'inherit'], shell });
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

function nodeOf(cache, major, version) {
  if (version === process.versions.node) return process.execPath;
  return join(cache, 'node_modules', `node${major}`, 'bin', shell ? 'node.exe' : 'node');
}
