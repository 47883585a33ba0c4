import type { Client } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import { tracePlan } from 'multilocal/internal/trace';
import { inView, invalidPlan, readActions } from './actions.js';
import { Context } from './context.js';
import { asKnown } from './digests.js';
import { hashOfActions } from './hash.js';
import { checkJournal, Ledger } from './ledger.js';
import type { Plan } from './plan.js';
import { leftOvers, lookUpLost, prunedOf } from './prune.js';
import type { PlanRun, PlanStep, RunOptions } from './results.js';
import { Run } from './running.js';
import { Sights } from './sights.js';

/**
 * Carries out the actions of a plan that have not happened yet, one by one and in order. Call {@link rehearsePlan} before:
 * it is the gate.
 *
 * An action is in the journal before its request is sent, at most 30 s before. An action that may have happened is never
 * sent again, unless sending it twice has the same effect as sending it once. A run that was killed at any instant can be
 * run again: it looks up what was lost, with reads only, and goes on. Absence counts only after the time limit of the
 * request and a minute more, by every clock it has, so the look may take minutes. If nothing shows whether the action
 * happened, the run stops there and says what to look at.
 *
 * An action whose key was carried out with other parameters is a correction: a pending post is changed, or deleted and made
 * anew. A post that was deleted on the service is made again.
 *
 * All permissions are checked before the first write. Costs one request for each action, one read for each correction, one more where it replaces a post, and one
 * `GET /posts` for each location if the plan has posts. Two runs with one journal do everything once: the second one fails with `journal_locked`.
 * @throws an `InvalidRequestError` if an action is invalid. Nothing was sent.
 * @throws a `ConfigurationError` without a journal.
 * @throws a `PlanError` if the plan is not the approved one, or if the journal cannot be used.
 * @throws the error of the client if a read fails: the key, the connection, the request limits.
 * @example
 * const { state, steps } = await runPlan(client, plan, { journal: fileJournal('monday.journal.json') });
 * for (const { outcome, problem } of steps) if (problem) console.error(outcome, problem.message);
 */
export function runPlan(client: Client, plan: Plan, options: RunOptions): Promise<PlanRun> {
  return tracePlan('runPlan', (count) => {
    const onStep = (step: PlanStep) => {
      count(step.outcome);
      return options.onStep?.(step);
    };
    return runTraced(client, plan, options && { ...options, onStep });
  });
}

async function runTraced(client: Client, plan: Plan, options: RunOptions): Promise<PlanRun> {
  checkJournal('runPlan', options?.journal);
  // The caller may change the plan while it is carried out, so it is read before anything is waited for.
  const { issues, actions: given, name } = readActions(plan);
  if (issues.length > 0) throw invalidPlan('runPlan', issues);
  const { journal, signal } = options;
  const pruning = options.prune ? name : undefined;
  const context = new Context(client, options);
  const unlessStopped = <Value>(reading: Promise<Value>) =>
    reading.catch((error: unknown) => {
      if (!signal?.aborted || error !== signal.reason) throw error;
      return undefined;
    });
  const owner = await unlessStopped(context.owner());
  // Without an identity, the keys of the actions are unknown.
  if (!owner) return { state: 'stopped', steps: [], requests: context.requests };
  const release = await journal.hold?.();
  try {
    const ledger = await Ledger.open(journal, owner, { timer: context.timer, isHeld: release !== undefined });
    const actions = asKnown(given, client, ledger.entries());
    const sights = new Sights(context, ledger);
    const run = new Run(context, ledger, sights, actions, options);
    const looking = lookUpLost(context, ledger, pruning, actions);
    const found = await unlessStopped(looking.then(() => leftOvers(ledger.entries(), context, pruning, actions)));
    if (!found) return await run.go([]);
    const left = found.filter(({ isOnline }) => !isOnline);
    const pruned = [...prunedOf(ledger.entries(), pruning, actions), ...left.map(({ key }) => key)];
    refuseUnapproved(hashOfActions(inView(given, client), pruned), options.approved);
    const result = await run.go(left);
    // Their keys were part of the hash while the run was not over.
    const over = result.state === 'done' ? prunedOf(ledger.entries(), pruning, actions) : [];
    for (const key of over) await ledger.save(key, undefined);
    return result;
  } finally {
    // What happened is in the journal. A lock that stays is that of a process that ends.
    await release?.().catch(() => {});
  }
}

/** @throws a `PlanError` if another plan was approved. */
export function refuseUnapproved(hash: string, approved: string | undefined): void {
  if (approved === undefined || approved === hash) return;
  const message = 'The plan is not the one that was approved: its hash differs. Nothing was sent.';
  throw new PlanError('plan_not_approved', message, 'Rehearse the plan again, and let its new hash be approved.');
}
