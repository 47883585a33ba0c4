import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { configDefaults, defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
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

const sourceOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const inFolders = (folders: readonly string[]) => folders.map((folder) => `${folder}/**/*.test.ts`);
const inChromium = 'test/browser/**/*.chromium.test.ts';

/** Vitest leaves one processor free, which on a machine with two is half of them. */
const processors = availableParallelism();

/** A group of tests: `npx vitest run --project unit`. Those of one order run at the same time. */
function group(groupOrder: number, name: string, test: TestProjectInlineConfiguration['test']) {
  return { extends: true as const, test: { name, sequence: { groupOrder }, maxWorkers: processors, ...test } };
}

/** Runs before each file of tests that share a thread or a process. */
const shared = { isolate: false, setupFiles: ['test/support/fresh.ts'] };
/** Tests that wait for processes, pages and timers: two more of them at a time keep all processors busy. */
const waiting = { maxWorkers: processors + 2 };
const outside = (name: string, test: TestProjectInlineConfiguration['test']) =>
  group(1, name, { pool: 'forks', ...shared, ...waiting, ...test });

/** Files of more than 15 seconds. They are the first of their group, or the processors would wait for the last of them. */
const LONG =
  /\/(astro|ci|demo|element|frameworks|guide|init-site|load|morning|next|plan-kills|rehearse|runtimes|site|soak|stories|sync|tarball|watch)\.test\.ts$/;
/** One group after the other, since a process serves one only. The last one has the most short files. */
const GROUPS = ['browser', 'services', 'package', 'slow'];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId, project }: TestSpecification) =>
      2 * GROUPS.indexOf(project.name) + Number(!LONG.test(moduleId));
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Vitest keeps each transformed file for the next run, under its text. Where its imports lead depends on two more files. */
const imports: Plugin = {
  name: 'imports-in-cache-key',
  configureVitest({ experimental_defineCacheKeyGenerator }) {
    const texts = ['tsconfig.json', 'package.json'].map((name) => readFileSync(sourceOf(name), 'utf8')).join('');
    experimental_defineCacheKeyGenerator(() => texts);
  },
};

export default defineConfig({
  plugins: [imports],
  // `multilocal` is the sources for what tsconfig.json includes, and the built package for examples and the site.
  resolve: { tsconfigPaths: true },
  // Found before the first test, or the page would be loaded a second time in the middle of one.
  optimizeDeps: { include: ['msw', 'msw/browser'] },
  test: {
    // A test that hangs fails after this. A busy machine makes tests slow, and slow tests may pass: all of next.test took
    // 14 minutes on two cores with a load of 16.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 60_000 } },
    retry: 0,
    // `npm test` leaves them out.
    tags: [{ name: 'long', description: 'Unit tests with simulated days or kills, random input or much data' }],
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongFirst },
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
        ...shared,
        // What hangs here waits for a timer that is faked, and who changes a line waits for it.
        testTimeout: 300_000,
        // The templates of sites are outside tsconfig.json, and would get the built package.
        alias: [
          { find: /^multilocal$/, replacement: sourceOf('src/index.ts') },
          { find: /^multilocal\/site$/, replacement: sourceOf('packages/sites/src/site/index.ts') },
        ],
      }),
      outside('package', {
        include: [...inFolders(PACKAGE), 'docs/site/test/*.test.ts'],
        globalSetup: 'test/package/packed.ts',
      }),
      outside('slow', { include: inFolders(SLOW) }),
      outside('services', { include: inFolders(SERVICES) }),
      outside('browser', { include: inFolders(BROWSER), exclude: [inChromium] }),
      // The tests themselves run in a page of Chromium.
      group(1, 'chromium', {
        ...waiting,
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
      // It counts in the files below only. V8 slows every file down: 43 instead of 21 s of processor time.
      provider: 'istanbul',
      // Those that have a threshold.
      include: ['src/{core,stages,sync}/**/*.ts'],
      exclude: ['packages/**'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: {
        'src/core/**': { branches: 95 },
        'src/stages/**': { branches: 95 },
        'src/sync/**': { branches: 95 },
      },
    },
  },
});
