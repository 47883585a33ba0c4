import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MockServer } from 'multilocal/mock/server';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of an example. Examples import the package as users do: `dist` must be there. `npm run build` writes it. */
export const example = (name: string): string => join(root, 'examples', name);

export interface Run {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
}

/** What is in this environment and not in that of a user. With the last four, Astro builds a site as in development. */
const OWN = ['MULTILOCAL_API_KEY', 'MULTILOCAL_BASE_URL', 'DEV', 'PROD', 'MODE', 'VITEST'];
export const userEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN.includes(name)));

/** Run a command to its end. */
export function run(command: string, args: string[], { cwd, env = {} }: RunOptions): Promise<Run> {
  const shell = process.platform === 'win32' && command === 'npm';
  const child = spawn(command, args, { cwd, shell, env: { ...userEnvironment(), NO_COLOR: '1', ...env } });
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, output }));
  });
}

/** What an example reads from its environment. */
export function environmentOf({ url, api }: MockServer, key: string = api.keys.sphere): Record<string, string> {
  return { MULTILOCAL_API_KEY: key, MULTILOCAL_BASE_URL: url };
}
