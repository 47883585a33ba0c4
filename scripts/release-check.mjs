// What a release must stand, from a clean clone of HEAD and what its lockfile installs: nothing that only this machine
// has can take part. The checks themselves are scripts/release/check.ts, as that commit has them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'multilocal-release-'));
const clone = join(folder, 'clone');

if (run(root, 'pipe', 'git', 'status', '--porcelain').stdout) console.log('! What is not committed is not checked.');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.exitCode =
  step('clean clone of HEAD', root, 'git', 'clone', '--quiet', root, clone) &&
  step('npm ci', clone, 'npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error') &&
  run(clone, 'inherit', join(clone, 'node_modules', '.bin', 'tsx'), 'scripts/release/check.ts').status === 0
    ? 0
    : 1;

function step(name, cwd, command, ...args) {
  const started = performance.now();
  const { status, stdout, stderr } = run(cwd, 'pipe', command, ...args);
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (status !== 0) console.error(`${stdout}${stderr}`.trimEnd());
  return status === 0;
}

function run(cwd, stdio, command, ...args) {
  return spawnSync(command, args, { cwd, stdio, encoding: 'utf8', shell: process.platform === 'win32' });
}
