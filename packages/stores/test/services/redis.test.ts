import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type RedisServer, startRedis } from '@multilocal/scripts/services';
import { ARTICLE } from '@multilocal/test/support/fixtures';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Plan } from './redis-child.js';

vi.setConfig({ testTimeout: 400_000 });

const CHILD = fileURLToPath(new URL('redis-child.ts', import.meta.url));

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.stop());

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** A service that notes what comes in. */
async function startService() {
  const ids: number[] = [];
  const service = createServer((request, response) => {
    ids.push(Number(request.url?.split('/').at(-1)));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ARTICLE));
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  closing.push(() => {
    service.closeAllConnections();
    service.close();
  });
  return {
    url: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    ids,
    /** Resolves when so many requests have come in. */
    async received(count: number): Promise<void> {
      while (ids.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
    },
  };
}

/** Starts a process and collects what it says. */
function launch(plan: Partial<Plan> & Pick<Plan, 'ids' | 'service'>) {
  // A store that fails must not be hidden by what the process does on its own.
  const rateLimit = { onStoreError: 'throw', ...plan.rateLimit } as const;
  const full: Plan = { redis: redis.url, pace: 1, ...plan, rateLimit };
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, JSON.stringify(full)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  closing.push(() => child.kill('SIGKILL'));
  const lines: object[] = [];
  let told = () => {};
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line));
    told();
  });
  /** Resolves to the first line with this field. */
  async function heard<T>(field: string): Promise<T> {
    for (;;) {
      const line = lines.find((one) => field in one);
      if (line) return line as T;
      await new Promise<void>((resolve) => {
        told = resolve;
      });
    }
  }
  return { heard, report: () => heard<{ outcomes: string[] }>('outcomes') };
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

const tell = (reports: { outcomes: string[] }[]) => reports.flatMap(({ outcomes }) => outcomes);

const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

// The script and the client are tested with chosen clocks: redis-script.test.ts, and limiter/shared.test.ts of the core
// (a 429 of another process, a killed process, a store that fails).
describe('processes that share a key', () => {
  it('share 60 a minute, whatever their clocks say: the calls beyond are refused', async () => {
    const hour = 3_600_000;
    const service = await startService();
    const processes = range(0, 4).map((place) => {
      const rateLimit = { perMinute: 60, maxWait: 0 };
      return launch({
        service: service.url,
        ids: range(25 * place, 25),
        skew: (place - 2) * 5 * hour,
        rateLimit,
      });
    });
    const outcomes = tell(await Promise.all(processes.map(({ report }) => report())));
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(60);
    expect(outcomes.filter((outcome) => outcome.startsWith('rate_limit'))).toHaveLength(40);
    expect(new Set(service.ids).size).toBe(60);
    expect(service.ids).toHaveLength(60);
  });

  it('go on alone while Redis is dead, share again when it is back, and lose and double nothing', async () => {
    const service = await startService();
    const rateLimit = { perMinute: 10, instances: 2, onStoreError: 'local' as const };
    // A minute takes 3 s. The time limit of an attempt stays as it is.
    const plan = { service: service.url, rateLimit, pace: 20, timeout: 600_000 };
    const processes = [launch({ ...plan, ids: range(0, 20) }), launch({ ...plan, ids: range(20, 20) })];
    // Both are connected, and have calls that wait.
    await Promise.all(processes.map(({ heard }) => heard('type')));
    await service.received(10);
    await redis.kill();
    await Promise.all(processes.map(({ heard }) => heard('warning')));
    await service.received(15);
    await redis.restart();
    const reports = await Promise.all(processes.map(({ report }) => report()));
    expect(tell(reports)).toEqual(Array(40).fill('ok'));
    expect(ascending(service.ids)).toEqual(range(0, 40));
    // They use the new Redis.
    const client = new Redis(redis.url);
    expect(await client.exists(await client.keys('*'))).toBeGreaterThan(0);
    client.disconnect();
  });
});
