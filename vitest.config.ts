import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { Progress } from './scripts/progress.mjs';
import { launchOptions } from './scripts/services.mjs';

/** Where the tests of the client and of each package are. The folder of a test names its group. */
const TESTS = '{test,packages/*/test}';
/** They drive the built package: its files, the examples, the code in the guides. */
const PACKAGE = ['test/{docs,examples,package}', 'packages/*/test/built'];
/** Faults on real sockets, killed processes, random input, simulated days, and the slowest of the quick ones. */
const SLOW = ['test/{faults,fuzz}', `${TESTS}/slow`];
/** They start Redis and Postgres. scripts/services.mjs installs both. */
const SERVICES = [`${TESTS}/services`];
/** Node drives Chromium. */
const BROWSER = [`${TESTS}/browser`];

const inFolders = (folders: readonly string[]) => folders.map((folder) => `${folder}/**/*.test.ts`);
const inChromium = 'test/browser/**/*.chromium.test.ts';

/** Vitest leaves one processor free, which on a machine with two is half of them. */
const maxWorkers = availableParallelism();

/** A group of tests: `npx vitest run --project unit`. Groups run one after the other. */
function group(groupOrder: number, name: string, test: TestProjectInlineConfiguration['test']) {
  return { extends: true as const, test: { name, sequence: { groupOrder }, maxWorkers, ...test } };
}

export default defineConfig({
  // `multilocal` is the sources for what tsconfig.json includes, and the built package for examples and the site.
  resolve: { tsconfigPaths: true },
  // Found before the first test, or the page would be loaded a second time in the middle of one.
  optimizeDeps: { include: ['msw', 'msw/browser'] },
  test: {
    // A test that hangs fails after this. A busy machine makes tests slow, and slow tests may pass.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    retry: 0,
    pool: 'threads',
    // What a test prints is shown only if it fails.
    silent: 'passed-only',
    reporters: ['minimal', new Progress()],
    exclude: [...configDefaults.exclude, '**/fixtures/**', '**/templates/**'],
    projects: [
      // No build, no browser, no service.
      group(0, 'unit', {
        include: inFolders([TESTS]),
        exclude: inFolders([...PACKAGE, ...SLOW, ...SERVICES, ...BROWSER]),
      }),
      group(1, 'package', { include: [...inFolders(PACKAGE), 'docs/site/test/*.test.ts'], pool: 'forks' }),
      group(2, 'slow', { include: inFolders(SLOW), pool: 'forks' }),
      group(3, 'services', { include: inFolders(SERVICES), fileParallelism: false, pool: 'forks' }),
      group(4, 'browser', { include: inFolders(BROWSER), exclude: [inChromium], pool: 'forks' }),
      // The tests themselves run in a page of Chromium.
      group(5, 'chromium', {
        include: [inChromium],
        globalSetup: 'test/browser/services.ts',
        browser: {
          enabled: true,
          headless: true,
          screenshotFailures: false,
          provider: playwright({ launchOptions: launchOptions() }),
          instances: [{ browser: 'chromium' }],
        },
      }),
    ],
    coverage: {
      provider: 'v8',
      include: ['{src,packages/*/src}/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: {
        'src/core/**': { branches: 95 },
        'src/stages/**': { branches: 95 },
        'src/sync/**': { branches: 95 },
      },
    },
  },
});
