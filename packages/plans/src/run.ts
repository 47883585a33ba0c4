import type { Client, MultilocalError, Outcome } from 'multilocal';
import { isRepeatable } from 'multilocal/internal/call';
import { ConfigurationError, isMultilocalError, PlanError } from 'multilocal/internal/errors';
import { emit } from 'multilocal/internal/events';
import { looksLikePreview } from 'multilocal/internal/types';
import type { PlanJournal } from 'multilocal/node';
import { Accounts } from './accounts.js';
import { type Action, at, inView, invalidPlan, type PlanProblem, readActions } from './actions.js';
import { LEAVES_WITHIN } from './clock.js';
import { Context, type PlanOptions } from './context.js';
import { decide, isOnline, isOpen, kept, type Next, PREVIEWED, type Sight } from './decide.js';
import { hashOfActions } from './hash.js';
import type { Entry } from './journal-content.js';
import { Ledger } from './ledger.js';
import { busyUntil, countBefore, look } from './look.js';
import { invoke } from './operation.js';
import { idsOf, missingIn, outcomeOf, signOfFailure } from './outcome.js';
import type { Plan } from './plan.js';
import { type LeftOver, leftOvers, prunedOf } from './prune.js';
import { refusedLocally } from './refusals.js';
import { send } from './send.js';
import { Sights } from './sights.js';
import { deleting, sending, type Task, updating } from './tasks.js';

/** What is known of one action after a run. */
export interface PlanStep {
  /** Number of the action, from 0. A deletion of `prune` has a number behind those of the actions. */
  readonly index: number;
  /** The key of the action. */
  readonly key: string;
  /** The operation of the action. */
  readonly operation: string;
  /** Whether the action happened, in this run or an earlier one. */
  readonly outcome: Outcome;
  /** Ids of what was made. */
  readonly ids?: readonly (string | number)[] | undefined;
  /** The body of the response. Absent if an earlier run has carried the action out. */
  readonly result?: unknown;
  /** Why the action did not happen, or may not have, and what to do. */
  readonly problem?: PlanProblem | undefined;
  /** What the response says against an action that was carried out. */
  readonly warning?: PlanProblem | undefined;
  /** The error of the action. */
  readonly error?: unknown;
}

/** The result of {@link runPlan}. */
export interface PlanRun {
  /**
   * - `done`: every action has happened.
   * - `partly`: with `keepGoing`, some have not. Their steps have a `problem`.
   * - `stopped`: the last step with a `problem` says why, or `signal` has ended the run. The next run goes on from there.
   */
  readonly state: 'done' | 'partly' | 'stopped';
  /** A step for each action of the plan, in its order: those of earlier runs and those that were not reached, too. */
  readonly steps: readonly PlanStep[];
  /** Requests that this run has sent. `GET /health`, which counts toward no limit, is not among them. */
  readonly requests: number;
}

