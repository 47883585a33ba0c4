import { expect, it } from 'vitest';
import { createRegistry, limiterOf } from '../../../src/core/limiter/local.js';
import { freshUrl } from '../../support/clients.js';

const OPTIONS = {
  limits: () => ({ perMinute: 60, perDay: 1000, maxWait: 0 }),
  signal: new AbortController().signal,
  isRetry: false,
  holdBack: 0,
  timeout: 1000,
  onWait: () => {},
  refuse: () => new Error('full'),
};

const createMany = (count: number, url = freshUrl()) => {
  for (let key = 0; key < count; key++) limiterOf(url, `key ${key}`);
};

it('the limiter of a key at an address is shared, and is forgotten for new ones once it is idle', async () => {
  const [url, other] = [freshUrl(), freshUrl()];
  const idle = limiterOf(url, 'idle');
  const busy = limiterOf(url, 'busy');
  await busy.acquire(OPTIONS);
  expect(limiterOf(url, 'busy')).toBe(busy);
  expect(limiterOf(other, 'busy')).not.toBe(busy);
  createMany(100);
  expect(limiterOf(url, 'busy')).toBe(busy);
  expect(limiterOf(url, 'idle')).not.toBe(idle);
});

it('a limiter that is idle stays as long as no new one comes', async () => {
  const url = freshUrl();
  const busy = limiterOf(url);
  await busy.acquire(OPTIONS);
  const idle = limiterOf(url, 'idle');
  for (let call = 0; call < 200; call++) expect(limiterOf(url, '')).toBe(busy);
  expect(limiterOf(url, 'idle')).toBe(idle);
  expect([busy.isIdle(), idle.isIdle()]).toEqual([false, true]);
});

it('thousands of new keys cost little, and idle limiters are forgotten', () => {
  const registry = createRegistry<{ isIdle(): boolean }>();
  let looks = 0;
  const create = (isIdle: boolean) => ({ isIdle: () => ++looks > 0 && isIdle });
  const busy = Array.from({ length: 1000 }, (_, key) => registry(`busy ${key}`, () => create(false)));
  // A look at all of them for each new one would make 499 500.
  expect(looks).toBeLessThan(10_000);
  expect(registry('busy 0', () => create(false))).toBe(busy[0]);

  const idle = registry('idle', () => create(true));
  for (let key = 0; key < 99; key++) registry(`later ${key}`, () => create(false));
  expect(registry('idle', () => create(true))).not.toBe(idle);
  expect(registry('busy 999', () => create(false))).toBe(busy[999]);
});
