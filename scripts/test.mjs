// `npm test`: the unit tests of the client and of all packages, without the long ones, which `npm run test:all` runs too.
// `npm test -w packages/mock`: those of one package, with the long ones. More arguments go to Vitest.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const shell = process.platform === 'win32';
const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell });
  if (status !== 0) process.exit(status ?? 1);
};
const chosen = process.argv.slice(2);
run(process.execPath, 'scripts/ready.mjs', '--no-build');
if (chosen.length === 0) {
  console.log('Running the unit tests: one to two minutes on two processors, longer on a busy machine.');
  chosen.push('--tags-filter=!long');
}
run(join('node_modules', '.bin', 'vitest'), 'run', '--project', 'unit', ...chosen);
