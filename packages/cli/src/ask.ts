import { setTimeout } from 'node:timers/promises';
import { Interrupted } from './failure.js';

/** Time in which the terminal passes on what was typed before, in ms. */
const TYPED_AHEAD = 100;

/**
 * Asks a question on a terminal. A closed stdin is a no.
 * @throws an {@link Interrupted} if Ctrl-C was pressed.
 */
export async function ask(message: string, signal: AbortSignal): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const { stdin } = process;
  const end = new AbortController();
  // Without this, the question would wait forever for a closed stdin.
  stdin.once('end', () => end.abort());
  const signals = AbortSignal.any([signal, end.signal]);
  await discardInput(stdin);
  const answer =
    signals.aborted || (await confirm({ message, initialValue: false, output: process.stderr, signal: signals }));
  if (end.signal.aborted) return false;
  if (signals.aborted || isCancel(answer)) throw new Interrupted('Interrupted. Nothing was carried out.');
  return answer;
}

/**
 * Discards what was typed before a question, because it cannot be the answer. A terminal keeps such input until it is in
 * raw mode, in which Ctrl-C is a character.
 * @throws an {@link Interrupted} if Ctrl-C was pressed.
 */
async function discardInput(stdin: typeof process.stdin): Promise<void> {
  let isInterrupted = false;
  const onData = (typed: Buffer | string) => {
    isInterrupted ||= String(typed).includes('\u0003');
  };
  stdin.setRawMode(true);
  stdin.on('data', onData);
  await setTimeout(TYPED_AHEAD);
  stdin.off('data', onData).pause();
  stdin.setRawMode(false);
  if (isInterrupted) throw new Interrupted('Interrupted. Nothing was carried out.');
}
