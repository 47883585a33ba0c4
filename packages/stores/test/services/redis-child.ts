// A process of its own that shares its key with others. It prints what happens as lines of JSON.

import { Client } from '@multilocal/client/client';
import { KEY } from '@multilocal/test/support/fixtures';
import { Redis } from 'ioredis';
import { isMultilocalError } from 'multilocal';
import { redisStore } from '../../src/redis/index.js';
import { hasten, hastenScript } from './pace.js';

export interface Plan {
  redis: string;
  service: string;
  /** How many times as fast as the world the clock runs. */
  pace: number;
  /** Ids of the articles to ask for, all at once. */
  ids: number[];
  rateLimit: { perMinute?: number; onStoreError?: 'local' | 'throw'; instances?: number; maxWait?: number };
  timeout?: number;
  /** Ms by which the system clock of this process is wrong. */
  skew?: number;
}

const plan: Plan = JSON.parse(process.argv[2] ?? '{}');
const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);

const { now } = Date;
Date.now = () => now() + (plan.skew ?? 0);

const redis = new Redis(plan.redis);
redis.on('error', () => {});
const store = redisStore((script, keys, args) =>
  redis.eval(hastenScript(script, plan.pace), keys.length, ...keys, ...args),
);
hasten(plan.pace);

console.warn = (warning: string) => say({ warning });
const client = new Client({
  apiKey: KEY,
  baseUrl: plan.service,
  rateLimit: { ...plan.rateLimit, store },
  onEvent: ({ type }) => void (type === 'wait' && say({ type })),
  ...(plan.timeout !== undefined && { timeout: plan.timeout }),
});
const outcomes = await Promise.all(
  plan.ids.map((id) =>
    client.articles.get(id).then(
      () => 'ok',
      (error: unknown) => (isMultilocalError(error) ? `${error.code}: ${error.message}` : String(error)),
    ),
  ),
);
// The last evaluations are on their way, and nobody waits for them.
await new Promise((resolve) => setTimeout(resolve, 200 * plan.pace));
say({ outcomes });
redis.disconnect();
