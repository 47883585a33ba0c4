import type { MultilocalError, Outcome } from 'multilocal';
import { isRepeatable } from 'multilocal/internal/call';
import { isMultilocalError, PlanError } from 'multilocal/internal/errors';
import { emit } from 'multilocal/internal/events';
import { looksLikePreview } from 'multilocal/internal/types';
import { Accounts } from './accounts.js';
import { type Action, at, type PlanProblem } from './actions.js';
import { LEAVES_WITHIN } from './clock.js';
import type { Context } from './context.js';
import { decide, isOnline, isOpen, kept, type Next, PREVIEWED, type Sight } from './decide.js';
import { whenWritten } from './describe.js';
import type { Ended, Entry } from './journal-content.js';
import type { Ledger } from './ledger.js';
import { busyUntil, countBefore, finishesWithin, look } from './look.js';
import { invoke } from './operation.js';
import { DOUBTFUL, idsOf, missingIn, outcomeOf, signOfFailure } from './outcome.js';
import type { LeftOver } from './prune.js';
import { refusedBy, refusedLocally } from './refusals.js';
import type { PlanRun, PlanStep, RunOptions } from './results.js';
import { send } from './send.js';
import type { Sights } from './sights.js';
import { deleting, sending, type Task, tasksOf, updating } from './tasks.js';
import { localMoment } from './words.js';

/** What a run has found out about an action. */
type Found = Partial<PlanStep> & { readonly outcome: Outcome };

