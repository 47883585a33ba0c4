// Runs the stores of limits of the guides: shared-limits.ts, and key-limiter.ts without its runtime.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeStore } from '@multilocal/test/support/store-contract';
import * as multilocal from 'multilocal';
import type { RateLimitStore, Usage } from 'multilocal/limiter';
import { createMockApi } from 'multilocal/mock';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
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

describe('at a time', () => {
  const START = Date.UTC(2026, 10, 25);
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
  const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

  describeStore('a file of SQLite', async () => {
    const processes = [await processOf(), await processOf()];
    // Each call comes from the other process.
    const next = () => processes.reverse()[0] as RateLimitStore;
    const store: RateLimitStore = {
      take: (key, request) => next().take(key, request),
      settle: (key, id, result) => next().settle(key, id, result),
      hold: (key, ms) => next().hold(key, ms),
      count: (key, lengths) => next().count?.(key, lengths) as Usage,
    };
    return { store, pass };
  });

  describeStore('a Durable Object', async () => {
    class DurableObject {
      constructor(readonly ctx: unknown) {}
    }
    const runtime = { DurableObject, waitUntil: () => {} };
    const code = blockOf('// key-limiter.ts', 'limits-in-workers.md');
    const { KeyLimiter, durableStore } = await exportsOf(code, {}, { 'cloudflare:workers': runtime });
    const disks = new Map<string, string>();
    // The runtime may end an object after each call, so each call starts it again.
    const getByName = (name: string) => {
      const ready: Promise<void>[] = [];
      const storage = {
        get: async () => JSON.parse(disks.get(name) ?? 'null') ?? undefined,
        put: (_: string, state: object) => void disks.set(name, JSON.stringify(state)),
      };
      const blockConcurrencyWhile = (work: () => Promise<void>) => ready.push(work());
      const object = new (KeyLimiter as new (ctx: object) => object)({ storage, blockConcurrencyWhile });
      return new Proxy(object, {
        get:
          (_, method) =>
          async (...values: unknown[]) => {
            await Promise.all(ready);
            return Reflect.get(object, method).apply(object, values);
          },
      });
    };
    return { store: (durableStore as (limiters: object) => RateLimitStore)({ getByName }), pass };
  });
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
