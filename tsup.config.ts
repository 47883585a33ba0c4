import { readFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';

const EAGER = 'const encoder = new TextEncoder();';

/**
 * ky makes a TextEncoder as soon as it is imported. jsdom, which Jest runs tests in, has none, so the import of the
 * package would fail there. Now ky makes it when a body is measured.
 */
const lazyEncoder: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'lazy-encoder',
  setup(build) {
    build.onLoad({ filter: /ky[\\/]distribution[\\/]utils[\\/]body\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      if (!code.includes(EAGER)) throw new Error(`${path} has changed: see lazyEncoder in tsup.config.ts`);
      return { contents: code.replace(EAGER, 'const encoder = { encode: (text) => new TextEncoder().encode(text) };') };
    });
  },
};

const shared: Options = {
  target: 'es2022',
  platform: 'neutral',
  sourcemap: true,
  treeshake: true,
  removeNodeProtocol: false,
  // Astro is the user's own. It exists only as an ES module, and so does our entry for it.
  external: [/^node:/, /^astro\//],
  esbuildPlugins: [lazyEncoder],
};

const entry = {
  index: 'src/index.ts',
  articles: 'src/articles.ts',
  node: 'src/node.ts',
  otel: 'src/otel/index.ts',
  proxy: 'src/proxy/index.ts',
  redis: 'src/redis/index.ts',
  site: 'src/site/index.ts',
  sql: 'src/sql/index.ts',
  'mock/index': 'src/mock/index.ts',
  'mock/server': 'src/mock/server.ts',
};

const esmEntry = { ...entry, astro: 'src/astro/index.ts' };

/** What users would have to install beside the package is compiled in. scripts/inline-types.mjs does the same for types. */
const compiledIn = ['ky', 'zod', 'leven'];

export default defineConfig([
  {
    ...shared,
    // The command shares the code of the entries. It is never imported, so it needs no types and no CommonJS.
    entry: { ...esmEntry, cli: 'src/cli/main.ts' },
    format: ['esm'],
    splitting: true,
    noExternal: [...compiledIn, 'citty', '@clack/prompts', '@bomb.sh/tab', 'fast-wrap-ansi', 'yaml', 'jsonc-parser'],
    dts: { entry: esmEntry },
  },
  {
    ...shared,
    entry,
    format: ['cjs'],
    splitting: true,
    noExternal: compiledIn,
    dts: { entry },
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
    // For pages without a bundler: each is one module with everything inside.
    entry: {
      'browser/multilocal-articles.min': 'src/articles.ts',
      'browser/multilocal-element.min': 'src/element/index.ts',
    },
    format: ['esm'],
    noExternal: [/.*/],
    splitting: false,
    minify: true,
    dts: false,
  },
]);
