// What a release must pass, in a clean clone of HEAD with the dependencies of its lockfile: files that only this machine
// has cannot take part.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'multilocal-release-'));
const clone = join(folder, 'clone');

const steps = [
  ['git', 'clone', '--quiet', root, clone],
  ['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error'],
  // Builds, and has publint and attw look at the package.
  ['npm', 'run', 'check'],
  // The public surface is the one of etc/index.api.md. `npm run api` writes it.
  ['npx', 'api-extractor', 'run'],
  // The files and the licences of the tarball; the package works once it is installed.
  ['npx', 'vitest', 'run', '--project', 'package', 'test/package', 'test/release'],
  ['node', 'scripts/typescript-versions.mjs'],
];

try {
  if (git('status', '--porcelain')) console.log('! Changes that are not committed are not checked.');
  const failed = steps.find(([command, ...args], index) => {
    console.log(`\n> ${[command, ...args].join(' ')}`);
    const cwd = index === 0 ? root : clone;
    return spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' }).status !== 0;
  });
  console.log(failed ? `\n✗ ${failed.join(' ')}` : '\n✓ ready for a release');
  process.exitCode = failed ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function git(...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout;
}
