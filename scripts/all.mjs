// `npm run test:all`. What keeps the processors busy runs beside what waits: the build beside the unit tests, which do not need
// it, and the checks beside the tests with processes and pages. The first that fails ends the others, so its output is the last.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vitest = join('node_modules', 'vitest', 'vitest.mjs');

/** All that run, or ran. */
const children = [];

// They download more than they compute.
await run(['scripts/ready.mjs', '--no-build'], ['scripts/matrix.mjs'], ['scripts/services.mjs']);
await run([vitest, 'run', '--project', 'unit', '--coverage'], ['scripts/ready.mjs']);
// docs/site/test builds the docs, which takes the docstrings from typedoc too.
await run([vitest, 'run', '--project', '!unit'], ['scripts/check.mjs', '--no-docstrings']);

/** Runs scripts at the same time. */
async function run(...scripts) {
  const started = scripts.map((args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }));
  children.push(...started);
  const ends = started.map(async (child, index) => {
    const [status] = await once(child, 'exit');
    if (status === 0) return;
    for (const other of children) other.kill();
    console.error(`${scripts[index].join(' ')} failed`);
    process.exit(1);
  });
  await Promise.all(ends);
}
