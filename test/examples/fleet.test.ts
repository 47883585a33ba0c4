import { Client, type ClientOptions } from 'multilocal';
import { beforeEach, describe, expect, it, vi } from 'vitest';
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

const TOO_MANY = 'Trop de requêtes';
const unreachable = () => failureOf(() => clientWith({ fetch: () => Promise.reject(new TypeError()) }).articles.list());

type Job = Parameters<typeof later>[0];

/** Ends the turn of a job, and returns the error that BullMQ gets, and what was asked of it. */
async function turn(work: (worker: { rateLimit(ms: number): Promise<void> }, job: Job) => Promise<never>) {
  const worker = { rateLimit: vi.fn(async () => {}) };
  const job = { moveToDelayed: vi.fn(async () => {}), token: 'lock' };
  const thrown = (await failureOf(() => work(worker, job))) as Error;
  return { thrown, paused: worker.rateLimit.mock.calls, delayed: job.moveToDelayed.mock.calls };
}

/** What comes of a job: the error for BullMQ, for how long the queue pauses, and until when the job is moved. */
const forGood = { name: 'UnrecoverableError' };
const again = {};
const paused = (ms: number) => ({ name: 'RateLimitError', paused: [[ms]] });
const moved = (until: unknown) => ({ name: 'DelayedError', delayed: [[until, 'lock']] });

describe('a failed slice', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] }));

  it.each<[string, () => unknown, { name?: string; paused?: unknown[]; delayed?: unknown[] }]>([
    ['a key that was revoked', () => failure(401, 'Clé invalide'), forGood],
    ['a key without the permission', () => failure(403, 'Permission refusée'), forGood],
    ['a key that is no header value', () => failureOf(async () => clientWith({ apiKey: 'a\nb' })), forGood],
    ['a used-up quota', () => failure(429, 'Quota mensuel atteint', { 'retry-after': '5' }), forGood],
    ['an outage', () => failure(503, 'Indisponible'), again],
    ['a response that is no list', () => failure(200, 'ok'), again],
    ['a service that is not reached', unreachable, again],
    ['a brand that another worker has taken over', conflict, again],
    ['an error of the database', () => new Error('terminated'), again],
    ['a service that asks for 5 s', () => failure(429, TOO_MANY, { 'retry-after': '5' }), paused(5_000)],
    ['a 429 that names no time', () => failure(429, TOO_MANY), paused(60_000)],
    ['a service that asks for two hours', () => failure(429, TOO_MANY, { 'retry-after': '7200' }), moved(8_200_000)],
    ['limits of its key that are used up', refusal, moved(expect.any(Number))],
  ])('%s', async (_, make, { name, paused = [], delayed = [] }) => {
    const error = (await make()) as Error;
    const { thrown, ...asked } = await turn((worker, job) => endTurn(error, worker, job));
    expect(asked).toEqual({ paused, delayed });
    if (name === undefined) expect(thrown).toBe(error);
    else expect(thrown.name).toBe(name);
    if (name === forGood.name) expect(thrown.message).toBe(String(error));
  });
});

it('a slice that is not the last one moves the job, with its lock', async () => {
  const { thrown, delayed } = await turn((_, job) => later(job, 0));
  expect({ name: thrown.name, delayed }).toEqual(moved(expect.any(Number)));
});
