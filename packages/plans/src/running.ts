import { emit } from 'multilocal/internal/events';
import { Accounts } from './accounts.js';
import { type Action, at, type PlanProblem } from './actions.js';
import { carryOut, deleteSeen, type Ended, isBusy, MOST_LOOKS, Stale, unresolved } from './carry-out.js';
import { hashIn, stepOf } from './diff.js';
import { hashOfActions, linesOf, refuseUnapproved } from './hash.js';
import { type Entry, outcomeIn } from './journal-content.js';
import { adoptionsOf, allLines, type LeftOver, lostOrphans, shifted } from './left-overs.js';
import { deletedByHand, leftOverOf } from './left-overs-shown.js';
import { lookUp, lostOf } from './lost-actions.js';
import { type Opened, withSource } from './opened.js';
import { isPost } from './operations.js';
import { changedByHand, doubtsOf, noteSeen, postsOf, withSeen } from './posts-seen.js';
import { preview } from './preview.js';
import { placedAt, problemOf, refused } from './problems.js';
import { errorIn, isPassing, refusedBy, refusedLocally } from './refusals.js';
import type { PlanChange, PlanLeftOver, PlanRun, PlanStep, RunOptions } from './results.js';
import type { Step } from './sides.js';
import { Targets } from './targets.js';
import { creating, deleting, tasksOf, updating } from './tasks.js';
import { listOf } from './twins.js';
import { PlanWarnings } from './warnings.js';

/** What is left over, and the action that deletes it. */
type Deletion = readonly [leftOver: LeftOver, action: Action];
/** The steps after which nothing is left to decide. */
type LastStep = Exclude<Step, { do: 'note' | 'look up' | 'replace' | 'read' }>;

const NO_OBJECTION = { problems: [], warnings: [] } as const;

/** One run of a plan: decides what follows for each key, and does it. */
export class Run {
  readonly #opened: Opened;
  readonly #unpreviewed: ReadonlyMap<string, string>;
  readonly #options: RunOptions;
  readonly #accounts: Accounts;
  readonly #targets: Targets;
  readonly #planWarnings: PlanWarnings;
  /** What this run found out, by key. */
  readonly #found = new Map<string, Ended>();
  readonly #warnings: PlanProblem[] = [];
  readonly #leftOvers: PlanLeftOver[] = [];

  constructor(opened: Opened, unpreviewed: ReadonlyMap<string, string>, options: RunOptions) {
    const { context } = opened;
    this.#opened = opened;
    this.#unpreviewed = unpreviewed;
    this.#options = options;
    this.#accounts = new Accounts(context);
    this.#targets = new Targets(context.client, context.counted);
    this.#planWarnings = new PlanWarnings(context.timer.date());
  }

