import { Client, type ClientOptions } from 'multilocal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endTurn, later } from '../../examples/fleet/errors.js';
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

/** Ends the turn of a job, and returns the error that BullMQ gets, and what was asked of it. */
async function turn(work: (worker: { rateLimit(ms: number): Promise<void> }, job: Moved) => Promise<never>) {
  const worker = { rateLimit: vi.fn(async () => {}) };
  const job = { moveToDelayed: vi.fn(async () => {}), token: 'lock' };
  const thrown = (await failureOf(() => work(worker, job))) as Error;
  return { thrown, name: thrown.name, paused: worker.rateLimit.mock.calls, delayed: job.moveToDelayed.mock.calls };
}
type Moved = Parameters<typeof later>[0];

describe('a failed slice', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it.each<[string, () => unknown]>([
    ['a key that was revoked', () => failure(401, 'Clé invalide')],
    ['a key without the permission', () => failure(403, 'Permission refusée')],
    ['a key that is no header value', () => failureOf(async () => clientWith({ apiKey: 'a\nb' }))],
    ['a used-up quota', () => failure(429, 'Quota mensuel atteint', { 'retry-after': '5' })],
  ])('fails for good after %s, with its reason', async (_, make) => {
    const error = await make();
    const { thrown, paused, delayed } = await turn((worker, job) => endTurn(error, worker, job));
    expect(thrown).toMatchObject({ name: 'UnrecoverableError', message: String(error) });
    expect([paused, delayed]).toEqual([[], []]);
  });

  it.each<[string, () => unknown]>([
    ['an outage', () => failure(503, 'Indisponible')],
    ['a response that is no list', () => failure(200, 'ok')],
    ['a service that is not reached', unreachable],
    ['a brand that another worker has taken over', conflict],
    ['an error of the database', () => new Error('terminated')],
  ])('is retried after %s', async (_, make) => {
    const error = await make();
    const result = await turn((worker, job) => endTurn(error, worker, job));
    expect(result.thrown).toBe(error);
    expect([result.paused, result.delayed]).toEqual([[], []]);
  });

  it.each<[string, HeadersInit, number]>([
    ['a service that asks for 5 s', { 'retry-after': '5' }, 5_000],
    ['a 429 that names no time', {}, 60_000],
  ])('pauses the queue after %s', async (_, headers, ms) => {
    const error = await failure(429, TOO_MANY, headers);
    const { name, paused, delayed } = await turn((worker, job) => endTurn(error, worker, job));
    expect([name, paused, delayed]).toEqual(['RateLimitError', [[ms]], []]);
  });

  it('delays only its own job if the service asks for two hours', async () => {
    const error = await failure(429, TOO_MANY, { 'retry-after': '7200' });
    const { name, paused, delayed } = await turn((worker, job) => endTurn(error, worker, job));
    expect([name, paused, delayed]).toEqual(['DelayedError', [], [[8_200_000, 'lock']]]);
  });

  it('delays only its own job if the limits of its key are used up', async () => {
    const error = await refusal();
    const { name, paused, delayed } = await turn((worker, job) => endTurn(error, worker, job));
    expect([name, paused]).toEqual(['DelayedError', []]);
    expect(delayed).toEqual([[expect.any(Number), 'lock']]);
  });
});

it('a slice that is not the last one moves the job, with its lock', async () => {
  const { name, delayed } = await turn((_, job) => later(job, 0));
  expect([name, delayed]).toEqual(['DelayedError', [[expect.any(Number), 'lock']]]);
});
