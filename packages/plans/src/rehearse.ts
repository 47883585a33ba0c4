import { memoryJournal } from '@multilocal/stores/journal/port';
import type { Client } from 'multilocal';
import { emit } from 'multilocal/internal/events';
import { tracePlan } from 'multilocal/internal/trace';
import { type Actions, indexOf, inView, invalidPlan, type PlanProblem, readActions } from './actions.js';
import { Context } from './context.js';
import { describe } from './describe.js';
import { asKnown } from './digests.js';
import { hashOfActions } from './hash.js';
import { checkJournal, Ledger } from './ledger.js';
import type { Plan } from './plan.js';
import { foundWith, type LeftOver, leftOvers, prunedOf } from './prune.js';
import { refusedLocally } from './refusals.js';
import type { PrunedPost, Rehearsal, RehearsedAction, RehearseOptions } from './results.js';
import { Sights } from './sights.js';
import { begin, type Rehearsing, rehearse } from './verdict.js';

/**
 * Says for each action of a plan what would happen, and changes nothing.
 *
 * All actions are checked with the schemas before anything is sent. If one is invalid, nothing is sent at all. Then the
 * permissions and targets of all actions are checked, posts are compared with the accounts and limits of their location
 * and with the posts that the service has, and each operation that has a preview is previewed (`dry_run`). An action that
 * the service refuses is `refused`, and the others are still rehearsed.
 *
 * Costs one request for each action, and `GET /connections`, `GET /platforms/limits` and one `GET /posts` for each location
 * if the plan has posts, `GET /bulles` for names, and one `GET /reviews` for each listing whose reviews are answered. It saves nothing in the journal, but for one thing: what the service carried out although a preview
 * was asked for becomes `applied`.
 * @throws an `InvalidRequestError` if the plan is not an object with a list of `actions`.
 * @throws a `PlanError` if the journal is damaged or belongs to another brand.
 * @throws the error of the client if it concerns the whole rehearsal: the key, the connection, the request limits.
 * @example
 * const { ok, actions, hash } = await rehearsePlan(client, plan, { journal });
 * for (const { summary, problems } of actions) console.log(summary, ...problems.map(({ message }) => message));
 */
export function rehearsePlan(client: Client, plan: Plan, options: RehearseOptions = {}): Promise<Rehearsal> {
  return rehearseWithout(new Map(), client, plan, options);
}

/** The same. Some operations are checked and not previewed. The map says why, for people. */
export function rehearseWithout(
  unpreviewed: ReadonlyMap<string, string>,
  client: Client,
  plan: Plan,
  options: RehearseOptions,
): Promise<Rehearsal> {
  return tracePlan('rehearsePlan', async (count) => {
    const rehearsal = await rehearseAll(unpreviewed, client, plan, options);
    for (const { state } of rehearsal.actions) count(state);
    return rehearsal;
  });
}

async function rehearseAll(
  unpreviewed: ReadonlyMap<string, string>,
  client: Client,
  plan: Plan,
  options: RehearseOptions,
): Promise<Rehearsal> {
  const { journal = memoryJournal() } = options;
  checkJournal('rehearsePlan', journal);
  const context = new Context(client, options);
  // The caller may change the plan meanwhile, so it is read before anything is waited for.
  const read = readActions(plan);
  const whole = read.issues.filter((issue) => indexOf(issue) === undefined);
  if (whole.length > 0) throw invalidPlan('rehearsePlan', whole);
  if (read.problems.length > 0) {
    return { ok: false, warnings: [], actions: offline(plan, read), prune: [], requests: 0, hash: '' };
  }
  const owner = await context.owner();
  const ledger = await Ledger.open(journal, owner, { timer: context.timer });
  const given = asKnown(read.actions, client, ledger.entries());
  context.signal?.throwIfAborted();
  const sights = new Sights(context, ledger);
  const rehearsing = begin({ context, ledger, sights, unpreviewed }, given);
  const actions: RehearsedAction[] = [];
  for (const action of given) {
    const rehearsed = await rehearse(action, rehearsing);
    actions.push(rehearsed);
    emit(options.onAction, rehearsed);
    // The preview that was on its way has been finished.
    context.signal?.throwIfAborted();
  }
  const { entries, unclear } = await foundWith(context, ledger, read.name, given);
  const found = await leftOvers(entries, context, read.name, given);
  const left = found.filter(({ isOnline }) => !isOnline);
  const prune = options.prune ? left.map((one) => pruned(one, rehearsing)) : [];
  const keys = options.prune ? [...prunedOf(entries, read.name, given), ...prune.map(({ key }) => key)] : [];
  const isFine = [...actions, ...prune].every(({ problems }) => problems.length === 0);
  return {
    ok: isFine && actions.every(({ state }) => state !== 'refused'),
    warnings: [
      ...(options.prune ? found.filter(({ isOnline }) => isOnline) : found).map(leftOver),
      ...unclear.map(mayBeLeftOver),
    ],
    actions,
    prune,
    requests: context.requests,
    hash: hashOfActions(inView(read.actions, client), keys),
  };
}

/** Warns about a pending post that only a run with `prune` deletes, or no run. */
function leftOver({ key, id, isOnline }: LeftOver): PlanProblem {
  const state = isOnline
    ? 'is online on one platform and pending on another. No plan deletes it: if the rest is not to appear, remove it in the service.'
    : 'is pending. It will be published, unless `prune` deletes it.';
  return { code: 'left_over', message: `The plan no longer has ${key}, and its post (id ${id}) ${state}`, path: [] };
}

/** Warns about a post that cannot be deleted before a person has found it. */
function mayBeLeftOver(key: string): PlanProblem {
  const message = `The plan no longer has ${key}, and the service does not show whether its post was made. Look there, then settle the key in the journal.`;
  return { code: 'unknown_outcome', message, path: [] };
}

function pruned({ key, id, action }: LeftOver, { context }: Rehearsing): PrunedPost {
  const problems = refusedLocally(context.client, [action], action).map((problem) => ({ ...problem, path: [] }));
  const summary = `${problems.length > 0 ? 'Cannot' : 'Would'} delete the post of ${key}, which the plan no longer has (${action.target}).`;
  return { key, id, summary, problems };
}

/** What the schemas alone say of each action. */
export function offline(plan: Plan, { actions, problems, length }: Actions): RehearsedAction[] {
  return Array.from({ length }, (_, index) => {
    const action = actions.find((each) => each.index === index);
    const own = problems.filter((problem) => indexOf(problem) === index);
    const { key = '', operation = String(Object(plan.actions[index]).operation ?? ''), target } = action ?? {};
    const rest = { index, key, operation, target, details: [], problems: own, warnings: [] };
    if (action) return { ...rest, state: 'unpreviewed', summary: `${describe(action, false)} ${OFFLINE}` };
    return { ...rest, state: 'refused', summary: 'The action is invalid.' };
  });
}

const OFFLINE = 'It was checked, but not previewed.';
