// A process of its own that shares its key with others. It prints what happens as lines of JSON.
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { Client } from '../../src/client.js';
import { isMultilocalError } from '../../src/index.js';
import { type EvalFunction, redisStore } from '../../src/redis/index.js';
import { KEY } from '../support/fixtures.js';
import { hasten, hastenScript } from './pace.js';

export interface Plan {
  library: 'ioredis' | 'redis';
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

const { evaluate, close } = await connect(plan);
const store = redisStore((script, keys, args) => evaluate(hastenScript(script, plan.pace), keys, args));
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
await close();

async function connect({ library, redis: url }: Plan): Promise<{ evaluate: EvalFunction; close: () => unknown }> {
  if (library === 'ioredis') {
    const redis = new Redis(url);
    redis.on('error', () => {});
    return {
      evaluate: (script, keys, args) => redis.eval(script, keys.length, ...keys, ...args),
      close: () => redis.disconnect(),
    };
  }
  const redis = createClient({ url });
  redis.on('error', () => {});
  await redis.connect();
  return {
    evaluate: (script, keys, args) => redis.eval(script, { keys, arguments: args }),
    close: () => redis.destroy(),
  };
}
