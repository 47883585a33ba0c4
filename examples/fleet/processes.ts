// The child processes: the service and the workers. They end when this process ends, because they notice its end.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { BrandReport, Question } from './brands.js';

export function start(name: 'service' | 'worker', env: Record<string, string>): ChildProcess {
  const { dirname: cwd } = import.meta;
  return fork(`${cwd}/${name}.ts`, { cwd, execArgv: ['--import', 'tsx'], env: { ...process.env, ...env } });
}

export const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Asks the service about a brand. One question at a time. */
export async function ask(service: ChildProcess, question: Question): Promise<BrandReport> {
  const answered = message<BrandReport>(service);
  service.send(question);
  return answered;
}

/** The next message of a child. Rejects if the child ends instead. */
export function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The service has ended.'));
    child.once('exit', onExit);
    child.once('message', (content) => {
      child.off('exit', onExit);
      resolve(content as T);
    });
  });
}
