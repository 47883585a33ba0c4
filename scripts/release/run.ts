import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the command printed; what it printed is also the message if it fails. */
export function run(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${stdout}${stderr}`.trim() || `${command} ended with ${status}`);
  return stdout;
}

/** A development dependency, in the root of the package. */
export function tool(name: string, ...args: string[]): string {
  return run(root, join(root, 'node_modules', '.bin', name), ...args);
}
