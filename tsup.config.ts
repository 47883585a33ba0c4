import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const EAGER = 'const encoder = new TextEncoder();';

/**
 * ky makes a TextEncoder as soon as it is imported. jsdom, which Jest runs tests in, has none, so the import of the
 * package would fail there. Now ky makes it when a body is measured.
 */
const lazyEncoder: Plugin = {
  name: 'lazy-encoder',
  setup(build) {
    build.onLoad({ filter: /ky[\\/]distribution[\\/]utils[\\/]body\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      if (!code.includes(EAGER)) throw new Error(`${path} has changed: see lazyEncoder in tsup.config.ts`);
      return { contents: code.replace(EAGER, 'const encoder = { encode: (text) => new TextEncoder().encode(text) };') };
    });
  },
};

/** The command loads the mock of the library when it needs it, and holds none of its own. */
const mockOfLibrary: Plugin = {
  name: 'mock-of-library',
  setup(build) {
    build.onResolve({ filter: /^multilocal\/mock\/server$/ }, () => ({ path: './mock/server.js', external: true }));
  },
};

/** The SDK of MCP and what makes Markdown are files of their own, which no other command loads. */
const protocolApart: Plugin = {
  name: 'protocol-apart',
  setup(build) {
    build.onResolve({ filter: /[\\/]mcp[\\/]protocol\.js$/ }, () => ({ path: './mcp-protocol.js', external: true }));
    build.onResolve({ filter: /[\\/]to-markdown\.js$/ }, () => ({ path: './to-markdown.js', external: true }));
  },
};

/** The mock is CommonJS only: its two ES modules import `core.cjs`. Every runtime and bundler reads that, and Jest reads nothing else. */
const mockOnce: Plugin = {
  name: 'mock-once',
  setup(build) {
    build.onResolve({ filter: /^\.\/core\.js$/ }, ({ importer }) =>
      /[\\/]packages[\\/]mock[\\/]/.test(importer) ? { path: './core.cjs', external: true } : undefined,
    );
  },
};

/**
 * The zod of `multilocal/schemas` is that of the app. zod 3 has this name for it too, but not `zod/mini`. So an app with
 * zod 3 gets the error of `src/schemas.ts`, with the version that it needs, and not one of its module loader.
 */
export const zodOfApp: Plugin = {
  name: 'zod-of-app',
  setup(build) {
    build.onResolve({ filter: /^zod\/mini$/ }, () => ({ path: 'zod/v4-mini', external: true }));
  },
};

/**
 * Makes the file of the web component smaller. esbuild leaves its styles as they are, because they are a text. And no user
 * misspells a name, because the component itself calls the client.
 */
