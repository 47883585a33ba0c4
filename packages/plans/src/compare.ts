import type { Client } from 'multilocal';
import type { PlanJournal } from 'multilocal/node';
import { Accounts } from './accounts.js';
import { invalidPlan, type PlanProblem, readActions } from './actions.js';
import { Context, type PlanOptions } from './context.js';
import { hashOfActions } from './hash.js';
import { checkJournal } from './ledger.js';
import { allLines } from './left-overs.js';
import { leftOverOf } from './left-overs-shown.js';
import { checkOptions, Opened, withSource } from './opened.js';
import { isPost } from './operations.js';
import type { Plan } from './plan.js';
import { findLost, shift } from './rehearse.js';
import type { LeftOverOptions, PlanLeftOver } from './results.js';
import { Targets } from './targets.js';
import type { Locale } from './words.js';

/** Options of {@link compareSides}. */
interface CompareOptions extends PlanOptions, LeftOverOptions {
  readonly journal: PlanJournal;
}

/**
 * Returns the left-overs of a plan, and the hash that a rehearsal with the same choices has if it finds nothing against an action. Sends
 * reads alone. The hash is `''` if a left-over stops the plan.
 */
export async function compareSides(
  client: Client,
  plan: Plan,
  options: CompareOptions,
  locale?: Locale,
): Promise<{ readonly leftOvers: readonly PlanLeftOver[]; readonly hash: string }> {
  checkJournal('compareSides', options.journal);
  checkOptions('compareSides', options, ['journal']);
  const read = readActions(plan);
  if (read.issues.length > 0) throw invalidPlan('compareSides', read.issues);
  const context = new Context(client, options, locale);
  const opened = await Opened.open(context, read, options.journal, options);
  const recorded = new Map(opened.ledger.entries());
  const lost = await findLost(opened, recorded);
  shift(opened, recorded);
  const left = await opened.leftOvers(recorded);
  const targets = new Targets(client, context.counted);
  const leftOvers: PlanLeftOver[] = [];
  for (const one of left) leftOvers.push(await leftOverOf(one, targets, opened));
  const isFree = leftOvers.every(({ problems }) => problems.length === 0);
  const isKnown = lost.length === 0 || options.leftOver === 'keep';
  const lines = allLines(opened.sides(), left, []);
  const { name, actions } = opened.plan;
  return { leftOvers, hash: isFree && isKnown ? hashOfActions(name, actions, lines) : '' };
}

/** What the accounts say against the posts of a plan. `places`: the names of locations. Two requests. */
export async function checkAccounts(
  client: Client,
  plan: Plan,
  places: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<readonly PlanProblem[]> {
  const accounts = new Accounts(new Context(client, { signal }));
  const found: PlanProblem[] = [];
  for (const action of readActions(plan).actions) {
    if (!isPost(action.operation)) continue;
    const { problems, warnings } = await accounts.check(action, places.get(String(action.params.bulle_id)));
    found.push(...withSource([...problems, ...warnings], action));
  }
  return found;
}
