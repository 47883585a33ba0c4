import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { launchOptions } from './scripts/services.mjs';

/** The folders of test/ that mirror src: quick tests, which need no build. `npm test` runs them. */
const UNIT = [
  'astro',
  'cli/plan',
  'plans',
  'core',
  'mock',
  'otel',
  'plans',
  'proxy',
  'resources',
  'schemas',
  'site',
  'spec',
  'sql',
  'stages',
  'sync',
  'types',
];
/** They drive the built package: its files, the examples, the code in the guides. */
const PACKAGE = ['cli', 'docs', 'examples', 'package', 'sites'];
/** Faults on real sockets, killed processes, random input, and simulated days. */
const SLOW = ['faults', 'fuzz'];

const inFolders = (names: readonly string[]) => names.map((name) => `test/${name}/**/*.test.ts`);
const inChromium = 'test/browser/**/*.chromium.test.ts';

/** Vitest leaves one processor free, which on a machine with two is half of them. */
const maxWorkers = availableParallelism();

/** A group of tests: `npx vitest run --project unit`. Groups run one after the other. */
function group(groupOrder: number, name: string, test: TestProjectInlineConfiguration['test']) {
  return { extends: true as const, test: { name, sequence: { groupOrder }, maxWorkers, ...test } };
}

export default defineConfig({
  // Found before the first test, or the page would be loaded a second time in the middle of one.
  optimizeDeps: { include: ['msw', 'msw/browser'] },
  test: {
    // A test that hangs fails after this. A busy machine makes tests slow, and slow tests may pass.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    retry: 0,
    pool: 'threads',
    // What a test prints is shown only if it fails.
    silent: 'passed-only',
    reporters: ['minimal'],
    projects: [
      group(0, 'unit', { include: inFolders(UNIT) }),
      group(1, 'package', {
        include: [...inFolders(PACKAGE), 'apps/*/test/*.test.ts'],
        exclude: ['test/**/fixtures', ...inFolders(UNIT)],
        pool: 'forks',
      }),
      group(2, 'slow', { include: inFolders(SLOW), pool: 'forks' }),
      // They start Redis and Postgres. scripts/services.mjs installs both.
      group(3, 'services', { include: ['test/services/**/*.test.ts'], fileParallelism: false, pool: 'forks' }),
      // Node drives Chromium.
      group(4, 'browser', { include: ['test/browser/**/*.test.ts'], exclude: [inChromium], pool: 'forks' }),
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
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: {
        'src/core/**': { branches: 95 },
        'src/stages/**': { branches: 95 },
        'src/sync/**': { branches: 95 },
      },
    },
  },
});
