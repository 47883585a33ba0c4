import { defineConfig } from 'vitest/config';

/** Tests that measure time over real sockets: they run after the others, which would slow them down. */
const timed = ['test/faults/**/*.test.ts', 'test/fuzz/**/*.test.ts', 'test/load/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/fixtures', ...timed],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'timed', include: timed, fileParallelism: false, sequence: { groupOrder: 1 } },
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
