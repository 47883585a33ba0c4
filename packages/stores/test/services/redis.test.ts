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

/** What the service does with a request. `undefined`: it sends the article. */
type Special = (id: number, index: number) => { retryAfter: number } | 'never' | undefined;

/** A service that notes what comes in. */
async function startService(special: Special = () => undefined) {
  const ids: number[] = [];
  const service = createServer((request, response) => {
    const id = Number(request.url?.split('/').at(-1));
    const what = special(id, ids.push(id) - 1);
    if (what === 'never') return;
    const headers = { 'content-type': 'application/json', ...(what && { 'retry-after': String(what.retryAfter) }) };
    response.writeHead(what ? 429 : 200, headers).end(JSON.stringify(what ? { detail: 'Trop de requêtes.' } : ARTICLE));
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

/** A Redis that no other test uses. */
async function ownRedis(): Promise<RedisServer> {
  const own = await startRedis();
  closing.push(() => own.stop());
  return own;
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
  const exited = once(child, 'exit');
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
  return {
    lines,
    heard,
    report: () => heard<{ outcomes: string[] }>('outcomes'),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

const tell = (reports: { outcomes: string[] }[]) => reports.flatMap(({ outcomes }) => outcomes);

const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

// The script and the client are tested with chosen clocks: redis-script.test.ts, and limiter/shared.test.ts of the core.
describe.concurrent('processes that share a key', () => {
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

  it('send nothing while a 429 that one of them got lasts', async () => {
    const service = await startService((_, index) => (index === 0 ? { retryAfter: 59 } : undefined));
    // Its own: a call of another test that waits is held too.
    const own = await ownRedis();
    const plan = { service: service.url, redis: own.url };
    const first = launch({ ...plan, ids: [1], rateLimit: {} });
    const client = new Redis(own.url);
    closing.push(() => client.disconnect());
    const isHeld = async () => {
      const states = await client.keys('*:state');
      return (await Promise.all(states.map((key) => client.hexists(key, 'held')))).includes(1);
    };
    await expect.poll(isHeld, { timeout: 100_000 }).toBe(true);
    const other = launch({ ...plan, ids: [2], rateLimit: { maxWait: 0 } });
    expect(tell([await other.report()])).toEqual([expect.stringMatching(/^rate_limit: /)]);
    expect(service.ids).toEqual([1]);
    await first.kill();
  });

  it('free the place of a killed process one window after its time limit', async () => {
    // The first request gets no response. A minute takes 3 s.
    const service = await startService((_, index) => (index === 0 ? 'never' : undefined));
    const own = await ownRedis();
    const plan = { service: service.url, redis: own.url, pace: 20, timeout: 20_000 };
    const killed = launch({ ...plan, ids: [1], rateLimit: { perMinute: 1 } });
    await service.received(1);
    await killed.kill();
    const other = launch({ ...plan, ids: [2], rateLimit: { perMinute: 1, maxWait: 90_000 } });
    expect(tell([await other.report()])).toEqual(['ok']);
    expect(service.ids).toEqual([1, 2]);
  });

  it('go on alone while Redis is dead, share again when it is back, and lose and double nothing', async () => {
    const own = await ownRedis();
    const service = await startService();
    const rateLimit = { perMinute: 10, instances: 2, onStoreError: 'local' as const };
    // A minute takes 3 s. The time limit of an attempt stays as it is.
    const plan = { service: service.url, redis: own.url, rateLimit, pace: 20, timeout: 600_000 };
    const processes = [launch({ ...plan, ids: range(0, 20) }), launch({ ...plan, ids: range(20, 20) })];
    // Both are connected, and have calls that wait.
    await Promise.all(processes.map(({ heard }) => heard('type')));
    await service.received(10);
    await own.kill();
    await Promise.all(processes.map(({ heard }) => heard('warning')));
    await service.received(15);
    await own.restart();
    const reports = await Promise.all(processes.map(({ report }) => report()));
    expect(tell(reports)).toEqual(Array(40).fill('ok'));
    expect(ascending(service.ids)).toEqual(range(0, 40));
    // They use the new Redis.
    const client = new Redis(own.url);
    expect(await client.exists(await client.keys('*'))).toBeGreaterThan(0);
    client.disconnect();
  });

  it("fail with onStoreError 'throw' while Redis is dead, and send nothing", async () => {
    const own = await startRedis();
    await own.stop();
    const service = await startService();
    const plan = { service: service.url, redis: own.url, ids: [1] };
    const [outcome] = tell([await launch({ ...plan, rateLimit: { onStoreError: 'throw' } }).report()]);
    expect(outcome).toMatch(/^connection: articles.get: the rate limit store failed: .*No request was sent\./);
    expect(service.ids).toEqual([]);
  });
});
