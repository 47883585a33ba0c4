import { setTimeout } from 'node:timers/promises';
import type * as clack from '@clack/prompts';
import type { Both } from '@multilocal/plans/words';
import { INTERRUPTED } from './errors-said.js';
import { Interrupted } from './failure.js';

/** Time in which the terminal passes on what was typed before, in ms. */
const TYPED_AHEAD = 100;

/**
 * Asks for a yes on a terminal. A closed stdin is a no.
 * @throws an {@link Interrupted} if Ctrl-C was pressed.
 */
export async function ask(message: string, signal: AbortSignal): Promise<boolean> {
  const question: Question<boolean> = ({ confirm }, options) => confirm({ message, initialValue: false, ...options });
  return (await answerTo(question, signal, INTERRUPTED.declined)) ?? false;
}

/** Lets a person choose on a terminal. The last choice is the one that does nothing, and `undefined` a closed stdin. */
export async function choose<Value extends string>(
  message: string,
  signal: AbortSignal,
  choices: readonly (readonly [value: Value, label: string])[],
): Promise<Value | undefined> {
  const options = choices.map(([value, label]): { value: string; label: string } => ({ value, label }));
  const initialValue = options.at(-1)?.value;
  const question: Question<string> = ({ select }, more) =>
    select({ message, options, ...(initialValue !== undefined && { initialValue }), ...more });
  return (await answerTo(question, signal, INTERRUPTED.declined)) as Value | undefined;
}

/** A question of clack. It resolves to a symbol if Ctrl-C was pressed. */
export type Question<Answer> = (prompts: typeof clack, options: clack.CommonOptions) => Promise<Answer | symbol>;

/**
 * Asks a question on a terminal. `undefined` if stdin is closed.
 * @throws an {@link Interrupted} if Ctrl-C was pressed, which says what was not done.
 */
export async function answerTo<Answer>(
  question: Question<Answer>,
  signal: AbortSignal,
  interrupted: string | Both,
): Promise<Answer | undefined> {
  const prompts = await import('@clack/prompts');
  const { stdin } = process;
  const end = new AbortController();
  // Without this, the question would wait forever for a closed stdin.
  stdin.once('end', () => end.abort());
  const signals = AbortSignal.any([signal, end.signal]);
  await discardInput(stdin, interrupted);
  const answer = signals.aborted ? undefined : await question(prompts, { output: process.stderr, signal: signals });
  if (end.signal.aborted) return undefined;
  if (signals.aborted || typeof answer === 'symbol') throw new Interrupted(interrupted);
  return answer;
}

/**
 * Discards what was typed before a question, because it cannot be the answer. A terminal keeps such input until it is in
 * raw mode, in which Ctrl-C is a character.
 * @throws an {@link Interrupted} if Ctrl-C was pressed.
 */
async function discardInput(stdin: typeof process.stdin, interrupted: string | Both): Promise<void> {
  let isInterrupted = false;
  const onData = (typed: Buffer | string) => {
    isInterrupted ||= String(typed).includes('\u0003');
  };
  stdin.setRawMode(true);
  stdin.on('data', onData);
  await setTimeout(TYPED_AHEAD);
  stdin.off('data', onData).pause();
  stdin.setRawMode(false);
  if (isInterrupted) throw new Interrupted(interrupted);
}
