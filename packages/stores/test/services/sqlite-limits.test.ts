// Runs shared-limits.ts of the guide: each load of it is a connection of its own, as in another process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as multilocal from 'multilocal';
import type { RateLimitStore } from 'multilocal/limiter';
import { createMockApi } from 'multilocal/mock';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { blockOf, exportsOf } from './guide.js';
import { linkPackages, loadBetterSqlite3, type Sqlite } from './sqlite.js';

const block = blockOf('// shared-limits.ts', 'many-processes.md');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'multilocal-limits-'));
  return () => rm(folder, { recursive: true, force: true });
});

/** What a process that loads the file gets. */
async function processOf(): Promise<RateLimitStore> {
  const Driver = await loadBetterSqlite3();
  const opened: Sqlite[] = [];
  class Database extends Driver {
    constructor(file?: string) {
      super(file);
      opened.push(this);
    }
  }
  onTestFinished(() => opened.forEach((db) => void db.close()));
  const modules = { multilocal, 'better-sqlite3': { __esModule: true, default: Database } };
  const { store } = await exportsOf(block, { LIMITS_FILE: join(folder, 'limits.db') }, modules);
  return store as RateLimitStore;
}

it('two processes share the limits of a key, and a third one that starts later knows them', async () => {
  const api = createMockApi();
  const client = async () => {
    const rateLimit = { store: await processOf(), perMinute: 3, maxWait: 0, onStoreError: 'throw' } as const;
    return new multilocal.Client({ apiKey: api.keys.sphere, baseUrl: api.baseUrl, fetch: api.handle, rateLimit });
  };
  const [one, other] = [await client(), await client()];
  const calls = [one, other, one, other, one, other].map((each) => each.bulles.list());
  const outcomes = (await Promise.allSettled(calls)).map(({ status }) => status);
  expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(3);
  const late = await client();
  expect((await late.budget()).minute).toEqual({ limit: 3, used: 3, left: 0 });
  await expect(late.bulles.list()).rejects.toMatchObject({ code: 'rate_limit', origin: 'preflight' });
  expect(api.requests).toHaveLength(3);
});

it('keys have books of their own, a place that is given back is free, and a hold concerns all processes', async () => {
  const [one, other] = [await processOf(), await processOf()];
  const request = (id: string) => ({ id, windows: [[60_000, 1]] as const, maxWait: 0, timeout: 30_000 });
  expect(await one.take('a', request('1'))).toEqual({ state: 'go', ms: 0 });
  expect(await other.take('a', request('2'))).toMatchObject({ state: 'refused' });
  expect(await other.take('b', request('3'))).toEqual({ state: 'go', ms: 0 });
  await one.settle('a', '1', 'unsent');
  expect(await other.count?.('a', [60_000])).toEqual({ used: [0], waiting: 0 });
  await one.hold('a', 50_000);
  expect(await other.take('a', request('4'))).toMatchObject({ state: 'refused' });
});

/** Takes places until none is left, and tells how many it has got. */
const RACER = `
  import { store } from './shared-limits.js';
  process.once('message', async () => {
    let got = 0;
    for (let number = 0; number < 30; number++) {
      const id = process.pid + '-' + number;
      const request = { id, windows: [[600_000, 20]], maxWait: 0, timeout: 600_000 };
      if (insist(() => store.take('key', request)).state !== 'go') continue;
      got++;
      insist(() => store.settle('key', id, 'done'));
    }
    process.send(got, () => process.exit());
  });
  // A busy machine may keep the lock for longer than a process waits.
  function insist(ask) {
    for (;;) {
      try {
        return ask();
      } catch (error) {
        if (!String(error.code).startsWith('SQLITE_BUSY')) throw error;
      }
    }
  }
  process.send('ready');
`;

it('processes that take places at the same time get no more than the limit', async () => {
  await writeFile(join(folder, 'shared-limits.ts'), block.code);
  await writeFile(join(folder, 'racer.ts'), RACER);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await linkPackages(folder);
  const racers = Array.from({ length: 3 }, () => {
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
    const racer: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'racer.ts'], {
      cwd: folder,
      stdio: [...stdio],
    });
    onTestFinished(() => void racer.kill('SIGKILL'));
    return racer;
  });
  await Promise.all(racers.map(told));
  const results = racers.map(told);
  for (const racer of racers) racer.send('go');
  const got = (await Promise.all(results)).map(Number);
  expect(got.reduce((sum, places) => sum + places)).toBe(20);
});

/** The next message of a process. */
async function told(child: ChildProcess): Promise<unknown> {
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => ['it has ended'])]);
  return message;
}
