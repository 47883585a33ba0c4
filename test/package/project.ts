import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Run, root, run } from '../examples/run.js';

/** What a user has: an empty project, and nothing in it but the package as it would be published. */
export async function projectWithTarball(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-project-'));
  writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
  await installTarball(folder);
  return folder;
}

/** Installs the package in a project, and sends nothing. */
export async function installTarball(folder: string): Promise<void> {
  const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await run('npm', ['install', ...quiet, inject('packed').filename], { cwd: folder });
  if (code !== 0) throw new Error(output);
}

/** Compiles what a `tsconfig.json` names. `compiler`: the folder of another TypeScript than version 7. */
export function compile(
  folder: string,
  config: object,
  compiler = join(root, 'node_modules', 'typescript-native'),
): Promise<Run> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return run(process.execPath, [join(compiler, 'bin', 'tsc'), '-p', folder], { cwd: folder });
}
