import type { Client, MultilocalError, Outcome } from 'multilocal';
import { isRepeatable } from 'multilocal/internal/call';
import { ConfigurationError, isMultilocalError, PlanError } from 'multilocal/internal/errors';
import { emit } from 'multilocal/internal/events';
import { looksLikePreview } from 'multilocal/internal/types';
import type { PlanJournal } from 'multilocal/node';
import { type Action, at, inView, invalidPlan, type PlanProblem, readActions } from './actions.js';
import type { ServiceClock } from './clock.js';
import { Context, type PlanOptions } from './context.js';
import { isOpen, isUnresolved, PREVIEWED, resolve } from './follow.js';
import { hashOfActions } from './hash.js';
import { type Ending, Ledger } from './ledger.js';
import { invoke } from './operation.js';
import { idsOf, outcomeOf, signOfFailure } from './outcome.js';
import type { Plan } from './plan.js';
import { Twins } from './twins.js';
import { Wire } from './wire.js';

/** What is known of one action after a run. */
export interface PlanStep {
  /** Number of the action, from 0. */
  readonly index: number;
  /** The operation of the action. */
  readonly operation: string;
  /** Whether the action happened, in this run or an earlier one. */
  readonly outcome: Outcome;
  /** Ids of what was made. */
  readonly ids?: readonly (string | number)[] | undefined;
  /** The body of the response. Absent if an earlier run has carried the action out. */
  readonly result?: unknown;
  /** Why the run stopped at this action, and what to do. */
  readonly problem?: PlanProblem | undefined;
  /** What the response says against an action that was carried out. */
  readonly warning?: PlanProblem | undefined;
  /** The error that stopped the run at this action. */
  readonly error?: unknown;
}

/** The result of {@link runPlan}. */
export interface PlanRun {
  /**
   * - `done`: every action has happened.
   * - `stopped`: the last step with a `problem` says why, or `signal` has ended the run. The next run goes on from there.
   */
  readonly state: 'done' | 'stopped';
  /** A step for each action of the plan, in its order: those of earlier runs and those that were not reached, too. */
  readonly steps: readonly PlanStep[];
  /** Requests that this run has sent. `GET /health`, which counts toward no limit, is not among them. */
  readonly requests: number;
}

/** Options of {@link runPlan}. */
export interface RunOptions extends PlanOptions {
  /** What has happened. Each plan has a journal of its own: `fileJournal`, `sqlJournal` or `memoryJournal`. */
  readonly journal: PlanJournal;
  /** Called after each action that this run has settled. Errors of it are ignored. */
  readonly onStep?: ((step: PlanStep) => unknown) | undefined;
  /** The `hash` that was shown to the person who approved the plan. Another plan is refused, and `''` refuses every plan. */
  readonly approved?: string | undefined;
  /** Carry an action out although the service already has the same post and the journal does not know it. */
  readonly again?: boolean | undefined;
}

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
 * Costs one request for each action, and one `GET /posts` for each location if the plan has new posts and `again` is not
 * set. Two runs with one journal do everything once: the second one fails with `journal_locked`.
 * @throws an `InvalidRequestError` if an action is invalid. Nothing was sent.
 * @throws a `ConfigurationError` without a journal.
 * @throws a `PlanError` if the plan is not the approved one, or if the journal cannot be used.
 * @throws the error of the client if a read fails: the key, the connection, the request limits.
 * @example
 * const { state, steps } = await runPlan(client, plan, { journal: fileJournal('monday.journal.json') });
 * for (const { outcome, problem } of steps) if (problem) console.error(outcome, problem.message);
 */
export async function runPlan(client: Client, plan: Plan, options: RunOptions): Promise<PlanRun> {
  checkJournal(options);
  // The caller may change the plan while it is carried out, so it is read before anything is waited for.
  const { issues, actions: given } = readActions(plan);
  if (issues.length > 0) throw invalidPlan('runPlan', issues);
  const { journal } = options;
  const context = new Context(client, options);
  const owner = await context.owner();
  const actions = inView(given, client);
  checkApproved(hashOfActions(actions), options.approved);
  const release = await journal.hold?.();
  try {
    const ledger = await Ledger.open(journal, actions, owner);
    return await new Run(context, ledger, actions, options).go();
  } finally {
    // What happened is in the journal. A lock that stays is that of a process that ends.
    await release?.().catch(() => {});
  }
}

