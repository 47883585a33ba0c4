import { Client, type ClientOptions } from 'multilocal';
import { describe, expect, it, vi } from 'vitest';
import { mostWithin } from '../../examples/fleet/check.js';
import { type Decision, decide, later, obey } from '../../examples/fleet/errors.js';
import { KEY, LIST } from '../support/fixtures.js';

// The example itself needs Redis and Postgres: test/services/fleet.test.ts runs it.

const clientWith = (options: ClientOptions) =>
  new Client({ apiKey: KEY, baseUrl: 'https://api.test', maxRetries: 0, ...options });

async function failureOf(work: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('There was no failure.');
}

/** What a listing rejects with when the service responds like this. */
function failure(status: number, detail: string, headers: HeadersInit = {}): Promise<unknown> {
  const fetch = async () => Response.json({ detail }, { status, headers });
  return failureOf(() => clientWith({ fetch }).articles.list());
}

/** What the second request of a minute rejects with if a minute has room for one. */
async function refusal(): Promise<unknown> {
  const fetch = async () => Response.json(LIST);
  // An address of its own, because the calls of one key and address share their limits.
  const client = clientWith({ baseUrl: 'https://refusal.test', fetch, rateLimit: { perMinute: 1, maxWait: 0 } });
  await client.articles.list();
  return failureOf(() => client.articles.list());
}

/** What a run rejects with if another one has moved the cursor. */
function conflict(): Promise<unknown> {
  const store = {
    loadCursor: () => null,
    saveCursor: () => {},
    ids: () => [],
    put: () => {},
    remove: () => {},
    commit: () => false,
  };
  return failureOf(() => clientWith({ fetch: async () => Response.json(LIST) }).articles.syncTo(store));
}

const unreachable = () => failureOf(() => clientWith({ fetch: () => Promise.reject(new TypeError()) }).articles.list());
const TOO_MANY = 'Trop de requêtes';
const busy = (seconds: string) => failure(429, TOO_MANY, { 'retry-after': seconds });

describe('the decision about a failed slice', () => {
  it.each<[string, () => unknown, Decision]>([
    ['a key that was revoked', () => failure(401, 'Clé invalide'), { action: 'fail' }],
    ['a key without the permission', () => failure(403, 'Permission refusée'), { action: 'fail' }],
    ['a key that is no header value', () => failureOf(async () => clientWith({ apiKey: 'a\nb' })), { action: 'fail' }],
    ['a used-up quota', () => failure(429, 'Quota mensuel atteint', { 'retry-after': '5' }), { action: 'fail' }],
    ['a service that asks for 5 s', () => busy('5'), { action: 'pause', ms: 5000 }],
    ['a 429 that names no time', () => failure(429, TOO_MANY), { action: 'pause', ms: 60_000 }],
    ['a service that asks for two hours', () => busy('7200'), { action: 'delay', ms: 7_200_000 }],
    ['an outage', () => failure(503, 'Indisponible'), { action: 'retry' }],
    ['a response that is no list', () => failure(200, 'ok'), { action: 'retry' }],
    ['a service that is not reached', unreachable, { action: 'retry' }],
    ['a brand that another worker has taken over', conflict, { action: 'retry' }],
    ['an error of the database', () => new Error('terminated'), { action: 'retry' }],
  ])('%s', async (_, error, decision) => {
    expect(decide(await error())).toEqual(decision);
  });

  it('a key whose limit is used up here delays its own job, and no other', async () => {
    const decision = decide(await refusal());
    expect(decision).toEqual({ action: 'delay', ms: expect.any(Number) });
    const { ms } = decision as { ms: number };
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(60_000);
  });
});

describe('what BullMQ is told', () => {
  const told = async (decision: Decision, error: unknown = new Error('why')) => {
    const worker = { rateLimit: vi.fn(async () => {}) };
    const job = { moveToDelayed: vi.fn(async () => {}), token: 'lock' };
    return { worker, job, error: await failureOf(() => obey(decision, error, worker, job)) };
  };

  it('a retry is the error itself', async () => {
    const why = new Error('why');
    expect((await told({ action: 'retry' }, why)).error).toBe(why);
  });

  it('a failure for good keeps its reason', async () => {
    const { error } = await told({ action: 'fail' });
    expect(error).toMatchObject({ name: 'UnrecoverableError', message: 'Error: why' });
  });

  it('a pause holds the queue', async () => {
    const { worker, job, error } = await told({ action: 'pause', ms: 5000 });
    expect(worker.rateLimit).toHaveBeenCalledExactlyOnceWith(5000);
    expect(job.moveToDelayed).not.toHaveBeenCalled();
    expect(error).toMatchObject({ name: 'RateLimitError', message: 'bullmq:rateLimitExceeded' });
  });

  it('a delay moves the job, with its lock', async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const { worker, job, error } = await told({ action: 'delay', ms: 5000 });
    vi.useRealTimers();
    expect(worker.rateLimit).not.toHaveBeenCalled();
    expect(job.moveToDelayed).toHaveBeenCalledExactlyOnceWith(1_005_000, 'lock');
    expect(error).toMatchObject({ name: 'DelayedError' });
  });

  it('a slice that is not the last one moves the job too', async () => {
    const job = { moveToDelayed: vi.fn(async () => {}), token: 'lock' };
    expect(await failureOf(() => later(job, 0))).toMatchObject({ name: 'DelayedError' });
    expect(job.moveToDelayed).toHaveBeenCalledOnce();
  });
});

it('counts the most requests of any minute', () => {
  expect(mostWithin(60_000, [])).toBe(0);
  expect(mostWithin(60_000, [0, 1, 59_999, 60_000, 60_001])).toBe(3);
  expect(mostWithin(60_000, [0, 60_000, 120_000])).toBe(1);
});
