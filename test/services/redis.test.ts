import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../../scripts/services.mjs';
import { redisStore } from '../../src/redis/index.js';
import { ARTICLE } from '../support/fixtures.js';
import type { Plan } from './redis-child.js';

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

/** The service: it counts what comes in. */
let service: Server;
let address: string;
let arrivals: { id: number; at: number }[];
/** What the service does with a request. `undefined`: it sends the article. */
let special: (id: number, index: number) => 'hang' | { retryAfter: number } | undefined;
beforeEach(async () => {
  arrivals = [];
  special = () => undefined;
  service = createServer((request, response) => {
    const id = Number(request.url?.split('/').at(-1));
    const what = special(id, arrivals.push({ id, at: performance.now() }) - 1);
    if (what === 'hang') return;
    const headers = { 'content-type': 'application/json', ...(what && { 'retry-after': String(what.retryAfter) }) };
    response.writeHead(what ? 429 : 200, headers).end(JSON.stringify(what ? { detail: 'Trop de requêtes.' } : ARTICLE));
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  service.closeAllConnections();
  service.close();
});

interface Report {
  outcomes: string[];
  evaluations: { take: number; settle: number };
}

/** Starts a process and collects what it says. */
function launch(plan: Partial<Plan> & Pick<Plan, 'ids'>) {
  const full: Plan = { library: 'ioredis', redis: redis.url, service: address, pace: PACE, rateLimit: {}, ...plan };
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, JSON.stringify(full)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  children.push(child);
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

/** Resolves when so many requests have come in. */
async function arrived(count: number): Promise<void> {
  while (arrivals.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** The most requests in any window of this length. */
function densest(length: number): number {
  const times = arrivals.map(({ at }) => at).sort((a, b) => a - b);
  return Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + length).length));
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

describe.each(['ioredis', 'redis'] as const)('4 processes with 50 calls each, with %s', (library) => {
  // On a busy machine, processes wake up late, which costs throughput. So the best of three runs counts.
  it('share 60 a minute, whatever their clocks say', { retry: 2, timeout: 400_000 }, async () => {
    const hour = 3_600_000;
    const processes = range(0, 4).map((place) =>
      launch({ library, ids: range(50 * place, 50), skew: (place - 2) * 5 * hour }),
    );
    const reports = await Promise.all(processes.map(({ report }) => report()));
    expect(reports.flatMap(({ outcomes }) => outcomes)).toEqual(Array(200).fill('ok'));
    expect(arrivals.map(({ id }) => id).sort((a, b) => a - b)).toEqual(range(0, 200));
    expect(densest(MINUTE)).toBe(60);
    const take = reports.reduce((sum, { evaluations }) => sum + evaluations.take, 0);
    const settle = reports.reduce((sum, { evaluations }) => sum + evaluations.settle, 0);
    const waited = processes.flatMap(({ lines }) => lines).filter((line) => 'type' in line).length;
    expect(waited).toBe(140);
    expect({ take, settle }).toEqual({ take: 200 + waited, settle: 200 });
    // 200 calls need three minutes.
    const [first, last] = [arrivals[0], arrivals.at(-1)];
    expect(((last?.at ?? 0) - (first?.at ?? 0)) / (3 * MINUTE)).toBeLessThan(1.01);
  });
});
