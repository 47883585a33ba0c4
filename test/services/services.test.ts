import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const SCRIPT = new URL('../../scripts/services.mjs', import.meta.url).href;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.each(['SIGTERM', 'SIGKILL'] as const)('services leave no process when their parent ends by %s', async (signal) => {
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
