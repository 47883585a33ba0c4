import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.js';

const cache = process.env.XDG_CACHE_HOME || tmpdir();

/** The `node_modules` of the runtimes that `npm run test:runtimes` has put on this machine, if it has. */
export function runtimes(): string | undefined {
  const folder = join(cache, 'multilocal-runtimes');
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .map((hash) => join(folder, hash, 'node_modules'))
    .find((modules) => existsSync(modules));
}

/**
 * A folder outside the repository with packages that only an example needs, from npm, kept for the next time. As with
 * the runtimes of scripts/runtimes.mjs, a folder is complete or not there.
 */
export async function installed(dependencies: Record<string, string>): Promise<string> {
  const wanted = JSON.stringify({ private: true, dependencies });
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const folder = join(cache, 'multilocal-examples', hash);
  if (existsSync(folder)) return folder;
  const draft = `${folder}-${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    await writeFile(join(draft, 'package.json'), wanted);
    const quiet = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
    const { code, output } = await run('npm', ['install', ...quiet], { cwd: draft });
    if (code !== 0) throw new Error(output);
    // Where another process was faster, its folder is as good.
    await rename(draft, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
