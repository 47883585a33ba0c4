import { afterEach, describe, expect, it, vi } from 'vitest';
import { rejection } from '../support/clients.js';
import { ARTICLE, KEY } from '../support/fixtures.js';
import { sendJson, serve } from '../support/server.js';
import { json, refuse, type StubFetch, stubFetch } from '../support/stub-fetch.js';

// The fake timers of vitest, Jest and sinon are the same package.

/**
 * As vitest does by default; as Jest does; timers alone, with the real monotonic clock. None fakes `queueMicrotask` in the
 * process itself (Jest does in its sandbox, sinon does unless told): no body of Node's own `Response` ends without it.
 */
const FAKES = {
  vitest: {},
  Jest: {
    toFake: [
      ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
      ...(['Date', 'performance', 'hrtime'] as const),
    ],
  },
  'timers alone': { toFake: ['setTimeout', 'clearTimeout', 'Date'] },
} satisfies Record<string, Parameters<typeof vi.useFakeTimers>[0]>;

let count = 0;
const options = (fetch: StubFetch) => ({ apiKey: KEY, baseUrl: `https://faked-${count++}.test`, fetch });

afterEach(() => void vi.resetModules());

/** A client and fake timers, installed in this order. */
const ORDERS = ['before the package is loaded', 'before the client is made', 'after the client is made'] as const;
async function make(order: (typeof ORDERS)[number], fake: object, fetch: StubFetch) {
  if (order === ORDERS[0]) {
    vi.resetModules();
    vi.useFakeTimers(fake);
  }
  const { Client } = await import('../../src/index.js');
  if (order === ORDERS[1]) vi.useFakeTimers(fake);
  const client = new Client(options(fetch));
  if (order === ORDERS[2]) vi.useFakeTimers(fake);
  return client;
}

/** Whether it has settled once the fake time has gone on so far. */
async function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  work.finally(() => (isSettled = true)).catch(() => {});
  for (let passed = 0; passed < ms && !isSettled; passed += 500) await vi.advanceTimersByTimeAsync(500);
  return isSettled;
}

describe.each(ORDERS)('fake timers that are installed %s', (order) => {
  it.each(Object.entries(FAKES))(
    '%s: a call needs no advance, and its retry comes when time is advanced',
    async (_, fake) => {
      const fetch = stubFetch(json(ARTICLE), refuse(503), json(ARTICLE));
      const client = await make(order, fake, fetch);
      expect(await client.articles.get(42)).toEqual(ARTICLE);
      const article = client.articles.get(42);
      expect(await settlesWithin(2_000, article)).toBe(true);
      expect(await article).toEqual(ARTICLE);
      expect(fetch.calls).toHaveLength(3);
    },
  );

  it('waits in the limiter, a Retry-After and a timeout run on the fake clock', async () => {
    const fetch = stubFetch(json(ARTICLE), refuse(429, 'trop', { 'retry-after': '30' }), () => new Promise(() => {}));
    const client = await make(order, FAKES.Jest, fetch);
    await client.articles.get(42);
    const failed = rejection(client.articles.get(42, { timeout: 5_000, maxRetries: 1 }));
    expect(await settlesWithin(60_000, failed)).toBe(true);
    expect(await failed).toMatchObject({ code: 'timeout', attempts: 2 });
    const calls = Array.from({ length: 61 }, () =>
      rejection(client.articles.get(42, { timeout: 1_000, maxRetries: 0 })),
    );
    await vi.advanceTimersByTimeAsync(20_000);
    expect(fetch.calls.length).toBeLessThan(64);
    expect(await settlesWithin(60_000, Promise.all(calls))).toBe(true);
    expect(fetch.calls).toHaveLength(64);
  });
});

describe('a monotonic clock that stands still while the timers run', () => {
  it('does not stop retries and timeouts from ending', async () => {
    const fetch = stubFetch(refuse(503, 'non', { 'retry-after': '0' }), () => new Promise(() => {}));
    const client = await make(ORDERS[2], { toFake: ['performance'] }, fetch);
    const failed = await rejection(client.articles.get(42, { timeout: 20, totalTimeout: 60, maxRetries: 1 }));
    expect(failed).toMatchObject({ code: 'timeout', attempts: 2 });
  });

  it('does not stop the limiter from refusing calls that would wait too long', async () => {
    const { Client } = await import('../../src/index.js');
    vi.useFakeTimers({ toFake: ['performance'] });
    const fetch = stubFetch(json(ARTICLE));
    const client = new Client({ ...options(fetch), rateLimit: { perMinute: 1, maxWait: 1_000 } });
    await client.articles.get(42);
    expect(await rejection(client.articles.get(42))).toMatchObject({ code: 'rate_limit', outcome: 'not_applied' });
  });
});

describe('a real service under fake timers', () => {
  it.each([
    ['before', false],
    ['after', true],
  ])('responds without an advance, the timers installed %s the package is loaded', async (_, isLoaded) => {
    const { url, arrived } = await serve((_, response) => sendJson(response, ARTICLE));
    if (!isLoaded) {
      vi.resetModules();
      vi.useFakeTimers();
    }
    const { Client } = await import('../../src/index.js');
    vi.useFakeTimers();
    const client = new Client({ apiKey: KEY, baseUrl: url });
    expect([await client.articles.get(42), await client.articles.get(42)]).toEqual([ARTICLE, ARTICLE]);
    expect(arrived).toHaveLength(2);
  });
});
