import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RedisServer, startRedis } from '../../scripts/services.mjs';
import { ARTICLE } from '../support/fixtures.js';
import type { Plan } from './redis-child.js';

vi.setConfig({ testTimeout: 400_000 });

const CHILD = fileURLToPath(new URL('redis-child.ts', import.meta.url));
/** The clocks of the processes and of the script run so many times as fast, so that a minute takes 20 s. */
const PACE = 3;
const MINUTE = 60_000 / PACE;
const SECOND = 1_000 / PACE;

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
type Special = (id: number, index: number) => 'hang' | { retryAfter: number } | undefined;

/** A service that notes what comes in. */
async function startService(special: Special = () => undefined) {
  const arrivals: { id: number; at: number }[] = [];
  const service = createServer((request, response) => {
    const id = Number(request.url?.split('/').at(-1));
    const what = special(id, arrivals.push({ id, at: performance.now() }) - 1);
    if (what === 'hang') return;
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
    arrivals,
    ids: () => arrivals.map(({ id }) => id),
    /** Resolves when so many requests have come in. */
    async received(count: number): Promise<void> {
      while (arrivals.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    /** The most requests in any window of this length. */
    densest(length: number): number {
      const times = arrivals.map(({ at }) => at);
      return Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + length).length));
    },
  };
}

interface Report {
  outcomes: string[];
  evaluations: { take: number; settle: number };
}

/** Starts a process and collects what it says. */
function launch(plan: Partial<Plan> & Pick<Plan, 'ids' | 'service'>) {
  // A store that fails must not be hidden by what the process does on its own.
  const rateLimit = { onStoreError: 'throw', ...plan.rateLimit } as const;
  const full: Plan = { redis: redis.url, pace: PACE, ...plan, rateLimit };
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
    report: () => heard<Report>('outcomes'),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

const tell = (reports: Report[]) => reports.flatMap(({ outcomes }) => outcomes);

// On a busy machine, processes wake up late, which costs throughput. So the best of three runs counts.
it('4 processes with 50 calls each share 60 a minute, whatever their clocks say', { retry: 2 }, async () => {
  const hour = 3_600_000;
  const service = await startService();
  const processes = range(0, 4).map((place) =>
    launch({ service: service.url, ids: range(50 * place, 50), skew: (place - 2) * 5 * hour }),
  );
  const reports = await Promise.all(processes.map(({ report }) => report()));
  expect(tell(reports)).toEqual(Array(200).fill('ok'));
  expect(service.ids().sort((a, b) => a - b)).toEqual(range(0, 200));
  expect(service.densest(MINUTE)).toBe(60);
  const waited = processes.flatMap(({ lines }) => lines).filter((line) => 'type' in line).length;
  expect(waited).toBe(140);
  // 200 calls need three minutes. 1 % of them, in real time, is 3 % of the hastened ones.
  const [first, last] = [service.arrivals[0], service.arrivals.at(-1)];
  expect(((last?.at ?? 0) - (first?.at ?? 0)) / (3 * MINUTE)).toBeLessThan(1.03);
});

describe.concurrent('a process that is killed', () => {
  it('in flight frees its place one window after its timeout', async () => {
    const service = await startService((id) => (id === 1 ? 'hang' : undefined));
    const rateLimit = { perMinute: 1 };
    const lost = launch({ service: service.url, ids: [1], rateLimit, timeout: 6_000 });
    await service.received(1);
    await lost.kill();
    const other = launch({ service: service.url, ids: [2], rateLimit });
    expect(tell([await other.report()])).toEqual(['ok']);
    const [one, two] = service.arrivals;
    // It left before it arrived, so this is a lower bound with a margin for the way.
    expect((two?.at ?? 0) - (one?.at ?? 0)).toBeGreaterThan(6 * SECOND + MINUTE - 200);
  });

  it('in the queue frees its place 5 s after its turn', async () => {
    const own = await startRedis();
    closing.push(() => own.stop());
    const client = new Redis(own.url);
    closing.push(() => client.disconnect());
    const service = await startService();
    const plan = { service: service.url, redis: own.url, rateLimit: { perMinute: 1 } };
    const lost = launch({ ...plan, ids: [1, 2] });
    // The first call is over, and the second waits for its place.
    const names = async () => (await client.keys('*')).map((key) => key.split(':').at(-1));
    await expect.poll(names, { timeout: 100_000 }).toEqual(expect.arrayContaining(['done', 'queue']));
    await expect.poll(names, { timeout: 100_000 }).not.toContain('flight');
    await lost.kill();
    // Its turn would be now.
    await new Promise((resolve) => setTimeout(resolve, MINUTE + 6 * SECOND));
    const other = launch({ ...plan, ids: [3] });
    expect(tell([await other.report()])).toEqual(['ok']);
    expect(other.lines.filter((line) => 'type' in line)).toEqual([]);
    expect(service.ids()).toEqual([1, 3]);
  });
});

describe.concurrent('processes that share a key', () => {
  it('all wait while a 429 that one of them got lasts', async () => {
    const service = await startService((_, index) => (index === 0 ? { retryAfter: 30 } : undefined));
    // Its own: a call of another test that waits is held too.
    const own = await startRedis();
    closing.push(() => own.stop());
    const plan = { service: service.url, redis: own.url };
    const one = launch({ ...plan, ids: [1] });
    const client = new Redis(own.url);
    closing.push(() => client.disconnect());
    const isHeld = async () => {
      const states = await client.keys('*:state');
      return (await Promise.all(states.map((key) => client.hexists(key, 'held')))).includes(1);
    };
    await expect.poll(isHeld, { timeout: 100_000 }).toBe(true);
    const other = launch({ ...plan, ids: [2] });
    expect(tell(await Promise.all([one.report(), other.report()]))).toEqual(['ok', 'ok']);
    const [first, ...others] = service.arrivals;
    expect(others.map(({ id }) => id).sort()).toEqual([1, 2]);
    for (const { at } of others) expect(at - (first?.at ?? 0)).toBeGreaterThan(30 * SECOND - 100);
  });

  it('go on alone while Redis is dead, share again when it is back, and lose and double nothing', async () => {
    const own = await startRedis();
    closing.push(() => own.stop());
    const service = await startService();
    const rateLimit = { perMinute: 10, instances: 2, onStoreError: 'local' as const };
    const plan = { service: service.url, redis: own.url, rateLimit };
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
    expect(service.ids().sort((a, b) => a - b)).toEqual(range(0, 40));
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
    expect(service.arrivals).toEqual([]);
  });
});
