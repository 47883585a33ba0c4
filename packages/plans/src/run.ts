import type { Client } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import { traceCounts } from 'multilocal/internal/trace-counts';
import { invalidPlan, readActions } from './actions.js';
import { Context } from './context.js';
import { checkJournal, underLock } from './ledger.js';
import { checkOptions, Opened } from './opened.js';
import type { Plan } from './plan.js';
import type { PlanRun, PlanStep, RunOptions } from './results.js';
import { Run } from './running.js';
import type { Locale } from './words.js';

/**
 * Carries out the actions of a plan that have not happened yet, one by one and in order. Call {@link rehearsePlan} before:
 * it is the gate. A run refuses what a rehearsal refuses.
 *
 * An action is in the journal before its request is sent, at most 30 s before. An action that may have happened is never
 * sent again, unless sending it twice has the same effect as sending it once. A run that was killed at any instant can be
 * run again: it looks up what was lost, with reads only, and goes on. If nothing shows whether an action happened, the run stops there
 * and says what to look at. Posts of an earlier version that the plan no longer has stop the run before it sends anything, unless
 * `leftOver` says what becomes of them.
 *
 * Costs one request for each action, three more for each post that is replaced, `GET /connections`, `GET /platforms/limits`, one
 * `GET /posts` for each location if the plan has posts, one `GET /reviews` for each listing whose reviews are answered, one for
 * left-overs, and one for each that is in no list. Lists that are older than five minutes are read again. Two runs with one journal do
 * everything once: the second one fails with `journal_locked`. Two journals know nothing of each other: two runs within five minutes may
 * make one post twice.
 * @throws an `InvalidRequestError` if an action is invalid, or if there is no such option. Nothing was sent.
 * @throws a `ConfigurationError` without a journal.
 * @throws a `PlanError` if the plan is not the approved one, or if the journal cannot be used.
 * @throws the error of the client if a read fails: the key, the connection, the request limits.
 * @example
 * const run = await runPlan(client, plan, { journal: fileJournal('monday.journal.json') });
 * for (const { outcome, problem } of run.steps) if (problem) console.error(outcome, problem.message);
 * requireDone(run);
 */
export function runPlan(client: Client, plan: Plan, options: RunOptions): Promise<PlanRun> {
  return runWithout(new Map(), client, plan, options);
}

/** The same, in a language. Some operations are not previewed before what they replace is deleted. */
export function runWithout(
  unpreviewed: ReadonlyMap<string, string>,
  client: Client,
  plan: Plan,
  options: RunOptions,
  locale?: Locale,
): Promise<PlanRun> {
  return traceCounts({ operation: 'runPlan' }, async (count) => {
    checkJournal('runPlan', options?.journal);
    checkOptions('runPlan', options, ['journal', 'onStep', 'approved']);
    // The caller may change the plan while it is carried out, so it is read before anything is waited for.
    const read = readActions(plan);
    if (read.issues.length > 0) throw invalidPlan('runPlan', read.issues);
    const { journal, signal } = options;
    // A variable that is not set must not approve every plan.
    const approval = 'approved' in options ? { approved: options.approved ?? '' } : {};
    const context = new Context(client, options, locale);
    try {
      // Without an identity, the keys of the actions are unknown.
      await context.owner();
    } catch (error) {
      if (!signal?.aborted || error !== signal.reason) throw error;
      return { state: 'stopped', steps: [], warnings: [], leftOvers: [], requests: context.requests };
    }
    return underLock(journal, async (isHeld) => {
      const opened = await Opened.open(context, read, journal, options, isHeld);
      const onStep = (step: PlanStep) => {
        count(step.outcome);
        return options.onStep?.(step);
      };
      return new Run(opened, unpreviewed, { ...options, ...approval, onStep }).go();
    });
  });
}

/**
 * Throws unless a run has carried out everything, so that a job that is not done is not taken for one that is.
 * @throws a `PlanError` (`plan_incomplete`) with the first problem in its message.
 * @example requireDone(await runPlan(client, plan, { journal }));
 */
export function requireDone({ state, steps, leftOvers }: Pick<PlanRun, 'state' | 'steps' | 'leftOvers'>): void {
  if (state === 'done') return;
  const problems = [...steps.flatMap(({ problem }) => problem ?? []), ...leftOvers.flatMap((one) => one.problems)];
  const left = steps.filter(({ outcome }) => outcome !== 'applied').length;
  const isOpen = steps.some(({ outcome }) => outcome === 'unknown');
  const why = problems[0]?.message ?? 'It was ended by its signal.';
  const message = `The plan is not carried out: the run ended as \`${state}\`, with ${left} of ${steps.length} actions left. ${why}`;
  const hint = 'Run the plan again once this is solved. It goes on where it ended.';
  throw new PlanError('plan_incomplete', message, hint, isOpen ? 'unknown' : 'not_applied');
}
