import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.js';

/**
 * A folder outside the repository with packages that only an example needs, from npm, kept for the next time. As with
 * the runtimes of scripts/runtimes.mjs, a folder is complete or not there.
 */
export async function installed(dependencies: Record<string, string>): Promise<string> {
  const wanted = JSON.stringify({ private: true, dependencies });
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const folder = join(process.env.XDG_CACHE_HOME || tmpdir(), 'multilocal-examples', hash);
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
