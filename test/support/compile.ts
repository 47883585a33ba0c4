import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const tests = join(import.meta.dirname, '..');
/** TypeScript 7 checks in a fraction of the time of TypeScript 6, which has another `tsc`. */
const TSC = join(tests, '../node_modules/typescript-native/bin/tsc');

/** Returns what the compiler says of files in a folder of `test`, such as `calls.ts(5,1): error …`, with other options than ours. */
export function compile(files: Readonly<Record<string, string>>, compilerOptions: object): string[] {
  const folder = mkdtempSync(join(tests, '.compiled-'));
  try {
    const settings = { extends: '../../tsconfig.json', compilerOptions, files: Object.keys(files), include: [] };
    const all = { ...files, 'tsconfig.json': JSON.stringify(settings) };
    for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
    const { stdout, status } = spawnSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' });
    if (status !== 0 && stdout === '') throw new Error(`tsc ended with ${status}`);
    return stdout
      .replaceAll(/^\S*\.compiled-[^/]*\//gm, '')
      .split('\n')
      .filter(Boolean);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
