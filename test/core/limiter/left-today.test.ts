import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Admission } from '../../../src/core/limiter/admit.js';
import { Client, type ClientOptions } from '../../../src/index.js';
import { freshUrl, makeSession } from '../../support/clients.js';
import { ARTICLE, KEY, SPHERE_IDENTITY } from '../../support/fixtures.js';
import { json, type Reply, stubFetch } from '../../support/stub-fetch.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What `leftToday` returns after so many calls that another client of the key made at once. */
async function leftAfter(
  calls: number,
  options: ClientOptions = {},
  identity = SPHERE_IDENTITY,
  reply = json(ARTICLE),
) {
  const baseUrl = freshUrl();
  const client = new Client({ apiKey: KEY, baseUrl, fetch: stubFetch(reply), rateLimit: { perMinute: 60 } });
  for (let call = 0; call < calls; call++) client.articles.get(42).catch(() => {});
  await vi.advanceTimersByTimeAsync(0);
  const session = makeSession({ ...options, baseUrl }, identity);
  return () => new Admission(options.rateLimit).leftToday(session, 'test');
}

describe('leftToday', () => {
  it('counts the requests of the last 24 hours and those that wait', async () => {
    const left = await leftAfter(70);
    expect(await left()).toBe(930);
    await vi.advanceTimersByTimeAsync(MINUTE + 1);
    expect(await left()).toBe(930);
    await vi.advanceTimersByTimeAsync(DAY - MINUTE);
    expect(await left()).toBe(990);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(await left()).toBe(1000);
  });

  it('counts the requests in flight', async () => {
    const never: Reply = () => new Promise(() => {});
    expect(await (await leftAfter(3, {}, SPHERE_IDENTITY, never))()).toBe(997);
  });

  it('goes by the options, then by the identity, then by the default', async () => {
    const identity = { ...SPHERE_IDENTITY, rate_limits: { per_minute: 60, per_day: 500 } };
    expect(await (await leftAfter(1, { rateLimit: { perDay: 50 } }, identity))()).toBe(49);
    expect(await (await leftAfter(1, { rateLimit: { perMinute: 5 } }, identity))()).toBe(499);
    expect(await (await leftAfter(1, {}, { ...identity, rate_limits: { per_minute: 60, per_day: -1 } }))()).toBe(999);
  });

  it('is never below 0', async () => {
    expect(await (await leftAfter(8, { rateLimit: { perDay: 5 } }))()).toBe(0);
  });

  it.each<ClientOptions>([
    { rateLimit: false },
    { rateLimit: { acquire: async () => {} } },
    { rateLimit: { perDay: Number.POSITIVE_INFINITY } },
  ])('is undefined with %o', async (options) => {
    expect(await (await leftAfter(1, options))()).toBeUndefined();
  });
});