  async go(): Promise<PlanRun> {
    const { plan, ledger } = this.#opened;
    let isOver = true;
    let deletions: readonly Deletion[] = [];
    try {
      await this.#lost();
      const moved = shifted(this.#opened.sides());
      const recorded = new Map([...ledger.entries(), ...moved]);
      const left = await this.#opened.leftOvers(recorded);
      for (const one of left) this.#leftOvers.push(await leftOverOf(one, this.#targets, this.#opened));
      const lines = await this.#lines(left, recorded);
      refuseUnapproved(hashOfActions(plan.name, plan.actions, lines), this.#options.approved);
      if (this.#leftOvers.some(({ problems }) => problems.length > 0)) return this.#result(isOver, []);
      this.#warnings.push(...left.flatMap(deletedByHand));
      await this.#adopt(moved, left);
      deletions = left
        .filter(({ step }) => step.do === 'delete')
        .map((one, index) => [one, this.#deletionOf(one, plan.actions.length + index)]);
      isOver = await this.#all(deletions);
      await noteSeen(this.#opened);
    } catch (error) {
      if (!this.#isStop(error)) throw error;
    }
    return this.#result(isOver, deletions);
  }

  /** The reason of the signal ends the run, and nothing else. */
  #isStop(error: unknown): boolean {
    const { signal } = this.#opened.context;
    return signal?.aborted === true && error === signal.reason;
  }

  /** Finds out what became of the lost posts that the plan no longer has. */
  async #lost(): Promise<void> {
    const { context, ledger, plan } = this.#opened;
    for (const [key, { sent }] of lostOrphans(this.#opened.sides())) {
      const lost = { key, index: plan.actions.length };
      const found = sent ? await lookUp(context, ledger, lostOf(lost, ledger)) : 'unclear';
      if (found === 'found') continue;
      const problem = problemOf('unknown_outcome', { key });
      const isKept = this.#options.leftOver === 'keep';
      if (isKept) this.#warnings.push(problem);
      const [step, problems] = isKept ? (['keep', []] as const) : (['refuse', [problem]] as const);
      this.#leftOvers.push({ key, ids: [], summary: problem.message, step, problems, posts: [] });
    }
  }

  /** What the approved hash has beyond the actions. Which posts are published again shows only when they were looked at. */
  async #lines(left: readonly LeftOver[], recorded: ReadonlyMap<string, Entry>): Promise<string[]> {
    const { plan } = this.#opened;
    const changes: { key: string; change: PlanChange }[] = [];
    if (this.#options.retryFailed && this.#options.approved !== undefined) {
      for (const action of plan.actions) {
        if (!recorded.get(action.key)?.made) continue;
        const step = await this.#opened.stepOf(action, recorded);
        if (step.do !== 'create' || !step.isRetry) continue;
        changes.push({ key: action.key, change: { kind: 'retry', platforms: step.platforms } });
      }
    }
    return allLines(this.#opened.sides(), left, changes);
  }

  /** Gives what another key has made to the actions that replace it. Nothing is sent: they are then corrected like any other. */
  async #adopt(moved: ReadonlyMap<string, Entry>, left: readonly LeftOver[]): Promise<void> {
    const adopted = adoptionsOf(left).flatMap(([from, { key }, entry]) => {
      return [[from, undefined] as const, [key, entry] as const];
    });
    const changes = new Map<string, Entry | undefined>([...moved, ...adopted]);
    if (changes.size > 0) await this.#opened.ledger.saveAll(changes);
  }

  /** Settles all actions, then deletes what is left over. Resolves to whether the run has ended early. */
  async #all(deletions: readonly Deletion[]): Promise<boolean> {
    const { plan } = this.#opened;
    const refused = await this.#refusals();
    for (const [key, found] of refused) this.#found.set(key, found);
    if (refused.size > 0 && !this.#options.keepGoing) return true;
    for (const action of plan.actions) {
      if (refused.has(action.key)) continue;
      if (await this.#each(action, () => this.#settle(action))) return true;
    }
    for (const [one, action] of deletions) {
      if (await this.#each(action, () => this.#delete(one, action))) return true;
    }
    return false;
  }

  /** What the journal or the identity refuses of any step, by key, before the first request that changes something. */
  async #refusals(): Promise<ReadonlyMap<string, Ended>> {
    const { plan, ledger, context } = this.#opened;
    const found = new Map<string, Ended>();
    const known = new Map([...ledger.entries()].map(([key, { made }]) => [made?.hash, key]));
    for (const action of plan.actions) {
      const entry = ledger.entryOf(action.key);
      // What stands under another key is seldom meant once more. So it is looked at before anything is sent.
      const isElsewhere = (known.get(action.hash) ?? action.key) !== action.key;
      const step = isElsewhere ? await this.#opened.stepOf(action) : stepOf(action, this.#opened.sides());
      const [problem] =
        step.do === 'refuse'
          ? [refused(step, at(action))]
          : refusedLocally(context.client, tasksOf(action, entry, context.timer.date()), action);
      if (problem) found.set(action.key, this.#refused(action, problem));
    }
    return found;
  }

  /** What is refused has happened only if its key has made this very action. */
  #refused({ key, hash }: Action, problem: PlanProblem): Ended {
    const entry = this.#opened.ledger.entryOf(key);
    return { outcome: outcomeIn(entry && hashIn(entry) === hash ? entry : undefined), problem };
  }

  /** Settles one key. Resolves to whether the run ends with it. */
  async #each(action: Action, settle: () => Promise<Ended>): Promise<boolean> {
    const { context, ledger } = this.#opened;
    const before = ledger.entryOf(action.key);
    try {
      context.signal?.throwIfAborted();
      this.#found.set(action.key, await settle());
    } catch (error) {
      if (this.#isStop(error)) return true;
      // A read that is refused is the problem of its action.
      const { outcome } = this.#stepOf(action);
      this.#found.set(action.key, { outcome, error, problem: refusedBy(error, action) });
    }
    const step = this.#stepOf(action);
    if (step.problem || ledger.entryOf(action.key) !== before) emit(this.#options.onStep, step);
    return (step.outcome !== 'applied' || step.problem !== undefined) && this.#options.keepGoing !== true;
  }

  #stepOf(action: Action): PlanStep {
    const { index, key, operation, hash } = action;
    const entry = this.#opened.ledger.entryOf(key);
    const { ids, hash: known } = entry?.made ?? {};
    const outcome = outcomeIn(entry);
    // What was made in an earlier version is not yet what is wanted.
    const own = outcome === 'applied' && known !== hash ? 'not_applied' : outcome;
    const found = this.#found.get(key);
    const said = (one: PlanProblem) => withSource([one], action)[0];
    return {
      ...{ index, key, operation, outcome: own },
      ...(ids && { ids }),
      ...found,
      ...(found?.problem && { problem: said(found.problem) }),
      ...(found?.warning && { warning: said(found.warning) }),
    };
  }

  #result(isOver: boolean, deletions: readonly Deletion[]): PlanRun {
    const { plan, context } = this.#opened;
    const actions = [...plan.actions, ...deletions.map(([, action]) => action)];
    const steps = actions.map((action) => this.#stepOf(action));
    const isDone = steps.every(({ outcome, problem }) => outcome === 'applied' && !problem);
    const state = isOver ? 'stopped' : isDone ? 'done' : 'partly';
    return { state, steps, warnings: this.#warnings, leftOvers: this.#leftOvers, requests: context.requests };
  }

  /** Finds out what follows for an action, and does it, until nothing does. */
  async #settle(action: Action): Promise<Ended> {
    const { context, ledger, service } = this.#opened;
    const { key } = action;
    const own = this.#planWarnings.next(action);
    const list = listOf(action);
    // With `again`, nothing is compared with what others have made.
    const isCompared = !ledger.entryOf(key)?.made && !this.#options.again && list !== undefined;
    let isTold = false;
    for (let looks = 1; ; ) {
      if (isCompared) service.forgetOld(list);
      const step = await this.#opened.stepOf(action);
      const entry = ledger.entryOf(key);
      if (!isTold) {
        isTold = true;
        this.#tell(action, entry, step.do === 'nothing' || step.do === 'refuse' ? [] : own);
      }
      if (step.do === 'note') await ledger.end(key, step.entry);
      else if (step.do === 'look up') {
        if ((await lookUp(context, ledger, lostOf(action, ledger))) === 'unclear') service.unclear.add(key);
      } else if (step.do === 'replace') {
        const problem = await this.#replace(action, entry as Entry, step);
        if (problem) return problem;
      } else {
        const canLook = isCompared && looks++ < MOST_LOOKS;
        const guard = () => {
          if (canLook && service.isOld(list)) throw new Stale();
        };
        const ended = await this.#last(action, entry, step, guard).catch((error) => {
          if (!(error instanceof Stale)) throw error;
        });
        if (ended) return ended;
      }
    }
  }

  /** What a rehearsal would have warned of. */
  #tell(action: Action, entry: Entry | undefined, own: readonly PlanProblem[]): void {
    const posts = postsOf(action, entry, this.#opened.service);
    this.#warn(action, [...own, ...changedByHand(action, entry, posts)]);
  }

  /** What is decided anew warns once. */
  #warn(action: Action, warnings: readonly PlanProblem[]): void {
    const told = this.#warnings.filter(({ path }) => path[1] === action.index).map((one) => JSON.stringify(one));
    this.#warnings.push(...withSource(warnings, action).filter((one) => !told.includes(JSON.stringify(one))));
  }

  async #last(action: Action, entry: Entry | undefined, step: LastStep, guard: () => void): Promise<Ended> {
    const { ledger, context } = this.#opened;
    switch (step.do) {
      case 'nothing':
        return { outcome: 'applied' };
      case 'refuse':
        if (step.code === 'twin') await ledger.refresh(action.key);
        return this.#refused(action, refused(step, at(action)));
      case 'wait':
        throw isBusy(action, step.until);
      case 'ask':
        // Nobody is sending it any more, so a person may settle it from now on.
        if (entry?.sent && !entry.sent.isLost)
          await ledger.end(action.key, { ...entry, sent: { ...entry.sent, isLost: true } });
        return unresolved(action, step.why, entry);
      case 'create':
      case 'update': {
        const objection = entry?.sent ? undefined : await this.#objection(action);
        if (objection) return objection;
        // A run that is killed has noted it, too.
        const seen = entry && withSeen(entry, postsOf(action, entry, this.#opened.service));
        const task =
          step.do === 'create'
            ? creating(action, seen, step, context.timer.date())
            : updating(action, seen as Entry, step);
        return carryOut(this.#opened, action, task, guard);
      }
    }
  }

  /** What the accounts say against a post that is about to be made, changed or replaced. Tells what may be there already. */
  async #objection(action: Action): Promise<Ended | undefined> {
    const { problems, warnings } = isPost(action.operation) ? await this.#accounts.check(action) : NO_OBJECTION;
    this.#warn(action, [...warnings, ...doubtsOf(action, this.#opened.sides())]);
    const [problem] = problems;
    if (!problem) return undefined;
    // The name of the location costs a request.
    const { place } = await this.#targets.shownOf(action);
    return { outcome: 'not_applied', problem: placedAt(problem, place) };
  }

  /** Deletes a post that is made anew. Whatever the service would refuse of the new one is found out before. */
  async #replace(action: Action, entry: Entry, { id }: Step & { do: 'replace' }): Promise<Ended | undefined> {
    const { context, ledger } = this.#opened;
    if (!entry.sent) {
      const objection = await this.#objection(action);
      if (objection) return objection;
      const made = creating(action, entry, { do: 'create' }, context.timer.date());
      const isPreviewed = action.endpoint.dryRun && !this.#unpreviewed.has(action.operation);
      try {
        if (isPreviewed) await preview(action, made, { context, ledger, hasJournal: true });
      } catch (error) {
        if (!isPassing(error)) throw error;
        return { outcome: outcomeIn(ledger.entryOf(action.key)), error, problem: errorIn(error, action) };
      }
    }
    const ended = await deleteSeen(this.#opened, action, entry, id);
    return ended === undefined || ended.outcome === 'applied' ? undefined : ended;
  }

  #deletionOf({ key, entry, posts }: LeftOver, index: number): Action {
    const { endpoint, params } = deleting(entry, posts[0]?.id ?? '');
    const { operation } = endpoint;
    const [first] = this.#opened.plan.actions;
    const target = `post_id ${params.post_id}`;
    const own = { index, key, givenKey: key, operation, endpoint, params, target };
    return { ...own, plan: entry.plan, planHash: first?.planHash, hash: entry.made?.hash ?? '' };
  }

  /** Deletes the pending posts of a key that the plan no longer has, unless they are online meanwhile. */
  async #delete({ key, entry, posts }: LeftOver, action: Action): Promise<Ended> {
    const { ledger } = this.#opened;
    const ids = entry.made?.ids;
    const lines = linesOf([{ key, step: 'delete', posts }]);
    for (const { id } of posts) {
      const ended = await deleteSeen(this.#opened, action, ledger.entryOf(key) ?? entry, id, { ...action, lines });
      if (ended === undefined) {
        const now = ledger.entryOf(key);
        if (now?.sent) await ledger.end(key, { ...now, sent: undefined });
        if (this.#opened.service.things.get(`post ${id}`) === 'gone') continue;
        return { outcome: 'not_applied', ids, problem: problemOf('already_online', { ids: [id], where: 'meanwhile' }) };
      }
      if (ended.outcome !== 'applied') return { ...ended, ids };
    }
    return { outcome: 'applied', ids };
  }
}
