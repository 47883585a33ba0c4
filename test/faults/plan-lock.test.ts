import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

const RIVALS = 6;
const ROUNDS = 12;

const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'multilocal-lock-'));
const program = join(base, 'child.mjs');

beforeAll(async () => {
  const entryPoints = [fileURLToPath(new URL('lock-child.ts', import.meta.url))];
  await build({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'esm' });
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

it('the lock of a killed run is taken over by exactly one of the processes that want it', async () => {
  const file = join(base, 'plan.lock');
  let last: ChildProcess | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const rivals = Array.from({ length: RIVALS }, () => start(file));
    await Promise.all(rivals.map((rival) => once(rival, 'message')));
    // The holder of the round before is dead when all of them reach for its lock.
    if (last) await kill(last);
    const answers = await Promise.all(
      rivals.map(async (rival) => {
        const answer = once(rival, 'message');
        rival.send('go');
        return String((await answer)[0]);
      }),
    );
    expect(answers.toSorted()).toEqual([...Array<string>(RIVALS - 1).fill('journal_locked'), 'taken']);
    last = rivals[answers.indexOf('taken')];
    expect(JSON.parse(readFileSync(file, 'utf8')).pid).toBe(last?.pid);
    await Promise.all(rivals.filter((rival) => rival !== last).map(kill));
  }
});

function start(file: string): ChildProcess {
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
