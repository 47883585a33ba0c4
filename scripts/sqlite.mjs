// Installs better-sqlite3 for tests, into a cache outside the repository. It is compiled there for a minute, so it is no
// dependency of the project. Version 13 needs Node 22.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findExecutable, install as installPackages } from './debian.mjs';

const DEPENDENCIES = { 'better-sqlite3': '12.11.1' };

/** Returns the constructor of databases. A cache folder is complete or absent. */
export function loadBetterSqlite3() {
  // A compiled module fits one version of Node.
  const wanted = JSON.stringify({ private: true, dependencies: DEPENDENCIES });
  const hash = createHash('sha256').update(`${wanted} ${process.versions.modules}`).digest('hex').slice(0, 12);
  const folder = join(process.env.XDG_CACHE_HOME || tmpdir(), 'multilocal-sqlite', hash);
  if (!existsSync(folder)) install(folder, wanted);
  return createRequire(join(folder, 'package.json'))('better-sqlite3');
}

function install(folder, wanted) {
  const draft = `${folder}-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, 'package.json'), wanted);
    ensureCompiler();
    const args = ['install', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', args, {
      cwd: draft,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: withHeaders(),
      shell: process.platform === 'win32',
    });
    // Another process may have been faster.
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** npm compiles the module if it finds no compiled one to download. */
function ensureCompiler() {
  if (process.platform !== 'linux') return;
  const missing = ['make', 'g++', 'python3'].filter((program) => !findExecutable([program]));
  if (missing.length > 0) installPackages(...missing);
}

/** The environment for npm, with the headers of this Node if they are installed. npm would download them. */
function withHeaders() {
  const folder = dirname(dirname(process.execPath));
  const isThere = existsSync(join(folder, 'include', 'node', 'node.h'));
  return isThere ? { ...process.env, npm_config_nodedir: folder } : process.env;
}
