// The smoke suite of test/runtimes on the packed package, in every runtime that the package is made for. The runtimes
// come from npm, into a cache outside the repository. `npx vitest run test/package/runtimes -t bun` runs one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { bun, installed, node22, platformProgram } from '../../scripts/matrix.mjs';
import { root, userEnvironment } from '../examples/run.js';
import { bundle, startWorkerd } from '../examples/workerd.js';
import { projectWithTarball } from './project.js';

const DENO_ARGUMENTS = [
  'run',
  '--quiet',
  '--no-remote',
  '--no-lock',
  '--no-prompt',
  '--node-modules-dir=manual',
].concat(
  // No permission but these: the client asks for nothing else.
  ['--allow-net=127.0.0.1,nothing.invalid', '--allow-read=.', '--allow-write=.'],
);

type Stdio = 'ignore' | 'pipe' | 'inherit';

interface Result {
  name: string;
  ok: boolean;
  error?: string;
}

let modules: string;
let project: string;
beforeAll(async () => {
  modules = await installed('runtimes');
  project = await projectWithTarball();
  cpSync(join(root, 'test', 'runtimes'), project, { recursive: true });
  cpSync(join(root, 'test', 'support', 'certificates'), join(project, 'certificates'), { recursive: true });
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

// At the same time: most of the suite waits.
it.concurrent.for([
  ['node', () => process.execPath, []],
  ['node22', node22, []],
  ['node24', () => join(modules, 'node24', 'bin', 'node'), []],
  ['node26', () => join(modules, 'node26', 'bin', 'node'), []],
  ['bun', bun, []],
  ['deno', () => platformProgram('runtimes', '@deno', 'deno'), DENO_ARGUMENTS],
] as const)('%s', async ([name, binary, args], test) => {
  // `knowsRefusal`: see smoke.mjs.
  const world = JSON.stringify({ ...(await startService(test)), knowsRefusal: name !== 'deno' });
  const child = start(test, [await binary(), ...args, 'main.mjs', world], ['ignore', 'pipe', 'inherit']);
  const ended = once(child, 'exit');
  const results: Result[] = JSON.parse(await lineOf(child.stdout));
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
  expect(results.length).toBeGreaterThan(10);
  // A process that used the client ends by itself.
  expect(await Promise.race([ended, delay(20_000, 'still runs')])).toEqual([0, null]);
});

// The suite as a Worker: no built-in of Node, no compatibility flag, no file.
it('workerd', async (test) => {
  const world = JSON.stringify({ ...(await startService(test)), knowsRefusal: false });
  await bundle(join(project, 'bundle.js'), { entryPoints: [join(project, 'worker.mjs')] });
  const worker = 'modules = [(name = "worker", esModule = embed "bundle.js")]';
  const { urls } = await startWorkerd(project, { worker }, {});

  const ask = async (route: string, leavesAfter = 0): Promise<unknown> => {
    const headers = { 'x-world': world, 'x-leaves-after': String(leavesAfter) };
    const response = await fetch(`${urls.worker}/${route}`, { headers });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  expect(((await ask('smoke')) as Result[]).filter(({ ok }) => !ok)).toEqual([]);

  // Each visitor: when it comes, and when it leaves if it does not wait for its response; all in ms.
  const scenes: Record<string, [at: number, leaves?: number][]> = {
    // Five requests at once share a client, and the first is told to wait.
    'shared/429-once': [[0], [0], [0], [0], [0]],
    // The last one in the queue of the limiter leaves.
    'shared/429-long': [[0], [300], [400], [500, 300]],
    // The one leaves whose wait holds back the others.
    'shared/429-long/2': [[0, 300], [200], [400]],
    // Five visitors at once share the first run of the proxy.
    'proxy/slow': [[0], [0], [0], [0], [0]],
    // The visitor leaves whose visit began the run.
    'proxy/slow-once': [[0, 250], [100], [150]],
  };
  for (const [route, visitors] of Object.entries(scenes)) {
    const settled = await Promise.allSettled(visitors.map(async ([at, leaves]) => ask(route, await delay(at, leaves))));
    const told = settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)));
    expect(told, route).toEqual(visitors.map(([, leaves]) => (leaves ? 'left' : 50)));
  }
});

/** The service and its faults, in a Node of their own. Returns where they are. */
async function startService(test: TestContext): Promise<object> {
  const servers = start(test, [process.execPath, 'servers.mjs'], ['pipe', 'pipe', 'inherit']);
  return JSON.parse(await lineOf(servers.stdout));
}

/** A child in the project that ends with the test, without the environment that the client would read. */
function start({ onTestFinished }: TestContext, [path = '', ...args]: string[], stdio: readonly Stdio[]): ChildProcess {
  const env = {
    ...userEnvironment(),
    NO_COLOR: '1',
    MULTILOCAL_LOG: 'off',
    DENO_NO_UPDATE_CHECK: '1',
    DENO_DIR: join(project, 'deno-cache'),
  };
  const child = spawn(path, args, { cwd: project, stdio: [...stdio], env });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The first line that is JSON. */
async function lineOf(stream: ChildProcess['stdio'][number] | undefined): Promise<string> {
  for await (const line of createInterface({ input: stream as Readable })) if (/^[[{]/.test(line)) return line;
  throw new Error('The process ended without a result.');
}
