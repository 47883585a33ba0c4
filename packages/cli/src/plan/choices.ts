import type { ArgsDef } from 'citty';
import type { PlanChoices } from 'multilocal/plans';
import { flag } from '../command.js';
import { UsageError } from '../failure.js';
import { USAGE } from '../usage-said.js';

/** Flags of what becomes of pending posts that a plan no longer has. */
export const CHOICE_ARGS = {
  prune: flag('Move or delete pending posts that the plan no longer has'),
  'keep-left-overs': flag('Leave such posts, which appear beside the plan'),
  'allow-mass-deletion': flag('With --prune: delete more than half of the pending posts of the plan'),
} as const satisfies ArgsDef;

type Flags = { readonly [Name in keyof typeof CHOICE_ARGS]?: boolean | undefined };

/** Reads the flags of {@link CHOICE_ARGS}. */
export function choicesOf({
  prune,
  'keep-left-overs': keep,
  'allow-mass-deletion': allowMassDeletion,
}: Flags): Pick<PlanChoices, 'leftOver' | 'allowMassDeletion'> {
  if (prune && keep) {
    throw new UsageError(...USAGE.together('prune', 'keep-left-overs'));
  }
  return { leftOver: prune ? 'prune' : keep ? 'keep' : 'refuse', allowMassDeletion };
}
