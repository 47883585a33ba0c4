import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { childProgram } from '../support/child.js';

const RIVALS = 6;
const ROUNDS = 5;

const { folder, program } = childProgram('lock-child.ts', import.meta.url);

it('the lock of a killed run is taken over by exactly one of the processes that want it', async () => {
  const file = join(folder, 'plan.lock');
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
