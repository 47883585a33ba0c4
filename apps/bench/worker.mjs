import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const pathOf = (name) => fileURLToPath(new URL(`workers/${name}.mjs`, import.meta.url));

/** What a file prints as JSON, run in a process of its own by the given Node. */
export async function run(node, file, args = [], flags = []) {
  const { stdout } = await promisify(execFile)(node, [...flags, file, ...args.map(String)]);
  return JSON.parse(stdout);
}

/** The same with a file of `workers/`. */
export const runWorker = (node, name, args, flags) => run(node, pathOf(name), args, flags);

/** The server of `workers/server.mjs`, as long as the work lasts. */
export async function withServer(work) {
  const child = spawn(process.execPath, [pathOf('server')], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [url] = await once(createInterface({ input: child.stdout }), 'line');
    return await work(url);
  } finally {
    child.kill();
  }
}
