// Pages load these files as they are, or through a bundler that keeps their syntax.
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { expect, it } from 'vitest';
import { root } from '../examples/run.js';

/** What no browser before 2023 reads. Safari before 16.4 lacks the first two. */
const supported = { 'regexp-lookbehind-assertions': false, 'class-static-blocks': false, 'regexp-set-notation': false };

async function bundle(file: string, options: BuildOptions): Promise<string> {
  const external = ['node:*', 'msw', 'zod', 'zod/*'];
  const entryPoints = [join(root, 'dist', file)];
  const shared = { bundle: true, write: false, format: 'esm', logLevel: 'error', charset: 'utf8' } as const;
  const { outputFiles } = await build({ ...shared, ...options, entryPoints, external, outdir: 'none' });
  return outputFiles?.map(({ text }) => text).join() ?? '';
}

it.each([
  ...['index.js', 'index.cjs', 'articles.js', 'articles.cjs', 'site.js', 'schemas.js', 'mock/index.js'],
  'browser/multilocal-articles.min.js',
  'browser/multilocal-element.min.js',
])('%s has no syntax that is beyond the browsers', async (file) => {
  const code = await bundle(file, { target: 'esnext' });
  expect(code === (await bundle(file, { target: 'es2022', supported }))).toBe(true);
  // A pattern in a string fails when the file is loaded.
  expect(code.match(/.{40}\(\?<[=!].{10}/g) ?? []).toEqual([]);
});
