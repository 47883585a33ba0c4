// What knip cannot see: the entries (those of `paths` in tsconfig.json), and what is used by another way than an import.
import { entries } from './borders.mjs';

/** Files that a process, a compiler or a person starts. */
const STARTED = {
  '.': [
    'test/package/fixtures/*',
    'test/{types,schemas}/*.test-d.ts',
    'test/runtimes/*.mjs',
    'test/mutation/*',
    'test/support/call-path.ts',
    'scripts/inline-types.mjs',
    'scripts/docs-api/documents.ts',
  ],
  'packages/plans': ['test/*.test-d.ts'],
  'packages/watch': ['test/soak.ts'],
  'packages/cli': ['src/{main,program}.ts'],
  bench: ['{check,plans,proxy,worker}.mjs', 'consumer.ts', 'candidates/*.mjs'],
  'docs/site': ['.vitepress/{config,theme/index}.ts'],
};

const folders = new Set([...Object.keys(STARTED), ...entries.map(([folder]) => folder)]);
const workspaces = [...folders].map((folder) => [
  folder,
  { entry: [...entries.flatMap(([owner, file]) => (owner === folder ? [file] : [])), ...(STARTED[folder] ?? [])] },
]);

export default {
  ignoreExportsUsedInFile: true,
  ignoreBinaries: ['mount', 'umount', 'soffice'],
  ignore: ['packages/sites/{templates,test/built/fixtures}/**'],
  workspaces: {
    ...Object.fromEntries(workspaces),
    'examples/demo': { ignoreDependencies: ['@fontsource-variable/newsreader', '(@types/)?sanitize-html'] },
  },
  // The packages are not installed, dist imports the optional astro, and commands and compilers are no imports.
  ignoreDependencies: [
    '@multilocal/.+',
    'astro',
    'better-sqlite3',
    'cspell',
    'publint',
    'typescript-native',
    'vue',
    '@tanstack/react-query',
    '@types/react',
  ],
};
