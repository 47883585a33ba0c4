// The checks of `npm run release:check`, which runs them in a clean clone: each step with its time, all of them even
// where one fails.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBundled } from './bundled.js';
import { readChangesets } from './changesets.js';
import { checkTypes, VERSIONS } from './consumers.js';
import { checkReproducible } from './reproducible.js';
import { root, tool } from './run.js';
import { checkTarball, pack } from './tarball.js';

const folder = mkdtempSync(join(tmpdir(), 'multilocal-packed-'));
let packed: string | undefined;
/** Packed once, and only when the build stands. */
function tarball(): string {
  packed ??= pack(folder);
  return packed;
}

const steps: readonly (readonly [name: string, check: () => void])[] = [
  ['build', () => tool('tsup', '--silent')],
  ['the same bytes when built elsewhere', () => checkReproducible(folder)],
  ['files and sizes of the tarball are those of etc/tarball.txt', checkTarball],
  ['publint', () => tool('publint', '--strict', tarball())],
  ['are the types wrong', () => tool('attw', tarball(), '--profile', 'node16', '--format', 'ascii')],
  ['public surface is that of etc/*.api.md', () => tool('tsx', 'scripts/release/api.ts', '--check')],
  ['licences of bundled code', () => checkBundled(folder)],
  ['changesets can be read', () => void readChangesets(join(root, '.changeset'))],
  ...VERSIONS.map((version) => [`types with TypeScript ${version}`, () => checkTypes(version, tarball())] as const),
];

try {
  for (const [name, check] of steps) {
    const started = performance.now();
    const fault = faultOf(check);
    console.log(`${fault === undefined ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    if (fault !== undefined) {
      process.exitCode = 1;
      console.error(fault.trimEnd());
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function faultOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
