// better-sqlite3, in the cache of the tests. It is compiled there, so it is no dependency of the repository.
import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { installed } from '@multilocal/scripts/matrix';
import { root, run } from '@multilocal/test/examples/run';
import type Database from 'better-sqlite3';
import type { Reservation } from 'multilocal';
import { leaseBy } from '../../src/folder-lease.js';

export type Sqlite = Database;

/** Returns the constructor of databases. */
export async function loadBetterSqlite3(): Promise<typeof Database> {
  return requireFrom(await installBetterSqlite3());
}

/** Gives a folder what a TypeScript program with this package and SQLite imports. It runs with `--import tsx`. */
export async function linkPackages(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  const tsx = join(root, 'node_modules', 'tsx');
  const packages = { 'better-sqlite3': await installBetterSqlite3(), multilocal: root, tsx };
  for (const [name, target] of Object.entries(packages)) await symlink(target, join(modules, name), 'junction');
}

/** Returns the folder of the package. Of the processes that want it at once, one compiles it. */
async function installBetterSqlite3(): Promise<string> {
  const folder = dirname(await installed('sqlite'));
  let lease: Reservation | null = null;
  for (; !lease; lease = await leaseBy(join(folder, 'lease'))) await setTimeout(500);
  const timer = setInterval(() => void lease?.renew?.(), 5_000);
  try {
    await compile(folder);
  } finally {
    clearInterval(timer);
    await lease();
  }
  return join(folder, 'node_modules', 'better-sqlite3');
}

async function compile(folder: string): Promise<void> {
  try {
    new (requireFrom(folder))().close();
  } catch {
    // It was never compiled, or for another version of Node.
    const home = dirname(dirname(process.execPath));
    // npm would download the headers of this Node.
    const headers = existsSync(join(home, 'include', 'node', 'node.h')) ? { npm_config_nodedir: home } : {};
    // A third of the time: the tests have few rows.
    const env = { ...headers, CFLAGS: '-O0', CXXFLAGS: '-O0' };
    const { code, output } = await run('npm', ['rebuild', 'better-sqlite3'], { cwd: folder, env });
    if (code !== 0) throw new Error(output);
  }
}

const requireFrom = (folder: string): typeof Database => createRequire(join(folder, 'package.json'))('better-sqlite3');
