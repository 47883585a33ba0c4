// Makes a clone ready to run: installs the dependencies if one is missing, and builds the package if a source is newer
// than the build. `--no-build` is for what runs on the sources.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** What the build is made of. */
const SOURCES = [
  'src',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`),
  'packages/sites/templates',
  'packages/cli/skills',
  'scripts',
  'test/spec',
  'tsup.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];

/** How often a line says that a step still runs, in ms. */
const INTERVAL = 15_000;

if (!isInstalled())
  await run('Installing dependencies: a minute or two, longer on a busy machine', 'ci', '--loglevel=error');
if (!process.argv.includes('--no-build') && !isBuilt())
  await run('Building the package: about a minute', 'run', '--silent', 'build');

/** Compares what the lockfile asks for with the record that npm keeps of its last installation. */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(record);
  // Optional packages are those of other platforms too.
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      !path.includes('node_modules/') || optional || installed[path]?.version === version,
  );
}

function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}

/** The build gives the folder the time at which it started. */
function isBuilt() {
  const dist = join(root, 'dist');
  return existsSync(dist) && statSync(dist).mtimeMs >= Math.max(...SOURCES.map(newestIn));
}

/** When the file, or anything in the folder, last changed. A folder changes when a file is removed from it. */
function newestIn(path) {
  const stats = statSync(join(root, path));
  const children = stats.isDirectory() ? readdirSync(join(root, path)).filter((name) => name !== 'node_modules') : [];
  return Math.max(stats.mtimeMs, ...children.map((name) => newestIn(join(path, name))));
}

/** Says how long a step takes on two processors, that it still runs, and how long it took. */
async function run(step, ...args) {
  const started = performance.now();
  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`;
  console.log(`${step} …`);
  const timer = setInterval(() => console.log(`  still running (${seconds()})`), INTERVAL);
  const child = spawn('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  const [status] = await once(child, 'exit');
  clearInterval(timer);
  if (status !== 0) process.exit(status ?? 1);
  console.log(`  done (${seconds()})`);
}
