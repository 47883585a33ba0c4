import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The tables run first and the slow files last, since most mutants fail a test before them. */
const order = ['diff', 'french', 'keys', '', 'rehearse', 'run', 'limiter', 'secrets', 'schema', 'queue'];
const rank = ({ moduleId }: TestSpecification) => {
  const index = order.findIndex((name) => name !== '' && moduleId.endsWith(`/${name}.test.ts`));
  return moduleId.includes('/packages/cli/') ? order.length : index < 0 ? order.indexOf('') : index;
};

class FastFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

const CLIENT = ['test/{core,stages,sync}/**/*.test.ts', 'test/resources/{paging,requests}.test.ts'];
const PLANS = ['packages/plans/test/*.test.ts', 'packages/cli/test/plan/*.test.ts'];

/**
 * The tests that Stryker runs for each mutant, in one thread without isolation, without real sockets, large bodies and random input.
 * So the score is a lower bound: tests left out kill more mutants.
 */
export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    testTimeout: 120_000,
    isolate: false,
    maxWorkers: 1,
    pool: 'threads',
    setupFiles: ['test/support/fresh.ts', 'test/mutation/setup.ts'],
    sequence: { sequencer: FastFirst },
    include: process.env.MUTATION_OF === 'plans' ? PLANS : CLIENT,
    exclude: ['test/core/{fake-timers,hostile,transport}.test.ts', '**/guide.test.ts'],
  },
});
