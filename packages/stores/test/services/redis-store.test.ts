import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisServer, startRedis } from '@multilocal/scripts/services';
import { caught } from '@multilocal/test/support/clients';
import { Cluster, Redis } from 'ioredis';
import { ConfigurationError, ConnectionError } from 'multilocal';
import type { TakeRequest } from 'multilocal/limiter';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type EvalFunction, redisStore } from '../../src/redis/index.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

let server: RedisServer;
let redis: Redis;
let store: ReturnType<typeof redisStore>;
beforeAll(async () => {
  server = await startRedis({ args: ['--requirepass', 'hunter2'] });
  redis = new Redis(server.url, { password: 'hunter2' });
  store = redisStore(through(redis));
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

const through =
  (client: Redis | Cluster): EvalFunction =>
  (script, keys, args) =>
    client.eval(script, keys.length, ...keys, ...args);

let calls = 0;
const request = (more: Partial<TakeRequest> = {}): TakeRequest => ({
  id: `call-${++calls}`,
  windows: [
    [MINUTE, 60],
    [DAY, 1000],
  ],
  maxWait: 600_000,
  timeout: 30_000,
  ...more,
});

describe('the keys in Redis', () => {
  it('of an API key share a hash tag and hold nothing but times, ids and limits', async () => {
    const call = request();
    await store.take('abc', call);
    await store.settle('abc', call.id, 'done');
    await store.take('abc', request());
    const keys = await redis.keys('*abc*');
    expect(keys.sort()).toEqual(['done', 'flight', 'state'].map((name) => `multilocal:{abc}:${name}`));
    expect(Object.keys(await redis.hgetall('multilocal:{abc}:state')).sort()).toEqual(['ahead', 'seen']);
  });

  it('all expire, and take little memory', async () => {
    await redis.flushall();
    const before = await memory();
    const many = 2_000;
    for (let index = 0; index < many; index += 100) {
      const some = Array.from({ length: 100 }, async (_, place) => {
        const [key, call] = [`many-${index + place}`, request()];
        await store.take(key, call);
        await store.settle(key, call.id, 'done');
        await store.take(key, request());
        await store.hold(key, 1_000);
      });
      await Promise.all(some);
    }
    const perKey = ((await memory()) - before) / many;
    expect(perKey).toBeLessThan(1_500);
    await expectExpiry(DAY + 31_000);
  });

  it('of a key that uses up its day stay small', async () => {
    await redis.flushall();
    const windows: TakeRequest['windows'] = [[DAY, 1000]];
    for (let index = 0; index < 1_100; index++) {
      const call = request({ windows });
      const { state } = await store.take('busy', call);
      if (state === 'go') await store.settle('busy', call.id, 'done');
    }
    expect(await store.count('busy', [DAY])).toEqual({ used: [1000], waiting: 0 });
    const sizes = await Promise.all((await redis.keys('*')).map((key) => redis.memory('USAGE', key)));
    const bytes = sizes.reduce<number>((sum, size) => sum + Number(size), 0);
    expect(bytes).toBeLessThan(20_000);
  });

  async function memory(): Promise<number> {
    return Number(/used_memory_dataset:(\d+)/.exec(await redis.info('memory'))?.[1]);
  }

  async function expectExpiry(longest: number): Promise<void> {
    const keys = await redis.keys('*');
    const times = await Promise.all(keys.map((key) => redis.pttl(key)));
    expect(Math.min(...times)).toBeGreaterThan(0);
    expect(Math.max(...times)).toBeLessThanOrEqual(longest);
  }
});

describe('a problem with Redis', () => {
  it.each([undefined, null, {}, 'redis://127.0.0.1'])('redisStore(%j) is refused', (given) => {
    expect(() => redisStore(given as never)).toThrow(ConfigurationError);
    expect(() => redisStore(given as never)).toThrow(/`evalFunction` must be a function\. For ioredis: /);
  });

  /** A client that is refused. With its ready check, ioredis connects again and again. */
  function connect(
    options: { username?: string; password?: string; retryStrategy?: () => null },
    url = server.url,
  ): EvalFunction {
    const client = new Redis(url, { enableReadyCheck: false, maxRetriesPerRequest: 0, ...options });
    client.on('error', () => {});
    onTestFinished(() => client.disconnect());
    return through(client);
  }

  /** What Redis refuses with another setting. */
  async function withConfig(name: string, value: string, before: string): Promise<EvalFunction> {
    await redis.config('SET', name, value);
    onTestFinished(async () => void (await redis.config('SET', name, before)));
    return through(redis);
  }

  const ACCESS = 'Redis refused the user or the password. Check the options of your Redis client.';
  const ARGUMENTS = 'could not run the script. Pass all arguments on to EVAL. For ioredis';
  it.each<[string, () => EvalFunction | Promise<EvalFunction>, message: string]>([
    ['a wrong password', () => connect({ password: 'wrong-password' }), ACCESS],
    ['no password', () => connect({}), ACCESS],
    [
      'a user without the right to run scripts',
      async () => {
        await redis.call('ACL', 'SETUSER', 'reader', 'on', '>hunter2', '~*', '+@read');
        return connect({ username: 'reader', password: 'hunter2' });
      },
      'the Redis user must be allowed to use EVAL',
    ],
    [
      'a script that arrives changed',
      () => (script, keys, args) => redis.eval(`${script} x`, keys.length, ...keys, ...args),
      ARGUMENTS,
    ],
    [
      'a user without the commands of the script',
      async () => {
        await redis.call('ACL', 'SETUSER', 'evaluator', 'on', '>hunter2', '~*', '+eval');
        return connect({ username: 'evaluator', password: 'hunter2' });
      },
      'to use EVAL, and the commands of the script,',
    ],
    ['too few replicas', () => withConfig('min-replicas-to-write', '1', '0'), 'too few of its replicas'],
    ['no memory', () => withConfig('maxmemory', '1', '0'), 'no memory left'],
    ...['', 'ERR Error running script (call to f_1): @user_script:1: -'].map(
      (before): [string, () => EvalFunction, string] => [
        `a full disk (${before})`,
        () => () => Promise.reject(new Error(`${before}MISCONF Redis is configured to save RDB snapshots`)),
        'cannot save to its disk',
      ],
    ),
    [
      'a script of another program',
      () => () => Promise.reject(new Error('BUSY Redis is busy running a script. You can only call SCRIPT KILL')),
      'busy with a script of another program',
    ],
    ['arguments that are not passed on', () => (script) => redis.eval(script, 0), ARGUMENTS],
    [
      'a replica',
      async () => {
        const replica = await startRedis();
        const client = new Redis(replica.url);
        onTestFinished(() => {
          client.disconnect();
          return replica.stop();
        });
        await client.replicaof('127.0.0.1', 1);
        return through(client);
      },
      'is a replica. Connect to the primary',
    ],
    ...[undefined, 'OK', [], ['go'], ['perhaps', 1], ['wait', 'soon'], { state: 'go' }].map(
      (result): [string, () => EvalFunction, string] => [
        `a function that resolves to ${JSON.stringify(result)}`,
        () => async () => result,
        '`evalFunction` must resolve to the result of the script',
      ],
    ),
  ])('%s: a ConfigurationError that says so, without the password', async (_, evaluate, message) => {
    const error = await caught(redisStore(await evaluate()).take('problem', request()), ConfigurationError);
    expect(error.message).toContain(message);
    expect(`${error.stack}${JSON.stringify(error)}`).not.toMatch(/hunter2|wrong-password/);
  });

  it('a user with these rights alone', async () => {
    const rights = ['+eval', '+time', '+@hash', '+@list', '+@sortedset', '+pttl', '+pexpire'];
    await redis.call('ACL', 'SETUSER', 'limiter', 'on', '>hunter2', '~multilocal:*', ...rights);
    const limiter = new Redis(server.url, { username: 'limiter', password: 'hunter2' });
    expect(await redisStore(through(limiter)).take('rights', request())).toEqual({ state: 'go', ms: 0 });
    limiter.disconnect();
  });

  it('numbers that come as strings are none', async () => {
    expect(await redisStore(async () => ['wait', '250']).take('text', request())).toEqual({ state: 'wait', ms: 250 });
  });

  it('nobody listens', async () => {
    const nobody = connect({ retryStrategy: () => null }, 'redis://127.0.0.1:1');
    const error = await caught(redisStore(nobody).take('problem', request()), ConnectionError);
    expect(error.message).toMatch(/`evalFunction` failed \(\w+\)\. Check that Redis runs and can be reached\.$/);
  });
});

it('a cluster keeps the keys of an API key in one slot', async () => {
  const config = join(tmpdir(), `multilocal-${randomUUID()}.conf`);
  const args = ['--cluster-enabled', 'yes', '--cluster-config-file', config, '--cluster-announce-ip', '127.0.0.1'];
  const node = await startRedis({ args });
  const alone = new Redis(node.url);
  const cluster = new Cluster([{ host: '127.0.0.1', port: node.port }]);
  try {
    await alone.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await expect.poll(() => alone.cluster('INFO'), { timeout: 60_000 }).toMatch('cluster_state:ok');
    const shared = redisStore(through(cluster));
    for (const key of ['one', 'two', 'three']) {
      const call = request();
      expect(await shared.take(key, call)).toEqual({ state: 'go', ms: 0 });
      await shared.settle(key, call.id, 'done');
      expect(await shared.count(key, [MINUTE])).toEqual({ used: [1], waiting: 0 });
    }
  } finally {
    cluster.disconnect();
    alone.disconnect();
    await node.stop();
    rmSync(config, { force: true });
  }
});