/** One run of a plan: decides what follows for each action, and does it. */
export class Run {
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
    const refused = this.#refusals(left);
    for (const [key, problem] of refused) this.#found.set(key, { outcome: 'not_applied', problem });
    const tasks = [
      ...this.#actions.map((action) => ({ action, settle: () => this.#settle(action) })),
      ...left.map((one) => ({ action: one.action, settle: () => this.#prune(one) })),
    ];
    let isOver = refused.size > 0 && !keepGoing;
    for (const { action, settle } of tasks)
      if (!isOver && !refused.has(action.key)) isOver = await this.#each(action, settle);
    const steps = tasks.map(({ action }) => this.#stepOf(action));
    const isDone = steps.every(({ outcome }) => outcome === 'applied');
    return { state: isOver ? 'stopped' : isDone ? 'done' : 'partly', steps, requests: this.#context.requests };
  }

  /** What the identity or the journal refuses of any step, by key, before the first request that changes something. */
  #refusals(left: readonly LeftOver[]): ReadonlyMap<string, PlanProblem> {
    const { client } = this.#context;
    const found = new Map<string, PlanProblem>();
    for (const action of this.#actions) {
      const entry = this.#ledger.entryOf(action.key);
      const next = decide(action, entry, {});
      const [problem] =
        next.do === 'refuse'
          ? [{ code: next.code, message: next.message, path: at(action) }]
          : refusedLocally(client, tasksOf(action, entry, next), action);
      if (problem) found.set(action.key, problem);
    }
    for (const { key, action } of left) {
      const [problem] = refusedLocally(client, [action], action);
      if (problem) found.set(key, { ...problem, path: [] });
    }
    return found;
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
      if (signal?.aborted && error === signal.reason) return true;
      // A read that is refused is the problem of its action.
      const { outcome } = this.#stepOf(action);
      this.#found.set(action.key, { outcome, error, problem: refusedBy(error, action) });
    }
    const step = this.#stepOf(action);
    if (step.problem || this.#ledger.entryOf(action.key) !== before) emit(this.#options.onStep, step);
    return step.outcome !== 'applied' && this.#options.keepGoing !== true;
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
      if (next.do === 'see') sight = { ...sight, object: await this.#sights.of(action, next) };
      else if (next.do === 'note') {
        await this.#ledger.end(key, next.entry);
        // What was noted may be followed by an action of its own.
        sight = {};
      } else if (next.do === 'look') {
        const found = await look(this.#context, this.#ledger, action);
        if (found !== 'found') sight = { ...sight, trace: found };
      } else if (next.do === 'change' && next.change === 'delete') {
        // A deletion of what cannot be made anew would lose the post.
        const objection = await this.#objection(action, entry);
        if (objection) return objection;
        const ended = await this.#carryOut(action, deleting(entry as Entry));
        if (ended.outcome !== 'applied') return ended;
        await this.#sights.forget(entry?.ids?.[0]);
        sight = {};
      } else return this.#last(action, entry, next);
    }
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
        // Nobody is sending it any more, so a person may settle it from now on.
        if (entry?.outcome === 'started') await this.#ledger.end(action.key, { ...entry, outcome: 'unknown' });
        return unresolved(action, next.why, entry);
      default: {
        const task = next.do === 'change' ? updating(action, entry as Entry, next.fields) : sending(action);
        return (await this.#objection(action, entry)) ?? this.#carryOut(action, task);
      }
    }
  }

  /** What speaks against a post that is about to be made, changed or replaced for the first time. */
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
  async #prune({ action, entry, id }: LeftOver): Promise<Found> {
    const object = await this.#sights.object(entry.operation, id);
    if (object !== 'gone' && isOnline(object)) {
      if (isOpen(entry)) await this.#ledger.end(action.key, kept(entry, entry.was));
      const message = `The post (id ${id}) is online meanwhile, and was not deleted.`;
      return { outcome: 'not_applied', ids: entry.ids, problem: { code: 'already_online', message, path: [] } };
    }
    return { ...(await this.#carryOut(action, deleting(entry, true))), ids: entry.ids };
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
      // A correction that is refused when it is repeated may have happened before. 404: what it corrects is gone.
      const isLost = outcome === 'unknown' || (isRepeated && task.begun.change !== undefined && status !== 404);
      const ended = isLost ? lost(begun, clock.now().latest) : task.refused(begun);
      await this.#ledger.end(key, ended.outcome === 'applied' ? ended : { ...ended, error: code, status });
    }
    // An error of an unknown outcome says that itself.
    const next = error.outcome === 'unknown' ? RERUN : `A proxy may have answered in its place. ${LOOKS}`;
    const message = `${error.message} ${outcome === 'unknown' ? next : TRIES}`;
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
      await this.#ledger.save(action.key, { ...entry, ...(before && { before }) });
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
    const { latest } = (await this.#context.clock()).now();
    if (looksLikePreview(result)) {
      await this.#ledger.end(action.key, { ...lost(entry, latest), error: PREVIEWED });
      return unresolved(action, 'the service answered the request with a preview');
    }
    const isUnchanged = await this.#sights.isUnchanged(action, begun, result);
    if (isUnchanged && begun.change === 'delete') {
      await this.#ledger.end(action.key, lost(entry, latest));
      const message = `The service accepted the deletion of the post (id ${begun.ids?.[0]}), but may still have it. ${LOOKS}`;
      return { outcome: 'unknown', problem: { code: 'unknown_outcome', message, path: at(action) } };
    }
    const ids = idsOf(result, endpoint.confidential?.(params));
    const sign = signOfFailure(result) ?? missingIn(endpoint.operation, ids) ?? (isUnchanged ? UNCHANGED : undefined);
    const ended = task.applied(entry, ids);
    await this.#ledger.end(action.key, sign && ended.outcome === 'applied' ? { ...ended, error: DOUBTFUL } : ended);
    const made = this.#ledger.entryOf(action.key)?.ids;
    if (!sign) return { outcome: 'applied', result, ids: made };
    const message = `The service accepted the request, but its response has ${sign}. Look in the service whether it happened. It is not sent again.`;
    return { outcome: 'applied', result, ids: made, warning: { code: DOUBTFUL, message, path: at(action) } };
  }
}

const SETTLE = '`multilocal journal settle <key> applied|not_applied`, or settleAction()';
const UNCHANGED = 'no trace of the change, and neither has the post';
const AGAIN = 'Nothing was sent. If the post is to appear again, run the plan with `again: true`.';
const TRIES = 'It did not happen. The next run tries it again; to leave it out, remove the action from the plan.';
const RERUN = 'Run the plan again: it looks that up first.';
const LOOKS = `It is unknown whether it happened. ${RERUN}`;

/** Lookups count from the end of the call: the last attempt may have been sent a moment before. */
function lost(entry: Entry, latest: number): Ended {
  return { ...entry, outcome: 'unknown', service_end: new Date(latest).toISOString() };
}

/** ` after 2026-12-24 09:05 (UTC+1)`. Nothing if the moment is unknown. */
function after({ params }: Action, until: number): string {
  if (Number.isNaN(until)) return '';
  return ` after ${localMoment(new Date(Math.ceil(until / 60_000) * 60_000), whenWritten(params))}`;
}

function isBusy(action: Action, until: number): PlanError {
  const message = `Another run may still be sending ${action.operation}, or the service may still be working on it.`;
  return new PlanError('journal_locked', message, `Run the plan again${after(action, until)}.`);
}

/** The step of an action that a person must settle. */
function unresolved(action: Action, why: string, entry: Partial<Entry> = {}): Found {
  const { operation = action.operation, service_end = '' } = entry;
  // Who looks while the service still works on it sees nothing, and would have it sent again.
  const time = after(action, Date.parse(service_end) + finishesWithin({ operation }));
  const todo = `It is never sent again. Look in the service${time}, then say what happened: ${SETTLE}.`;
  const message = `${operation} may have happened: ${why}. ${todo}`;
  const hint = 'Settle this action as described, then run the plan again.';
  const error = new PlanError('plan_unresolved', message, hint, 'unknown');
  return { outcome: 'unknown', error, problem: { code: 'plan_unresolved', message, path: at(action) } };
}
