import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** An entry as the bundler of a site makes one file of it: for browsers, with nothing left outside. */
export async function bundle(entry: string, options: BuildOptions = {}): Promise<{ code: string; metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return { code: outputFiles[0]?.text ?? '', metafile };
}

/** A built file that pages without a bundler take. */
export function readyFile(name: 'articles' | 'element'): string {
  return readFileSync(join(root, `dist/browser/multilocal-${name}.min.js`), 'utf8');
}