function checkJournal(options: RunOptions | undefined): void {
  const { load, save } = Object(options?.journal) as Partial<PlanJournal>;
  if (typeof load === 'function' && typeof save === 'function') return;
  const message =
    'runPlan: `journal` is required, or a run that is repeated would do everything again. Pass fileJournal(path) of `multilocal/node`, sqlJournal(…) of `multilocal/sql`, or memoryJournal().';
  throw new ConfigurationError(message);
}

function checkApproved(hash: string, approved: string | undefined): void {
  if (approved === undefined || approved === hash) return;
  const message = 'The plan is not the one that was approved: its hash differs.';
  throw new PlanError('plan_not_approved', message, 'Rehearse the plan, and let its new hash be approved.');
}

/** The code of an applied action whose response names a failure. */
export const DOUBTFUL = 'failure_in_response';

/** How often a start is saved anew: a write leaves at most that many ms after its save. */
const LEAVES_WITHIN = 30_000;

/** One run of a plan. */
class Run {
  readonly #context: Context;
  readonly #ledger: Ledger;
  readonly #actions: readonly Action[];
  readonly #options: RunOptions;
  readonly #twins: Twins;
  /** What this run found out about actions. */
  readonly #settled = new Map<Action, Partial<PlanStep>>();

  constructor(context: Context, ledger: Ledger, actions: readonly Action[], options: RunOptions) {
    this.#context = context;
    this.#ledger = ledger;
    this.#actions = actions;
    this.#options = options;
    this.#twins = new Twins(context, ledger);
  }

  async go(): Promise<PlanRun> {
    const { signal } = this.#context;
    for (const action of this.#actions) {
      if (this.#ledger.entryOf(action)?.outcome === 'applied') continue;
      const found = await this.#settle(action).catch((error) => {
        // The reason of the signal ends the run, and nothing else. A journal that got the signal, too, may throw it.
        if (!signal?.aborted || error !== signal.reason || this.#ledger.hasLostEnding) throw error;
        return {};
      });
      this.#settled.set(action, found);
      const step = this.#stepOf(action);
      if (Object.keys(found).length > 0 || step.outcome === 'applied') emit(this.#options.onStep, step);
      if (step.outcome !== 'applied') return this.#result('stopped');
    }
    return this.#result('done');
  }

  #result(state: PlanRun['state']): PlanRun {
    const steps = this.#actions.map((action) => this.#stepOf(action));
    return { state, steps, requests: this.#context.asking.requests };
  }

  #stepOf(action: Action): PlanStep {
    const { index, operation } = action;
    const { outcome = 'not_applied', ids } = this.#ledger.entryOf(action) ?? {};
    const known = { index, operation, outcome: outcome === 'started' ? 'unknown' : outcome } as const;
    return { ...known, ...(ids && { ids }), ...this.#settled.get(action) };
  }

  /** Finds out whether an action has happened, and carries it out if it has not. */
  async #settle(action: Action): Promise<Partial<PlanStep>> {
    const { signal } = this.#context;
    signal?.throwIfAborted();
    const before = this.#ledger.entryOf(action);
    if (isUnresolved(action, before)) {
      const trace = await resolve(this.#context, this.#ledger, action);
      if (trace?.state === 'applied') return {};
      if (trace?.state !== 'absent') return unresolved(action, before?.error === PREVIEWED ? ANSWERED : whyOpen(trace));
    }
    const twin = !this.#options.again && !isOpen(before) ? await this.#twins.find(action) : undefined;
    if (twin) {
      // Another run with this journal may have made the post since it was read.
      await this.#ledger.refuseChanged();
      return { problem: { ...twin, message: `${twin.message} ${AGAIN}` } };
    }
    return this.#carryOut(action, isOpen(before));
  }

  /** Sends an action, and notes its outcome. `isRepeated`: an earlier attempt may have happened. */
  async #carryOut(action: Action, isRepeated: boolean): Promise<Partial<PlanStep>> {
    const { client, signal } = this.#context;
    const { endpoint, params } = action;
    const clock = await this.#context.clock();
    const before = this.#ledger.entryOf(action);
    const wire = new Wire(this.#context, action, 'sending');
    let body: unknown;
    try {
      const note = () => this.#start(action, clock);
      body = await wire.carry(note, (options) => invoke(client, endpoint, params, options));
    } catch (error) {
      // The journal refused the attempt. Its error says nothing about the action.
      if (wire.hasFailedBefore) throw error;
      if (signal?.aborted && error === signal.reason) {
        // It was interrupted while it waited. An earlier attempt may have happened only if twice has the effect of once.
        const isInDoubt = isRepeated || (wire.isInDoubt && isRepeatable(endpoint));
        if (this.#ledger.entryOf(action) !== before) {
          const outcome = isInDoubt ? 'unknown' : 'not_applied';
          await this.#ledger.end(action, { outcome, ...endOf(outcome, clock) });
        }
        throw error;
      }
      if (!isMultilocalError(error)) throw error;
      const outcome = outcomeOf(error, action, isRepeated);
      // A deletion that finds nothing has the body of a refusal, which says nothing about the deletion.
      const failed = error.outcome === outcome && Reflect.get(error, 'body');
      if (outcome === 'applied') return this.#accept(action, failed, clock);
      const { code, status }: MultilocalError & { status?: number } = error;
      const hasLeft = this.#ledger.entryOf(action) !== before;
      if (hasLeft) await this.#ledger.end(action, { outcome, error: code, status, ...endOf(outcome, clock) });
      const message = `${error.message} ${outcome === 'unknown' ? LOOKS : TRIES}`;
      return { ...(hasLeft && { outcome }), error, problem: { code, message, path: at(action) } };
    }
    // Outside of the `try`: if the journal cannot note the response, the action has not failed.
    return this.#accept(action, body, clock);
  }

  /** Notes that a request is about to leave. If that took long, it is noted anew: another run may have looked meanwhile. */
  async #start(action: Action, clock: ServiceClock): Promise<void> {
    const { timer, signal } = this.#context;
    for (let late = true; late && !signal?.aborted; ) {
      const [now, date] = [timer.now(), timer.date()];
      await this.#ledger.start(action, new Date(clock.now().earliest));
      late = Math.max(timer.now() - now, timer.date() - date) > LEAVES_WITHIN;
    }
  }

