// `npm test`: the unit tests of the client and of all packages. `npm test -w packages/mock`: those of one package.
// More arguments go to Vitest.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const shell = process.platform === 'win32';
const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell });
  if (status !== 0) process.exit(status ?? 1);
};
run(process.execPath, 'scripts/ready.mjs', '--no-build');
if (process.argv.length === 2)
  console.log('Running all unit tests: one to two minutes on two processors, longer on a busy machine.');
run(join('node_modules', '.bin', 'vitest'), 'run', '--project', 'unit', ...process.argv.slice(2));
