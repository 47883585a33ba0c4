import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import postgresJs from 'postgres';
import { createClient } from 'redis';
import { expect, it, onTestFinished } from 'vitest';
import { startPostgres, startRedis } from '../../scripts/services.mjs';

const SCRIPT = fileURLToPath(new URL('../../scripts/services.mjs', import.meta.url));

/** Send one command with node-redis. */
async function send(url: string, ...command: string[]): Promise<unknown> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  try {
    await client.connect();
    return await client.sendCommand(command);
  } finally {
    if (client.isOpen) client.destroy();
  }
}

async function sendWithIoredis(url: string, command: string): Promise<unknown> {
  const redis = new Redis(url);
  try {
    return await redis.call(command);
  } finally {
    redis.disconnect();
  }
}

/** Run a query with pg. */
async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function queryWithPostgresJs(url: string, text: string): Promise<unknown[]> {
  const sql = postgresJs(url);
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end();
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('starts, kills, restarts and stops Redis', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  expect(await send(redis.url, 'PING')).toBe('PONG');
  expect(await sendWithIoredis(redis.url, 'PING')).toBe('PONG');
  await send(redis.url, 'SET', 'a', '1');

  const first = redis.pid;
  await redis.kill();
  expect(isRunning(first)).toBe(false);
  await expect(send(redis.url, 'PING')).rejects.toThrow('ECONNREFUSED');

  await redis.restart();
  expect(redis.pid).not.toBe(first);
  expect(await send(redis.url, 'GET', 'a')).toBeNull();

  await redis.restart();
  expect(await send(redis.url, 'PING')).toBe('PONG');
  await redis.stop();
  expect(isRunning(redis.pid)).toBe(false);
  await redis.stop();
});

it('passes settings to Redis, and says why Redis does not start', async () => {
  const redis = await startRedis({ args: ['--requirepass', 'secret'] });
  onTestFinished(() => redis.stop());
  await expect(send(redis.url, 'PING')).rejects.toThrow('NOAUTH');
  expect(await send(redis.url.replace('//', '//:secret@'), 'PING')).toBe('PONG');
  await expect(startRedis({ port: redis.port })).rejects.toThrow('already in use');
});

it('starts and stops Postgres', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await queryWithPostgresJs(postgres.url, 'SELECT 2 AS two')).toEqual([{ two: 2 }]);
  const sessions = (await query(postgres.url, 'SELECT pid FROM pg_stat_activity')) as { pid: number }[];
  expect(sessions.length).toBeGreaterThan(1);
  await postgres.stop();
  expect([postgres.pid, ...sessions.map(({ pid }) => pid)].filter(isRunning)).toEqual([]);
});

it.each(['SIGTERM', 'SIGKILL'] as const)('leaves no process when its parent ends by %s', async (signal) => {
  // A parent that is killed cannot remove its folder.
  const folder = await mkdtemp(join(tmpdir(), 'multilocal-services-'));
  await chmod(folder, 0o777);
  const script = `
    import { startPostgres, startRedis } from ${JSON.stringify(SCRIPT)};
    const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    console.log(JSON.stringify([redis.pid, postgres.pid]));`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: folder },
  });
  onTestFinished(async () => {
    parent.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  const [line] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string];
  const pids = JSON.parse(line) as number[];
  expect(pids.filter(isRunning)).toEqual(pids);
  parent.kill(signal);
  // The time limit of the test ends this loop, if a process stays.
  while (pids.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 20));
  if (parent.exitCode === null && parent.signalCode === null) await once(parent, 'exit');
  if (signal === 'SIGTERM') expect(await readdir(folder)).toEqual([]);
});
