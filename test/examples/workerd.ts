import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BuildOptions, build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { root } from './run.js';

/** The workerd that wrangler installs. `undefined` if there is none for this platform. */
export const workerd = findWorkerd();

/** A folder that lasts as long as the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'multilocal-worker-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Bundles a Worker as wrangler does. */
export async function bundle(outfile: string, source: Pick<BuildOptions, 'entryPoints' | 'stdin'>): Promise<void> {
  await build({
    ...source,
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['workerd', 'worker'],
    external: ['cloudflare:*'],
  });
}

/** One run of workerd. */
export interface Workerd {
  /** The address of each Worker. */
  urls: Record<string, string>;
  /** Kills the process and waits for its end. */
  kill(): Promise<void>;
}

/**
 * Starts workerd with these Workers, each in an isolate of its own. They reach only this machine. A Worker is given by
 * the fields of its configuration, in which `disk` is a disk for its Durable Objects. The process ends with the test.
 */
export async function startWorkerd(
  folder: string,
  workers: Record<string, string>,
  env: Record<string, string>,
): Promise<Workerd> {
  await writeFile(join(folder, 'worker.capnp'), configOf(folder, workers));
  const child = spawn(workerd ?? '', ['serve', 'worker.capnp', '--control-fd=3'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const ended = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  const urls: Record<string, string> = {};
  // workerd writes a line for each socket.
  for await (const line of createInterface({ input: child.stdio[3] as NodeJS.ReadableStream })) {
    const { socket, port } = JSON.parse(line) as { socket: string; port: number };
    urls[socket] = `http://127.0.0.1:${port}`;
    if (Object.keys(urls).length === Object.keys(workers).length) return { urls, kill };
  }
  throw new Error('workerd ended');
}

function configOf(folder: string, workers: Record<string, string>): string {
  const services = Object.entries(workers).map(
    ([name, fields]) =>
      `(name = "${name}", worker = (compatibilityDate = "2026-01-01", globalOutbound = "loopback", ${fields})),`,
  );
  const sockets = Object.keys(workers).map(
    (name) => `(name = "${name}", address = "127.0.0.1:0", http = (), service = "${name}"),`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    ${services.join('\n    ')}
    (name = "loopback", network = (allow = ["local"])),
    (name = "disk", disk = (path = ${JSON.stringify(folder)}, writable = true)),
  ],
  sockets = [
    ${sockets.join('\n    ')}
  ],
);
`;
}

function findWorkerd(): string | undefined {
  const scope = join(root, 'node_modules', '@cloudflare');
  // npm installs only the package of this platform.
  return readdirSync(scope)
    .filter((name) => name.startsWith('workerd-'))
    .map((name) => join(scope, name, 'bin', 'workerd'))[0];
}
