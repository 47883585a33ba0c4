// What a release must pass, in a clean clone of HEAD with the dependencies of its lockfile: files that only this machine
// has cannot take part.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

// npm derives `homepage` and `bugs` from this field, so the address stands in one place.
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
if (repository.url.includes('/OWNER/')) {
  console.error('✗ package.json: `repository` has the placeholder OWNER. Replace it with the owner of the repository.');
  process.exit(1);
}

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