/** Options of {@link runPlan}. */
export interface RunOptions extends PlanOptions {
  /** What has happened, by key. Several plans may share one: `fileJournal`, `sqlJournal` or `memoryJournal`. */
  readonly journal: PlanJournal;
  /** Called after each action that this run has settled. Errors of it are ignored. */
  readonly onStep?: ((step: PlanStep) => unknown) | undefined;
  /** The `hash` that was shown to the person who approved the plan. Another plan is refused, and `''` refuses every plan. */
  readonly approved?: string | undefined;
  /** Carry an action out although the service already has the same post and the journal does not know it. */
  readonly again?: boolean | undefined;
  /** Go on with the other actions if one is refused, fails or stays unknown. */
  readonly keepGoing?: boolean | undefined;
  /** Delete pending posts whose key begins with the name of the plan and a slash, and that the plan no longer has. */
  readonly prune?: boolean | undefined;
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
 * An action whose key was carried out with other parameters is a correction: a pending post is changed, or deleted and made
 * anew. A post that somebody has deleted is made again.
 *
 * Costs one request for each action, one read for each correction, and one `GET /posts` for each location if the plan has
 * posts. Two runs with one journal do everything once: the second one fails with `journal_locked`.
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
  const { issues, actions: given, name } = readActions(plan);
  if (issues.length > 0) throw invalidPlan('runPlan', issues);
  const { journal, prune } = options;
  const context = new Context(client, options);
  const owner = await context.owner();
  const actions = inView(given, client);
  const release = await journal.hold?.();
  try {
    const ledger = await Ledger.open(journal, owner, { timer: context.timer, isHeld: release !== undefined });
    const sights = new Sights(context, ledger);
    const left = prune && name !== undefined ? await leftOvers(ledger, sights, name, actions) : [];
    const pruned = prune && name !== undefined ? prunedOf(ledger, name, actions) : [];
    checkApproved(hashOfActions(actions, [...pruned, ...left.map(({ key }) => key)]), options.approved);
    const run = new Run(context, ledger, sights, actions, options);
    const result = await run.go(left);
    // They kept the hash while the run was not over.
    if (result.state === 'done')
      await ledger.forget(prune && name !== undefined ? prunedOf(ledger, name, actions) : []);
    return result;
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

/** What a run has found out about an action. */
type Found = Partial<PlanStep> & { readonly outcome: Outcome };

/** One run of a plan. */
class Run {
  readonly #context: Context;
  readonly #ledger: Ledger;
  readonly #sights: Sights;
  readonly #actions: readonly Action[];
  readonly #options: RunOptions;
  readonly #accounts: Accounts;
  /** What this run found out, by key. */
  readonly #found = new Map<string, Found>();

  constructor(context: Context, ledger: Ledger, sights: Sights, actions: readonly Action[], options: RunOptions) {
    this.#context = context;
    this.#ledger = ledger;
    this.#sights = sights;
    this.#actions = actions;
    this.#options = options;
    this.#accounts = new Accounts(context);
  }

  async go(left: readonly LeftOver[]): Promise<PlanRun> {
    const { keepGoing } = this.#options;
    const refused = this.#refusals();
    for (const [action, problem] of refused) this.#found.set(action.key, { outcome: 'not_applied', problem });
    if (refused.size > 0 && !keepGoing) return this.#result('stopped', left);
    for (const action of this.#actions) {
      if (refused.has(action)) continue;
      const isOver = await this.#each(action, () => this.#settle(action));
      if (isOver) return this.#result('stopped', left);
    }
    for (const one of left) {
      if (await this.#each(one.action, () => this.#prune(one))) return this.#result('stopped', left);
    }
    const steps = this.#steps(left);
    return this.#result(steps.every(({ outcome }) => outcome === 'applied') ? 'done' : 'partly', left);
  }

  /** What the identity or the journal refuses, before the first request. */
  #refusals(): ReadonlyMap<Action, PlanProblem> {
    const { identity } = this.#context.client;
    const found = this.#actions.flatMap((action) => {
      const next = decide(action, this.#ledger.entryOf(action.key), {});
      if (next.do === 'refuse')
        return [[action, { code: next.code, message: next.message, path: at(action) }] as const];
      const problem = next.do === 'send' && identity ? refusedLocally(identity, action) : undefined;
      return problem ? [[action, problem] as const] : [];
    });
    return new Map(found);
  }

  /** Settles one action. Resolves to whether the run ends with it. */
  async #each(action: Action, settle: () => Promise<Found>): Promise<boolean> {
    const { signal } = this.#context;
    const before = this.#ledger.entryOf(action.key);
    try {
      signal?.throwIfAborted();
      this.#found.set(action.key, await settle());
    } catch (error) {
      // The reason of the signal ends the run, and nothing else.
      if (!signal?.aborted || error !== signal.reason) throw error;
      return true;
    }
    const step = this.#stepOf(action);
    if (step.problem || this.#ledger.entryOf(action.key) !== before) emit(this.#options.onStep, step);
    return step.outcome !== 'applied' && this.#options.keepGoing !== true;
  }

  #result(state: PlanRun['state'], left: readonly LeftOver[]): PlanRun {
    return { state, steps: this.#steps(left), requests: this.#context.asking.requests };
  }

  #steps(left: readonly LeftOver[]): PlanStep[] {
    return [...this.#actions, ...left.map(({ action }) => action)].map((action) => this.#stepOf(action));
  }

  #stepOf(action: Action): PlanStep {
    const { index, key, operation, hash } = action;
    const { outcome = 'not_applied', hash: known, ids } = this.#ledger.entryOf(key) ?? {};
    const isOther = outcome === 'applied' && hash !== known;
    const found = outcome === 'started' ? 'unknown' : isOther ? 'not_applied' : outcome;
    return { index, key, operation, outcome: found, ...(ids && { ids }), ...this.#found.get(key) };
  }

  /** Finds out what follows for an action, and does it, until nothing does. */
  async #settle(action: Action): Promise<Found> {
    const { key } = action;
    let sight: Sight = {};
    for (;;) {
      const entry = this.#ledger.entryOf(key);
      const next = decide(action, entry, { ...sight, busyUntil: await busyUntil(this.#context, entry) });
      if (next.do === 'see') sight = { ...sight, object: await this.#see(action, next) };
      else if (next.do === 'note') await this.#ledger.end(key, next.entry);
      else if (next.do === 'look') {
        const found = await look(this.#context, this.#ledger, action);
        if (found !== 'found') sight = { ...sight, trace: found };
      } else if (next.do === 'change' && next.change === 'delete') {
        const ended = await this.#carryOut(action, deleting(entry as Entry));
        if (ended.outcome !== 'applied') return ended;
        this.#sights.forget();
        sight = {};
      } else return this.#last(action, entry, next);
      // What was noted may be followed by an action of its own.
      if (next.do === 'note') sight = {};
    }
  }

  #see(action: Action, { operation, id, isListed }: Next & { do: 'see' }) {
    return isListed ? this.#sights.listed(action, id) : this.#sights.object(operation, id);
  }

  /** The last step of an action. */
  async #last(action: Action, entry: Entry | undefined, next: Next): Promise<Found> {
    switch (next.do) {
      case 'nothing':
        return { outcome: 'applied' };
      case 'refuse':
        return { outcome: 'not_applied', problem: { code: next.code, message: next.message, path: at(action) } };
      case 'wait':
        throw isBusy(action, next.until);
      case 'settle':
        return unresolved(action, next.why);
      case 'change':
        return this.#carryOut(action, updating(action, entry as Entry, (next as Next & { do: 'change' }).fields));
      default:
        return (await this.#objection(action, entry)) ?? this.#carryOut(action, sending(action));
    }
  }

  /** What speaks against an action that is about to be sent for the first time. */
  async #objection(action: Action, entry: Entry | undefined): Promise<Found | undefined> {
    if (action.operation !== 'posts.create' || isOpen(entry)) return undefined;
    if (!this.#options.again) {
      const twin = await this.#sights.twinOf(action);
      if (twin) {
        // Another run with this journal may have made the post since it was read.
        await this.#ledger.refresh(action.key);
        return { outcome: 'not_applied', problem: { ...twin, message: `${twin.message} ${AGAIN}` } };
      }
    }
    // Who goes on past a refusal has not stopped at that of the rehearsal.
    const [problem] = this.#options.keepGoing ? (await this.#accounts.check(action)).problems : [];
    return problem && { outcome: 'not_applied', problem };
  }

  /** Deletes a post that the plan no longer has, unless it is online meanwhile. */
  async #prune({ action, entry }: LeftOver): Promise<Found> {
    const [id = ''] = entry.ids ?? [];
    const object = await this.#sights.object(entry.operation, id);
    if (object !== 'gone' && isOnline(object)) {
      if (isOpen(entry)) await this.#ledger.end(action.key, kept(entry, entry.was));
      const message = `The post (id ${id}) is online meanwhile, and was not deleted.`;
      return { outcome: 'not_applied', ids: entry.ids, problem: { code: 'already_online', message, path: [] } };
    }
    const found = await this.#carryOut(action, deleting(entry));
    const ended = this.#ledger.entryOf(action.key);
    // The hash of the plan has the keys that it deletes until it is done.
    if (found.outcome === 'applied' && ended) await this.#ledger.end(action.key, { ...ended, change: 'delete' });
    return { ...found, ids: entry.ids };
  }

  /** Sends a request, and notes its outcome. */
  async #carryOut(action: Action, task: Task): Promise<Found> {
    const { client, signal } = this.#context;
    const { endpoint, params } = task;
    const { key } = action;
    const isRepeated = isOpen(this.#ledger.entryOf(key));
    const clock = await this.#context.clock();
    let begun: Entry | undefined;
    const before = async () => {
      begun = await this.#start(action, task);
    };
    // After a 429, a run that is killed while it waits leaves nothing to look up.
    const between = async () => {
      if (begun && !isRepeated) await this.#ledger.end(key, task.refused(begun));
    };
    const sent = await send(this.#context, action, { state: 'sending', before, between }, (options) =>
      invoke(client, endpoint, params, options),
    );
    // Outside of the request: if the journal cannot note the response, the action has not failed.
    if (sent.isAnswered) return this.#accept(action, task, begun as Entry, sent.body);
    const { error, isInDoubt } = sent;
    if (signal?.aborted && error === signal.reason) {
      // It was interrupted while it waited. An earlier attempt may have happened only if twice has the effect of once.
      const isLost = isRepeated || (isInDoubt && isRepeatable(endpoint));
      if (begun) await this.#ledger.end(key, isLost ? lost(begun, clock.now().latest) : task.refused(begun));
      throw error;
    }
    if (!isMultilocalError(error)) throw error;
    const outcome = outcomeOf(error, endpoint, isRepeated || task.begun.change === 'delete');
    // A deletion that finds nothing has the body of a refusal, which says nothing about the deletion.
    const failed = error.outcome === outcome && Reflect.get(error, 'body');
    if (outcome === 'applied') return this.#accept(action, task, begun as Entry, failed);
    const { code, status }: MultilocalError & { status?: number } = error;
    if (begun) {
      const ended = outcome === 'unknown' ? lost(begun, clock.now().latest) : task.refused(begun);
      await this.#ledger.end(key, ended.outcome === 'applied' ? ended : { ...ended, error: code, status });
    }
    const message = `${error.message} ${outcome === 'unknown' ? LOOKS : TRIES}`;
    return { outcome: begun ? outcome : 'not_applied', error, problem: { code, message, path: at(action) } };
  }

  /** Notes that a request is about to leave. If that took long, it is noted anew: another run may have looked meanwhile. */
  async #start(action: Action, { begun }: Task): Promise<Entry> {
    const { client, timer, signal } = this.#context;
    const clock = await this.#context.clock();
    for (;;) {
      const [now, date] = [timer.now(), timer.date()];
      const { earliest, latest, isSure } = clock.now();
      const entry: Entry = {
        ...begun,
        started_at: new Date(date).toISOString(),
        service_time: new Date(earliest).toISOString(),
        ...(isSure && { service_end: new Date(latest + LEAVES_WITHIN).toISOString() }),
      };
      const before = await countBefore(client, action, entry, this.#context);
      await this.#ledger.start(action.key, { ...entry, ...(before && { before }) });
      const isLate = Math.max(timer.now() - now, timer.date() - date) > LEAVES_WITHIN;
      if (!isLate || signal?.aborted) return this.#ledger.entryOf(action.key) as Entry;
    }
  }

  /**
   * Notes an action that the service has accepted with a 2xx response. The specification does not say what a response means
   * that names an error, so the action counts as carried out, which repeats nothing, and the step has a warning. A preview
   * shows that the service took the request for a dry run, or pretends to. So a person must settle the action.
   */
  async #accept(action: Action, task: Task, begun: Entry, result: unknown): Promise<Found> {
    const { endpoint, params } = task;
    const { service_end: _, before: __, ...entry } = begun;
    if (looksLikePreview(result)) {
      const latest = (await this.#context.clock()).now().latest;
      await this.#ledger.end(action.key, { ...lost(entry, latest), error: PREVIEWED });
      return unresolved(action, 'the service answered the request with a preview');
    }
    const ids = idsOf(result, endpoint.confidential?.(params));
    const sign = signOfFailure(result) ?? missingIn(endpoint.operation, ids);
    const ended = task.applied(entry, ids);
    await this.#ledger.end(action.key, sign && ended.outcome === 'applied' ? { ...ended, error: DOUBTFUL } : ended);
    const made = this.#ledger.entryOf(action.key)?.ids;
    if (!sign) return { outcome: 'applied', result, ids: made };
    const message = `The service accepted the request, but its response has ${sign}. Look in the service whether it happened. It is not sent again.`;
    return { outcome: 'applied', result, ids: made, warning: { code: DOUBTFUL, message, path: at(action) } };
  }
}

const AGAIN = 'Nothing was sent. If the post is to appear again, run the plan with `again: true`.';
const TRIES = 'It did not happen. The next run tries it again; to leave it out, remove the action from the plan.';
const LOOKS = 'It is unknown whether it happened. Run the plan again: it looks before it goes on.';

/** Lookups count from the end of the call: the last attempt may have been sent a moment before. */
function lost(entry: Entry, latest: number): Entry {
  return { ...entry, outcome: 'unknown', service_end: new Date(latest).toISOString() };
}

function isBusy({ operation }: Action, until: number): PlanError {
  const time = new Date(Math.ceil(until / 60_000) * 60_000).toISOString().replace(':00.000Z', ' UTC').replace('T', ' ');
  const message = `Another run may still be sending ${operation}, or the service may still be working on it.`;
  return new PlanError('journal_locked', message, `Run the plan again after ${time}.`);
}

/** The step of an action that a person must settle. */
function unresolved(action: Action, why: string): Found {
  const todo =
    'It is never sent again. Look in the service, then say what happened: `multilocal journal settle <key> applied|not_applied`, or settleAction().';
  const message = `${action.operation} may have happened: ${why}. ${todo}`;
  const hint = 'Settle this action as described, then run the plan again.';
  const error = new PlanError('plan_unresolved', message, hint, 'unknown');
  return { outcome: 'unknown', error, problem: { code: 'plan_unresolved', message, path: at(action) } };
}
