import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { article, LIST, Service } from '../proxy/helpers.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const SECOND = 1_000;
const HOUR = 3_600_000;
const READER = '192.0.2.1';
/** Forty articles from everywhere in the archive. Others read each of them every 47 minutes. */
const POPULAR = Array.from({ length: 40 }, (_, n) => 13 + 25 * n);

/** A proxy whose lists have shown 1000 articles without their texts: twice as many as its cache holds. */
async function archive() {
  const service = new Service();
  service.lean = true;
  service.articles = Array.from({ length: 1_000 }, (_, index) => article(index + 1));
  const proxy = service.visit();
  const visit = (who: string | undefined, path: string) =>
    proxy(path, who === undefined ? {} : { headers: { 'x-forwarded-for': who } });
  for (let offset = 0; offset < 1_000; offset += 50) {
    await visit(READER, offset ? `${LIST}?offset=${offset}` : LIST);
    await vi.advanceTimersByTimeAsync(6 * SECOND);
  }
  return { service, visit };
}

type Attack = (visit: (path: string) => Promise<Response>, n: number) => Promise<unknown>;

const oneByOne: Attack = (visit, n) => visit(`${LIST}/${1 + (n % 1_000)}`);
const eachTwice: Attack = (visit, n) => oneByOne(visit, n >> 1);
/** So often that each article is read more than by others, and everything else that costs requests. */
const everything: Attack = async (visit, n) => {
  await oneByOne(visit, 2 * n);
  await oneByOne(visit, 2 * n + 1);
  if (n % 10 === 0) await visit(`${LIST}/${100_000 + n}`);
  if (n % 10 === 5) await visit(`${LIST}?bulle_id=b-${n}`);
};

describe('a visitor who reads 1000 articles in a circle', () => {
  it.each<[string, string | undefined, number, Attack]>([
    ['one every two seconds, not told from others', undefined, 5.8, oneByOne],
    ['one every two seconds, told from others', '192.0.2.66', 5.8, oneByOne],
    ['each of them twice, not told from others', undefined, 5.8, eachTwice],
    ['one a second, and unknown ids and locations, not told from others, for two days', undefined, 48, everything],
  ])(
    '%s: keeps no popular article from others',
    async (_, attacker, hours, attack) => {
      const { service, visit } = await archive();
      const reader = attacker === undefined ? undefined : READER;
      const statuses = new Map<number, number>();
      const read = async (n: number) => {
        const { status } = await visit(reader, `${LIST}/${POPULAR[n % POPULAR.length]}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      };
      const before = POPULAR.length;
      for (let n = 0; n < before; n++) {
        await read(n);
        await vi.advanceTimersByTimeAsync(70 * SECOND);
      }
      service.asked = [];
      const count = (hours * HOUR) / (2 * SECOND);
      for (let n = 0; n < count; n++) {
        if (n % 35 === 0) await read(before + n / 35);
        await attack((path) => visit(attacker, path), n);
        await vi.advanceTimersByTimeAsync(2 * SECOND);
      }
      expect([...statuses]).toEqual([[200, before + Math.ceil(count / 35)]]);
      expect(service.asked.length).toBeLessThanOrEqual(750 * Math.ceil(hours / 24));
    },
    600_000,
  );
});
