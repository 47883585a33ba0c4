import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judge } from '../report.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export const title = 'The tests';
export const method = `\`npm test\` in a fresh clone of the last commit, installation included, by the clock: once, on this machine.`;

/** @returns {Promise<import('../report.mjs').Findings>} */
export async function measure({ quick }) {
  if (quick) return { targets: [], tables: [] };
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-tests-'));
  try {
    execFileSync('git', ['clone', '--quiet', root, folder]);
    const begin = performance.now();
    const { status, stdout } = spawnSync('npm', ['test'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`npm test failed in the clone:\n${stdout}`);
    const seconds = (performance.now() - begin) / 1_000;
    const figure = '`npm test` from a fresh clone';
    return { targets: [judge({ figure, node: '–', value: seconds, unit: ' s', digits: 0, most: 180 })], tables: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
