import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { interleave } from './statistics.mjs';

const pathOf = (name) => fileURLToPath(new URL(`workers/${name}.mjs`, import.meta.url));

/** What a file prints as JSON, run in a process of its own by the given Node. */
export async function run(node, file, args = [], flags = []) {
  const { stdout } = await promisify(execFile)(node, [...flags, file, ...args.map(String)]);
  return JSON.parse(stdout);
}

/** The same with a file of `workers/`. */
export const runWorker = (node, name, args, flags) => run(node, pathOf(name), args, flags);

/**
 * Starts a process of a file of `workers/` for each item, and again in each generation. The processes then measure their
 * rounds in turn, so that all of them meet the same disturbances, and none shares compiled code with another one.
 *
 * @template T
 * @param {string} node
 * @param {string} name
 * @param {readonly T[]} items
 * @param {(item: T) => string[]} argsOf
 * @param {{ generations: number, rounds: number }} times
 * @returns {Promise<Map<T, any[]>>} the samples of each item
 */
export async function takeTurns(node, name, items, argsOf, { generations, rounds }) {
  const samples = new Map(items.map((item) => [item, []]));
  for (let generation = 0; generation < generations; generation++) {
    const children = items.map((item) => ({ item, ...startRounds(node, [pathOf(name), ...argsOf(item)]) }));
    try {
      for (const { next } of children) await next();
      const found = await interleave(children, rounds, async ({ child, next }) => {
        child.stdin.write('\n');
        return JSON.parse(await next());
      });
      for (const [{ item }, values] of found) samples.get(item).push(...values);
    } finally {
      for (const { child } of children) child.kill();
    }
  }
  return samples;
}

function startRounds(node, args) {
  const child = spawn(node, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${args.join(' ')} has ended.`);
    return value;
  };
  return { child, next };
}

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
