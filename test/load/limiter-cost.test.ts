import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AcquireOptions, type Limiter, limiterOf } from '../../src/core/limiter/local.js';
import { freshUrl } from '../support/clients.js';
import { KEY } from '../support/fixtures.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const MANY = 30_000;
/** Enough for the tests that cost more. */
const FEWER = 10_000;
const LIMITS = { perMinute: 60, perDay: 50_000, maxWait: 100 * DAY };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function acquire(limiter: Limiter, limits = LIMITS, signal = new AbortController().signal, isRetry = false) {
  const refuse = () => new Error('full');
  const options: AcquireOptions = {
    limits: () => limits,
    signal,
    isRetry,
    holdBack: 0,
    timeout: DAY,
    onWait: () => {},
    refuse,
  };
  return limiter.acquire(options);
}

/** A limiter with so many calls that wait. */
function queued(count: number, limitsOf: (index: number) => typeof LIMITS = () => LIMITS): Limiter {
  const limiter = limiterOf(freshUrl(), KEY);
  for (let index = 0; index < count; index++) acquire(limiter, limitsOf(index)).then((release) => release());
  return limiter;
}

/** Microseconds of processor time: other work on the machine hardly changes it, and fake timers do not. */
async function cost(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** How many times as much a step costs among many calls as among a tenth of them: the median of five rounds. */
async function growth(many: number, stepCost: (calls: number) => Promise<number>): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < 5; round++) ratios.push((await stepCost(many)) / (await stepCost(many / 10)));
  return ratios.sort((a, b) => a - b)[2] as number;
}

/** Cost that grows with the number of calls would be ten times as high. A collection of garbage may double a short one. */
const MOST = 5;

describe('the cost of a call does not grow', { timeout: 600_000 }, () => {
  it('with the requests of the day', async () => {
    const limits = { perMinute: 60, perDay: MANY, maxWait: 0 };
    const ratio = await growth(MANY, async (calls) => {
      const limiter = limiterOf(freshUrl(), KEY);
      const send = async () => {
        (await acquire(limiter, limits))();
        vi.advanceTimersByTime(2_880);
      };
      for (let sent = 0; sent < calls; sent++) await send();
      return cost(async () => {
        for (let sent = 0; sent < 2_000; sent++) await send();
      });
    });
    expect(ratio).toBeLessThan(MOST);
  });

  it('with the calls that are made at once', async () => {
    expect(await growth(MANY, async (calls) => (await cost(() => queued(calls))) / calls)).toBeLessThan(MOST);
  });

  it('with those in flight', async () => {
    const ratio = await growth(FEWER, async (calls) => {
      const limits = { perMinute: Number.POSITIVE_INFINITY, perDay: 1e6, maxWait: 0 };
      const limiter = limiterOf(freshUrl(), KEY);
      const all = () => Promise.all(Array.from({ length: calls }, () => acquire(limiter, limits)));
      return (await cost(all)) / calls;
    });
    expect(ratio).toBeLessThan(MOST);
  });

  it('with calls of other limits that are made at once', async () => {
    const mixed = (index: number) => ({ ...LIMITS, perMinute: 1 + (index % 3) });
    expect(await growth(FEWER, async (calls) => (await cost(() => queued(calls, mixed))) / calls)).toBeLessThan(MOST);
  });

  it('while a long queue moves, and others join it', async () => {
    const ratio = await growth(FEWER, async (calls) => {
      const limiter = queued(calls);
      const rounds = async () => {
        for (let round = 0; round < 20; round++) {
          await vi.advanceTimersByTimeAsync(MINUTE);
          for (let one = 0; one < 30; one++) acquire(limiter).then((release) => release());
        }
      };
      await rounds();
      return cost(rounds);
    });
    expect(ratio).toBeLessThan(MOST);
  });

  it('when calls of a long queue are aborted one by one, and others join it', async () => {
    const ratio = await growth(FEWER, async (calls) => {
      const limiter = queued(calls / 2);
      const controllers = Array.from({ length: 1_000 }, () => new AbortController());
      for (const { signal } of controllers) acquire(limiter, LIMITS, signal).catch(() => {});
      for (let one = 0; one < calls / 2; one++) acquire(limiter).then((release) => release());
      return cost(() => {
        for (const controller of controllers) {
          controller.abort();
          acquire(limiter).then((release) => release());
        }
      });
    });
    expect(ratio).toBeLessThan(MOST);
  });
});