const smallComponent: Plugin = {
  name: 'small-component',
  setup(build) {
    build.onLoad({ filter: /core[\\/]nearest\.ts$/ }, () => ({ contents: 'export const nearest = () => undefined;' }));
    build.onLoad({ filter: /element[\\/]styles\.ts$/ }, async ({ path }) => {
      const [, styles] = /STYLES = `([^`]*)`/.exec(await readFile(path, 'utf8')) ?? [];
      if (!styles) throw new Error(`${path} has changed: see smallComponent in tsup.config.ts`);
      const { code } = await transform(styles, { loader: 'css', minify: true, charset: 'utf8' });
      return { contents: `export const STYLES = ${JSON.stringify(code)};` };
    });
  },
};

/** The folders of the packages that are compiled in. Of type-fest, scripts/inline-types.mjs copies types. */
const packages = new Set(['node_modules/type-fest']);

/** Writes the licence of every package that is compiled in. The last of the builds below knows all of them. */
const licences: Plugin = {
  name: 'licences',
  setup({ initialOptions, onEnd }) {
    onEnd(({ metafile }) => {
      for (const { inputs } of Object.values(metafile?.outputs ?? {})) {
        for (const path of Object.keys(inputs)) {
          const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
          if (folder) packages.add(folder);
        }
      }
      const intro =
        'The files of this folder contain code and types of these packages. Those with the same licence stand together, before its text.';
      const text = [intro, ...byLicence([...packages].sort())].join(LINE);
      writeFileSync(join(initialOptions.outdir ?? '', 'THIRD-PARTY-LICENSES.txt'), `${text}\n`);
    });
  },
};

/** The text of the licence, which must go with every copy. */
const MIT = readFileSync('LICENSE', 'utf8')
  .replace(/^[\s\S]*?(?=Permission is hereby granted)/, '')
  .trim();

const LINE = `\n\n${'-'.repeat(80)}\n\n`;

/** The packages with each licence, and its text once: most have that of MIT. */
function byLicence(folders: readonly string[]): string[] {
  const groups = new Map<string, { readonly names: string[]; readonly text: string }>();
  for (const folder of folders) {
    const whole = licenceOf(folder);
    const begin = whole.search(/Permission (?:is hereby granted|to use, copy)/);
    const text = begin < 0 ? '' : whole.slice(begin);
    const key = text.replaceAll(/[^a-z]+/gi, ' ') || folder;
    const group = groups.get(key) ?? { names: [], text };
    groups.set(key, group);
    group.names.push(whole.slice(0, begin < 0 ? undefined : begin).trim());
  }
  return [...groups.values()].map(({ names, text }) => `${names.join(LINE)}\n\n${text}`.trim());
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  // standardwebhooks names its licence and ships no file with it.
  if (!file && license === 'MIT') return `${name} ${version} (${license})\n\nCopyright (c) its authors\n\n${MIT}`;
  if (!file) throw new Error(`${name} ships no licence file: see licenceOf in tsup.config.ts`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const shared = {
  target: 'es2022',
  platform: 'neutral',
  treeshake: true,
  removeNodeProtocol: false,
  define: { MULTILOCAL_VERSION: JSON.stringify(version), MULTILOCAL_ZOD: JSON.stringify('own') },
  // Astro is the user's own. It exists only as an ES module, and so does our entry for it.
  external: [/^node:/, /^astro\//],
  esbuildPlugins: [lazyEncoder, licences],
  // The texts of the mock are French: escaped letters would take twice the room.
  esbuildOptions(options) {
    options.charset = 'utf8';
  },
} satisfies Options;

const entry = {
  index: 'src/index.ts',
  articles: 'src/articles.ts',
  limiter: 'packages/stores/src/limiter.ts',
  node: 'packages/stores/src/node.ts',
  otel: 'src/otel/index.ts',
  plans: 'packages/campaigns/src/index.ts',
  proxy: 'packages/sites/src/proxy/index.ts',
  redis: 'packages/stores/src/redis/index.ts',
  site: 'packages/sites/src/site/index.ts',
  sql: 'packages/stores/src/sql/index.ts',
  watch: 'packages/watch/src/index.ts',
  'mock/index': 'packages/mock/src/index.ts',
  'mock/server': 'packages/mock/src/server.ts',
};

const esmEntry = { ...entry, astro: 'packages/sites/src/astro/index.ts' };

/** What users would have to install beside the package is compiled in. scripts/inline-types.mjs does the same for types. */
const compiledIn = ['ky', 'zod'];

/** The entry whose zod belongs to the app. */
export const schemas = {
  ...shared,
  entry: { schemas: 'src/schemas.ts' },
  define: { ...shared.define, MULTILOCAL_ZOD: JSON.stringify('app') },
  external: [...shared.external, /^zod/],
  noExternal: ['zod/mini'],
  esbuildPlugins: [...shared.esbuildPlugins, zodOfApp],
} satisfies Options;

// scripts/build.mjs writes the types of CommonJS, which are the same.
/** For pages without a bundler: one module with everything inside. */
const page: Options = { ...shared, format: ['esm'], noExternal: [/.*/], splitting: false, minify: true };

export default defineConfig([
  {
    ...shared,
    entry: esmEntry,
    format: ['esm'],
    splitting: true,
    noExternal: compiledIn,
    esbuildPlugins: [...shared.esbuildPlugins, mockOnce],
    dts: { entry: esmEntry },
  },
  {
    ...shared,
    entry: { ...entry, 'mock/core': 'packages/mock/src/core.ts' },
    format: ['cjs'],
    splitting: true,
    noExternal: compiledIn,
  },
  { ...schemas, format: ['esm'], dts: true },
  { ...schemas, format: ['cjs'] },
  {
    ...shared,
    // The command is never imported, so it needs no types. Its first file is small and starts at once.
    entry: { cli: 'packages/cli/src/main.ts', program: 'packages/cli/src/program.ts' },
    external: [...shared.external, /^\.\/program\.js$/],
    format: ['esm'],
    splitting: false,
    noExternal: [
      ...compiledIn,
      'citty',
      '@clack/prompts',
      'fast-wrap-ansi',
      'yaml',
      'jsonc-parser',
      'papaparse',
      'standardwebhooks',
    ],
    esbuildPlugins: [...shared.esbuildPlugins, mockOfLibrary, protocolApart],
    // Without it, papaparse requires the streams of Node, which the command does not use.
    define: { ...shared.define, PAPA_BROWSER_CONTEXT: 'true' },
    minify: true,
  },
  {
    ...shared,
    entry: {
      'mcp-protocol': 'packages/cli/src/mcp/protocol.ts',
      'to-markdown': 'packages/cli/src/sync/to-markdown.ts',
    },
    platform: 'node',
    format: ['esm'],
    splitting: false,
    noExternal: [/^@modelcontextprotocol\//, /^zod/, /^(hast|mdast|unist)-util-/],
    minify: true,
  },
  { ...page, entry: { 'browser/multilocal-articles.min': 'src/articles.ts' } },
  {
    ...page,
    entry: { 'browser/multilocal-element.min': 'packages/sites/src/element/index.ts' },
    esbuildPlugins: [...shared.esbuildPlugins, smallComponent],
  },
]);
