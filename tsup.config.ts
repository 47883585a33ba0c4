import { build } from 'esbuild';
import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    articles: 'src/articles.ts',
    node: 'src/node.ts',
    proxy: 'src/proxy.ts',
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
  // For pages without a bundler: one minified module with everything inside.
  async onSuccess() {
    await build({
      entryPoints: { 'multilocal-articles.min': 'src/articles.ts' },
      outdir: 'dist/browser',
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      sourcemap: true,
    });
  },
});
