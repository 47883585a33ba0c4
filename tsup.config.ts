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
  // ky and zod/mini stand inside dist, so that users install no dependency (decisions/0004-bundling.md).
  noExternal: ['ky', /^zod/],
  external: [/^node:/],
});
