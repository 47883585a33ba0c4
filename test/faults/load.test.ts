import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMockApi } from 'multilocal/mock/server';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { accountOf } from '../../src/core/limiter/queue.js';
import { Client, type ClientOptions, type Identity } from '../../src/index.js';
import { densest, freshUrl } from '../support/clients.js';
import { ARTICLE, KEY, SPHERE_IDENTITY } from '../support/fixtures.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const CALLS = 1_000;
const CLIENTS = 300;
const PER_MINUTE = 60;
const ENOUGH = { perMinute: PER_MINUTE, perDay: 100_000, maxWait: DAY };

setFlagsFromString('--expose_gc');
const gc = runInNewContext('gc') as () => void;
const turn = setImmediate;

beforeEach(() => void vi.useFakeTimers());

/** Heap in bytes after a collection; weak references of this job are let go too. */
async function heap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => turn(resolve));
    gc();
  }
  return process.memoryUsage().heapUsed;
}

describe(`${CALLS} concurrent calls at ${PER_MINUTE} a minute`, () => {
  it('never exceed the limit of the mock, keep their order, and take no longer than they must', async () => {
    const api = createMockApi({ rateLimit: { perMinute: PER_MINUTE, perDay: 100_000 } });
    const times: number[] = [];
    const statuses = new Set<number>();
    const offsets: number[] = [];
    const fetch = async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init);
      times.push(Date.now());
      offsets.push(Number(new URL(request.url).searchParams.get('offset')));
      const response = await api.handle(request);
      statuses.add(response.status);
      return response;
    };
    const client = new Client({
      apiKey: api.keys.sphere,
      baseUrl: api.baseUrl,
      fetch,
      rateLimit: ENOUGH,
      maxRetries: 0,
    });
    const calls = Array.from({ length: CALLS }, (_, offset) => client.posts.list({ limit: 1, offset }));
    const ended = Promise.allSettled(calls);
    const minutes = Math.ceil(CALLS / PER_MINUTE) - 1;
    await vi.advanceTimersByTimeAsync(minutes * MINUTE + 1_000);
    expect(times).toHaveLength(CALLS);
    expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['fulfilled']));
    expect([...statuses]).toEqual([200]);
    expect(densest(times, MINUTE)).toBe(PER_MINUTE);
    expect(offsets).toEqual(Array.from({ length: CALLS }, (_, offset) => offset));
  });

  it('each waiting call costs little memory, and nothing once it has ended', async () => {
    const fetch = async () => Response.json(ARTICLE);
    const client = new Client({ apiKey: KEY, baseUrl: freshUrl(), fetch, rateLimit: ENOUGH });
    const round = async () => {
      const { signal } = new AbortController();
      const before = await heap();
      let calls: Promise<unknown>[] | undefined = Array.from({ length: CALLS }, () =>
        client.articles.get(1, { signal }),
      );
      const waiting = await heap();
      await vi.advanceTimersByTimeAsync((CALLS / PER_MINUTE) * MINUTE);
      await Promise.all(calls);
      calls = undefined;
      return { perCall: (waiting - before) / CALLS, left: (await heap()) - before };
    };
    await round();
    // Whatever else the process compiles or frees meanwhile is in some rounds. What calls hold is in each.
    const rounds = [await round(), await round(), await round()];
    expect(Math.min(...rounds.map(({ perCall }) => perCall)), 'bytes of a waiting call').toBeLessThan(20_000);
    // The limiter remembers when each request of the day was, and that is all.
    expect(Math.min(...rounds.map(({ left }) => left)) / CALLS, 'bytes that a call leaves').toBeLessThan(400);
  });
});

