import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { build, type Plugin } from 'esbuild';
import { minify } from 'terser';
import { defineConfig } from 'tsup';

/** `x.browser.ts` stands in for `x.ts` where only browsers run: what they never tell needs no code. */
const browserFiles: Plugin = {
  name: 'browser files',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.js$/ }, async ({ path, resolveDir }) => {
      const file = new URL(path.replace(/\.js$/, '.browser.ts'), `file://${resolveDir}/`).pathname;
      return existsSync(file) ? { path: file } : undefined;
    });
  },
};

/** Names of properties that never leave the package, nor go to the service: shortened in the build for browsers. */
const internal = [
  ...['accepted', 'plain', 'nullable', 'anyOf', 'optional', 'strict', 'rules', 'required', 'items', 'fields', 'enum'],
  ...['dryRun', 'idempotent', 'slow', 'trace', 'target', 'targetRequired', 'confidential', 'alwaysAsked', 'permission'],
  ...['params', 'query', 'request', 'filled', 'prepare', 'preflight', 'identity', 'knownTexts', 'config', 'redactor'],
  ...['root', 'json', 'truncated', 'isIdle', 'admit', 'limits', 'holdBack', 'repeated', 'onWait', 'refuse', 'end'],
  ...['onAttempt', 'context', 'look', 'what', 'first', 'mask', 'beginning'],
];

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    articles: 'src/articles.ts',
    node: 'src/node.ts',
    proxy: 'src/proxy/index.ts',
    'mock/index': 'src/mock/index.ts',
    'mock/server': 'src/mock/server.ts',
  },
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  dts: true,
  sourcemap: true,
  treeshake: true,
  splitting: true,
  clean: true,
  removeNodeProtocol: false,
  external: [/^node:/],
  // One module with everything inside: what bundlers take for browsers, and pages without a bundler load as it is.
  async onSuccess() {
    const { outputFiles } = await build({
      entryPoints: { 'multilocal-articles.min': 'src/articles.ts' },
      outdir: 'dist/browser',
      write: false,
      plugins: [browserFiles],
      mangleProps: new RegExp(`^(${internal.join('|')})$`),
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      sourcemap: 'external',
    });
    const [map = '', code = ''] = outputFiles.map(({ text }) => text);
    // What it finds to shorten stays short in the bundle of a page, whichever minifier that takes. Functions that are used
    // once stay functions: put in place, they are longer once esbuild has been over them.
    const shorter = await minify(code, {
      module: true,
      ecma: 2022,
      compress: { passes: 2, hoist_funs: true, pure_getters: true, reduce_funcs: false },
      sourceMap: { content: map, url: 'multilocal-articles.min.js.map' },
    });
    await mkdir('dist/browser', { recursive: true });
    await writeFile('dist/browser/multilocal-articles.min.js', String(shorter.code));
    await writeFile('dist/browser/multilocal-articles.min.js.map', String(shorter.map));
  },
});