  /**
   * Notes an action that the service has accepted with a 2xx response. The specification does not say what a response means
   * that names an error, so the action counts as carried out, which repeats nothing, and the step has a warning. A preview
   * shows that the service took the request for a dry run, or pretends to. So a person must settle the action.
   */
  async #accept(action: Action, result: unknown, clock: ServiceClock): Promise<Partial<PlanStep>> {
    const { endpoint, params } = action;
    if (looksLikePreview(result)) {
      await this.#ledger.end(action, { outcome: 'unknown', error: PREVIEWED, ...endOf('unknown', clock) });
      return unresolved(action, ANSWERED);
    }
    const sign = signOfFailure(result);
    const ids = idsOf(result, endpoint.confidential?.(params));
    await this.#ledger.end(action, { outcome: 'applied', ids, ...(sign && { error: DOUBTFUL }) });
    if (!sign) return { result };
    const message = `The service accepted the request, but its response has ${sign}. Look in the service whether it happened. It is not sent again.`;
    return { result, warning: { code: DOUBTFUL, message, path: at(action) } };
  }
}

const AGAIN = 'Nothing was sent. If the post is to appear again, run the plan with `again: true`.';
const TRIES = 'It did not happen. The next run tries it again; to leave it out, remove the action from the plan.';
const LOOKS = 'It is unknown whether it happened. Run the plan again: it looks before it goes on.';
const ANSWERED =
  'the service answered the request with a preview. Check the address and the key: they may be those of a test system';

function whyOpen(trace: object | undefined): string {
  return trace ? 'the service does not show whether it did' : 'no read of the service shows whether it did';
}

/** The step of an action that a person must settle. */
function unresolved(action: Action, why: string): Partial<PlanStep> {
  const todo =
    'It is never sent again. Look in the service, then set the `outcome` of the action in the journal to "applied" or "not_applied".';
  const message = `${action.operation} may have happened: ${why}. ${todo}`;
  const error = new PlanError(
    'plan_unresolved',
    message,
    'Settle this action as described, then run the plan again.',
    'unknown',
  );
  return { outcome: 'unknown', error, problem: { code: 'plan_unresolved', message, path: at(action) } };
}

/** Lookups count from the end of the call: the last attempt may have been sent a moment before. */
function endOf(outcome: Outcome, clock: ServiceClock): Pick<Ending, 'service_end'> {
  return outcome === 'unknown' ? { service_end: new Date(clock.now().latest).toISOString() } : {};
}
