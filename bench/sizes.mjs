import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Bytes that a browser loads, minified and gzipped. `most` is the budget: for the two clients, figures that may fall and not rise, for the
 * others the last figure plus 100 bytes. A change that raises one adds a line to the table of docs/decisions/0004-bundling.md.
 */
export const ENTRIES = [
  { name: 'multilocal', size: () => bundleSize("export { Client } from 'multilocal'"), most: 61_440 },
  {
    name: 'multilocal/articles',
    size: () => bundleSize("export { ArticlesClient } from 'multilocal/articles'"),
    most: 30_900,
  },
  { name: 'multilocal/site', size: () => bundleSize("export * from 'multilocal/site'"), most: 4_150 },
  { name: 'the file of the web component', size: () => fileSize('multilocal-element.min.js'), most: 51_570 },
];

/** Bundles the code as a user's bundler does. Imports are resolved from this folder. */
export async function bundleSize(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    legalComments: 'none',
    logLevel: 'error',
  });
  return gzipped(outputFiles[0].contents);
}

const fileSize = (name) => gzipped(readFileSync(new URL(`../dist/browser/${name}`, import.meta.url)));
const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;
