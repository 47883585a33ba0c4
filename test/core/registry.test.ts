import { expect, it } from 'vitest';
import { limiterOf } from '../../src/core/limiter.js';
import { freshUrl } from '../support/clients.js';

const LIMITS = { perMinute: 60, perDay: 1000, maxWait: 0 };

it('the limiter of a key at an address is shared, and is forgotten for a new one once it is idle', async () => {
  const [url, other] = [freshUrl(), freshUrl()];
  const idle = limiterOf(url, 'idle');
  const busy = limiterOf(url, 'busy');
  const options = {
    limits: () => LIMITS,
    signal: new AbortController().signal,
    isRetry: false,
    holdBack: 0,
    timeout: 1000,
    onWait: () => {},
    refuse: () => new Error('full'),
  };
  await busy.acquire(options);
  expect(limiterOf(url, 'busy')).toBe(busy);
  expect(limiterOf(other, 'busy')).not.toBe(busy);
  expect(limiterOf(url, 'busy')).toBe(busy);
  expect(limiterOf(url, 'idle')).not.toBe(idle);
});

it('a limiter that is idle stays as long as no new one comes', () => {
  const url = freshUrl();
  const [first, second] = [limiterOf(url, 'first'), limiterOf(url)];
  expect(limiterOf(url)).toBe(second);
  expect(limiterOf(url, '')).toBe(second);
  expect(first.isIdle()).toBe(true);
});
