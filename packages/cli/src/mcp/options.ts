import type { PlanChoices } from 'multilocal/plans';
import { Refused } from './refused.js';

/** The choices of a plan, by the words of the tool, and the flags of the command for a person. */
const OPTIONS = {
  prune: ['--prune', { leftOver: 'prune' }],
  keep: ['--keep-left-overs', { leftOver: 'keep' }],
  retry_failed: ['--retry-failed', { retryFailed: true }],
  again: ['--again', { again: true }],
} as const satisfies Readonly<Record<string, readonly [flag: string, choice: PlanChoices]>>;

/** What becomes of left-overs, failed posts and posts that are there already. */
export type Option = keyof typeof OPTIONS;

export const OPTION_NAMES = Object.keys(OPTIONS) as readonly Option[];

/** The flags of options on the command line. */
export function flagsOf(options: readonly Option[]): string {
  return options.map((one) => ` ${OPTIONS[one][0]}`).join('');
}

/** What the engine is asked for. @throws a {@link Refused} if options exclude each other. */
export function choicesOf(options: readonly Option[]): PlanChoices {
  if (!options.includes('prune') || !options.includes('keep'))
    return Object.assign({}, ...options.map((one) => OPTIONS[one][1]));
  throw new Refused('invalid_options', '`prune` and `keep` exclude each other. Nothing was sent.', 'Pass one of them.');
}
