// One `--run` of a plan in a process of its own. It may kill itself before any of its steps: a step is a change of a file
// or one end of a request. Arguments: the address, the key, the plan, the number of the step, and how far earlier
// runs have moved the clocks on, in ms.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { journalOf } from '@multilocal/cli/plan/journals';
import { readPlan } from '@multilocal/cli/plan/plan-file';
import { Client } from 'multilocal';
import { fileJournal } from 'multilocal/node';
import type { Timer } from '../../src/clock.js';
import { rehearsePlan, runPlan } from '../../src/index.js';

const [, , baseUrl = '', apiKey = '', file = '', last = '0', ahead = '0'] = process.argv;

/** What a run tells its parent. */
export type Message =
  | { readonly wait: number }
  | {
      readonly steps: number;
      readonly state: string;
      readonly unresolved: readonly string[];
      readonly error?: string;
      readonly code?: string;
    };

let steps = 0;
function step(): void {
  if (++steps === Number(last)) process.kill(process.pid, 'SIGKILL');
}

function counted<Args extends unknown[], Result>(work: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    step();
    return work(...args);
  };
}

async function countSteps(): Promise<void> {
  const handle = await fs.open(process.execPath);
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  Object.assign(prototype, { writeFile: countedMethod(prototype.writeFile), sync: countedMethod(prototype.sync) });
  for (const name of ['open', 'rename', 'rm', 'link', 'writeFile'] as const)
    Object.assign(fs, { [name]: counted(fs[name] as (...args: unknown[]) => unknown) });
  syncBuiltinESMExports();
}

function countedMethod<Self, Args extends unknown[], Result>(work: (this: Self, ...args: Args) => Result) {
  return function (this: Self, ...args: Args): Result {
    step();
    return work.apply(this, args);
  };
}

/** Waits take no time: the parent moves the clock of the service instead. */
let skipped = Number(ahead);
const timer: Timer = {
  now: () => performance.now() + skipped,
  date: () => Date.now() + skipped,
  wait: async (ms) => {
    skipped += ms;
    await new Promise((resolve) => {
      process.once('message', resolve);
      process.send?.({ wait: ms } satisfies Message);
    });
  },
};

async function main(): Promise<Message> {
  const { plan } = await readPlan(file);
  await countSteps();
  const fetch: typeof globalThis.fetch = async (...args) => {
    step();
    const response = await globalThis.fetch(...args);
    step();
    // The server writes the real time there, which does not move on with the waits.
    const headers = new Headers(response.headers);
    headers.delete('date');
    return new Response(response.body, { status: response.status, headers });
  };
  // A slow machine is no fault of the service.
  const timeout = 2 ** 31 - 1;
  const client = await Client.connect({ baseUrl, apiKey, fetch, rateLimit: false, maxRetries: 0, timeout });
  const journal = fileJournal(await journalOf(file));
  const { actions } = await rehearsePlan(client, plan, { journal, timer, leftOver: 'prune' });
  const refused = actions.flatMap(({ problems }) => problems.map(({ message }) => message));
  if (refused.length > 0) throw new Error(`The gate is closed: ${refused.join(' ')}`);
  const { state, steps: all } = await runPlan(client, plan, { journal, timer, leftOver: 'prune' });
  const unresolved = all.filter(({ outcome }) => outcome === 'unknown').map(({ operation }) => operation);
  return { steps, state, unresolved };
}

const message = await main().catch(
  (error): Message => ({ steps, state: 'failed', unresolved: [], error: String(error), code: Object(error).code }),
);
process.send?.(message, () => process.exit());
