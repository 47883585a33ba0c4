// Installs what the other commands need, so that each of them works on a fresh machine: the dependencies where the
// lockfile asks for others than are there, the package for the examples, with --build the package itself where a source
// is newer than it, and with --chromium the browser of the browser tests.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './chromium.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'node_modules', '.lockfile-hash');

function run(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

function newest(path) {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const hash = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
  console.log('Installing dependencies …');
  run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
  writeFileSync(stamp, hash);
}

// Examples with a package.json of their own find the package only as `npm install` would put it beside them.
const link = join(root, 'examples', 'node_modules', 'multilocal');
if (!existsSync(join(link, 'package.json'))) {
  rmSync(link, { recursive: true, force: true });
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(root, link, 'junction');
}

if (process.argv.includes('--build')) {
  const sources = Math.max(...['src', 'tsup.config.ts', 'package.json'].map((name) => newest(join(root, name))));
  const built = join(root, 'dist', 'index.d.ts');
  if (!existsSync(built) || statSync(built).mtimeMs < sources) {
    console.log('Building the package …');
    run('npm', 'run', '--silent', 'build', '--', '--silent');
  }
}

if (process.argv.includes('--chromium')) ensureChromium();