describe(`${CLIENTS} clients in one process`, () => {
  it('do not mix keys, limits, identities or base URLs', async () => {
    const origin = freshUrl();
    const who = Array.from({ length: CLIENTS }, (_, index) => ({
      apiKey: `key-${index}`,
      // Every key has a neighbour at the same address, and every third an address with a path.
      baseUrl: `${origin}${index % 3 === 0 ? `/tenant-${index}` : ''}`,
      perMinute: 1 + (index % 3),
      identity: {
        ...SPHERE_IDENTITY,
        sphere: { id: `s-${index}`, name: `Brand ${index}`, slug: null },
        rate_limits: { per_minute: 1 + (index % 3), per_day: 50 },
      } satisfies Identity,
    }));
    const arrived = new Map<string, { at: number; url: URL; bulle: string | null }[]>();
    const fetch = async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init);
      const key = request.headers.get('x-api-key') as string;
      const url = new URL(request.url);
      const list = arrived.get(key) ?? [];
      list.push({ at: Date.now(), url, bulle: url.searchParams.get('bulle_id') });
      arrived.set(key, list);
      if (url.pathname.endsWith('/me')) return Response.json(who[Number(key.slice(4))]?.identity);
      return Response.json({ articles: [], total: 0, limit: 50, offset: 0 });
    };
    const clients = await Promise.all(
      who.map(({ apiKey, baseUrl }) => Client.connect({ apiKey, baseUrl, fetch, rateLimit: { maxWait: DAY } })),
    );
    const work = clients.flatMap((client, index) => {
      return Array.from({ length: 4 }, () => client.forBulle(`b-${index}`).articles.list());
    });
    const ended = Promise.all(work);
    await vi.advanceTimersByTimeAsync(6 * MINUTE);
    await ended;
    expect(arrived.size).toBe(CLIENTS);
    for (const [index, { apiKey, baseUrl, perMinute, identity }] of who.entries()) {
      const client = clients[index] as Client;
      expect(client.identity).toEqual(identity);
      const requests = arrived.get(apiKey) ?? [];
      expect(requests).toHaveLength(5);
      expect(new Set(requests.map(({ url }) => `${url.origin}${url.pathname}`))).toEqual(
        new Set([`${baseUrl}/api/v2/me`, `${baseUrl}/api/v2/articles`]),
      );
      expect(requests.slice(1).every(({ bulle }) => bulle === `b-${index}`)).toBe(true);
      expect(
        densest(
          requests.map(({ at }) => at),
          MINUTE,
        ),
        apiKey,
      ).toBe(perMinute);
    }
  });

  it('one whose budget is used up, or that must wait, does not hold the others up', async () => {
    const baseUrl = freshUrl();
    let answered = 0;
    const options = (index: number): ClientOptions => ({
      apiKey: `busy-${index}`,
      baseUrl,
      rateLimit: { perMinute: 1, maxWait: DAY },
      fetch: async () => {
        answered++;
        return index === 0 && answered === 1
          ? Response.json({ detail: 'x' }, { status: 429, headers: { 'retry-after': '50' } })
          : Response.json(ARTICLE);
      },
    });
    const calls = Array.from({ length: CLIENTS }, (_, index) => new Client(options(index)).articles.get(1));
    const ended = Promise.all(calls);
    await vi.advanceTimersByTimeAsync(10);
    expect(answered).toBe(CLIENTS);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    await ended;
  });
});

describe('the registry of limiters', () => {
  it('forgets keys that have been idle for a day, and their memory', async () => {
    const origin = freshUrl();
    const fetch = async () => Response.json(ARTICLE);
    const call = (apiKey: string) => new Client({ apiKey, baseUrl: origin, fetch }).articles.get(1);
    const watch = (apiKey: string) => new WeakRef(accountOf(`${origin}/api/v2`, apiKey));
    await Promise.all(Array.from({ length: 1_000 }, (_, index) => call(`idle-${index}`)));
    const refs = Array.from({ length: 1_000 }, (_, index) => watch(`idle-${index}`));
    await vi.advanceTimersByTimeAsync(DAY - 1_000);
    for (let more = 0; more < 100; more++) await call(`one-more-${more}`);
    await heap();
    expect(refs.filter((ref) => ref.deref()).length, 'kept while their requests count').toBe(1_000);
    await vi.advanceTimersByTimeAsync(2_000);
    for (let more = 0; more < 100; more++) await call(`and-another-${more}`);
    await heap();
    expect(refs.filter((ref) => ref.deref()).length, 'kept although they are idle').toBe(0);
  });

  it('keeps the limiter of a key that is busy, waits or is held back', async () => {
    const baseUrl = freshUrl();
    const root = `${baseUrl}/api/v2`;
    let answer: (response: Response) => void = () => {};
    const fetch = () =>
      new Promise<Response>((resolve) => {
        answer = resolve;
      });
    const client = new Client({
      apiKey: KEY,
      baseUrl,
      fetch,
      timeout: 3 * DAY,
      rateLimit: { perMinute: 1, maxWait: 4 * DAY },
    });
    const first = client.articles.get(1);
    const second = client.articles.get(2);
    await vi.advanceTimersByTimeAsync(0);
    const limiter = accountOf(root, KEY);
    await vi.advanceTimersByTimeAsync(2 * DAY);
    for (let other = 0; other < 100; other++) accountOf(root, `somebody-${other}`);
    expect(accountOf(root, KEY)).toBe(limiter);
    answer(Response.json(ARTICLE));
    await first;
    await vi.advanceTimersByTimeAsync(MINUTE + 1);
    answer(Response.json(ARTICLE));
    await second;
    for (let other = 0; other < 100; other++) accountOf(root, `a-third-${other}`);
    expect(accountOf(root, KEY)).toBe(limiter);
  });
});
