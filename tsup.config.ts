import { defineConfig, type Options } from 'tsup';

const shared: Options = {
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
  treeshake: true,
  removeNodeProtocol: false,
  external: [/^node:/],
};

export default defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      articles: 'src/articles.ts',
      node: 'src/node.ts',
      proxy: 'src/proxy/index.ts',
      redis: 'src/redis/index.ts',
      sql: 'src/sql/index.ts',
      'mock/index': 'src/mock/index.ts',
      'mock/server': 'src/mock/server.ts',
    },
    format: ['esm', 'cjs'],
    splitting: true,
    // What users would have to install beside the package is compiled in. scripts/inline-types.mjs does the same for types.
    noExternal: ['ky', 'zod', 'leven'],
    dts: true,
  },
  {
    ...shared,
    entry: { schemas: 'src/schemas.ts' },
    format: ['esm', 'cjs'],
    noExternal: ['leven'],
    // The app's own zod, so that the schemas compose with the app's.
    external: [...(shared.external ?? []), /^zod/],
    dts: true,
  },
  {
    ...shared,
    // For pages without a bundler: one module with everything inside.
    entry: { 'browser/multilocal-articles.min': 'src/articles.ts' },
    format: ['esm'],
    noExternal: [/.*/],
    splitting: false,
    minify: true,
    dts: false,
  },
]);
