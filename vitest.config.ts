import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { launchOptions } from './scripts/chromium.mjs';

/** Tests that measure time over real sockets: they run after the others, which would slow them down. */
const timed = ['test/faults/**/*.test.ts', 'test/fuzz/**/*.test.ts', 'test/load/**/*.test.ts'];

/** Tests that run inside a page of Chromium; the others in test/browser run in Node. */
const inChromium = ['test/browser/**/*.chromium.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['test/**/*.test.ts', 'apps/*/test/*.test.ts'],
          exclude: ['test/**/fixtures', ...timed, ...inChromium],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'timed', include: timed, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        // Found before the first test, or the page would be loaded a second time in the middle of one.
        optimizeDeps: { include: ['msw', 'msw/browser'] },
        test: {
          name: 'browser',
          include: inChromium,
          globalSetup: 'test/browser/services.ts',
          sequence: { groupOrder: 2 },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: launchOptions() }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: {
        'src/core/**': { branches: 95 },
        'src/sync/**': { branches: 95 },
      },
    },
  },
});
