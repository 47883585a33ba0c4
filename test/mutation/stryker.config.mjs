// Mutation tests of src/core, src/stages and src/sync, or with MUTATION_OF=plans of packages/plans; CONTRIBUTING.md has the command.
// For one file, add `--mutate src/core/retry.ts`.
// A surviving mutant is not always a hole in the tests: some mutants change nothing that anybody can see.
const isOfPlans = process.env.MUTATION_OF === 'plans';

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  mutate: [isOfPlans ? 'packages/plans/src/**/*.ts' : 'src/{core,stages,sync}/**/*.ts'],
  coverageAnalysis: 'perTest',
  ignorePatterns: ['*', '!{src,packages,test,scripts,docs/guides}/**', '!{package,tsconfig}.json'],
  concurrency: 2,
  // Only a mutant that hangs may time out, and not a busy machine.
  timeoutMS: 30_000,
  timeoutFactor: 3,
  incremental: true,
  incrementalFile: `reports/mutation/${isOfPlans ? 'plans' : 'client'}.json`,
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
};
