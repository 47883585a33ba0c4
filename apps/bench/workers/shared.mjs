// What the shared limiter costs Redis: evaluations, bytes on the wire and bytes in memory. node shared.mjs <calls>
import { Redis } from 'ioredis';
import { Client } from 'multilocal';
import { redisStore } from 'multilocal/redis';
import { startRedis } from '../../../scripts/services.mjs';
import { ARTICLE } from './data.mjs';

const calls = Number(process.argv[2]);
const fetch = async () => new Response(ARTICLE, { headers: { 'content-type': 'application/json' } });

const server = await startRedis();
const redis = new Redis(server.url);
const store = redisStore((script, keys, args) => redis.eval(script, keys.length, ...keys, ...args));

async function figuresOf(section) {
  const text = await redis.info(section);
  return Object.fromEntries(text.split('\r\n').map((line) => line.split(':')));
}

async function memory() {
  const keys = await redis.keys('multilocal:*');
  const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What Redis counted during the work, for each of so many requests. */
async function costOf(requests, work) {
  await redis.config('RESETSTAT');
  await work();
  const { cmdstat_eval = '' } = await figuresOf('commandstats');
  const { total_net_input_bytes: sent, total_net_output_bytes: received } = await figuresOf('stats');
  const [, evaluations, microseconds] = /calls=(\d+),usec=(\d+)/.exec(cmdstat_eval);
  return {
    evaluations: evaluations / requests,
    microseconds: microseconds / requests,
    sent: sent / requests,
    received: received / requests,
  };
}

const connect = (name, perMinute) =>
  new Client({ apiKey: name, baseUrl: 'https://api.test', fetch, rateLimit: { perMinute, perDay: 1e6, store } });

try {
  const free = connect('free', 1e6);
  const atOnce = await costOf(calls, async () => {
    for (let call = 0; call < calls; call++) await free.articles.get(42);
  });
  await redis.flushall();

  // One call a minute more than the limit: the waiters ask twice.
  const busy = connect('busy', 60);
  for (let call = 0; call < 60; call++) await busy.articles.get(42);
  const waiters = 30;
  const waiting = await costOf(waiters, () =>
    Promise.all(Array.from({ length: waiters }, () => busy.articles.get(42))),
  );
  await redis.flushall();

  const sizes = [];
  const day = connect('day', 1e6);
  for (const requests of [1, 60, 1000]) {
    await redis.flushall();
    for (let call = 0; call < requests; call++) await day.articles.get(42);
    sizes.push({ requests, bytes: await memory() });
  }
  process.stdout.write(JSON.stringify({ atOnce, waiting, sizes }));
} finally {
  redis.disconnect();
  await server.stop();
}
