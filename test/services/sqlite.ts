// better-sqlite3, in the cache of the tests. It is compiled there for a minute, so it is no dependency of the repository.
// Version 13 needs Node 22.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { installed, run } from '../examples/run.js';

/** The part of better-sqlite3 that tests use. */
export interface Sqlite {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...params: unknown[]): Record<string, unknown>[]; safeIntegers(): void };
  close(): void;
}

/** Returns the constructor of databases. */
export async function loadBetterSqlite3(): Promise<new (file?: string) => Sqlite> {
  const folder = await installed({ 'better-sqlite3': '12.11.1' });
  const Database = createRequire(join(folder, 'package.json'))('better-sqlite3');
  try {
    new Database().close();
  } catch {
    // It was never compiled, or for another version of Node.
    const home = dirname(dirname(process.execPath));
    // npm would download the headers of this Node.
    const env = existsSync(join(home, 'include', 'node', 'node.h')) ? { npm_config_nodedir: home } : {};
    const { code, output } = await run('npm', ['rebuild', 'better-sqlite3'], { cwd: folder, env });
    if (code !== 0) throw new Error(output);
  }
  return Database;
}
