import { memoryJournal } from '@multilocal/stores/journal/port';
import type { Client } from 'multilocal';
import { emit } from 'multilocal/internal/events';
import { traceCounts } from 'multilocal/internal/trace-counts';
import { type Actions, indexOf, invalidPlan, type PlanProblem, readActions } from './actions.js';
import { Context } from './context.js';
import { describe } from './describe.js';
import { hashOfActions } from './hash.js';
import type { Entry } from './journal-content.js';
import { checkJournal } from './ledger.js';
import { adopt, allLines, lostOrphans, shifted } from './left-overs.js';
import { deletedByHand, leftOverOf } from './left-overs-shown.js';
import { lookUpOnce, lostOf } from './lost-actions.js';
import { checkOptions, Opened } from './opened.js';
import type { Plan } from './plan.js';
import { noteSeen, unseen } from './posts-seen.js';
import { problemOf } from './problems.js';
import { remarks } from './remarks.js';
import type { PlanLeftOver, Rehearsal, RehearsedAction, RehearseOptions } from './results.js';
import { Verdicts } from './verdict.js';
import { inLocale, type Locale } from './words.js';

/**
 * Says for each action of a plan what would happen, and changes nothing.
 *
 * All actions are checked with the schemas before anything is sent. If one is invalid, nothing is sent at all. Then what is wanted is
 * compared with what the journal has recorded and with what is there. Permissions, targets, accounts and limits are checked, and each
 * operation that has a preview is previewed (`dry_run`). An action that the service refuses is `refused`, and the others are still
 * rehearsed. Posts that an earlier version of the plan has scheduled and that it no longer has are `leftOvers`.
 *
 * Costs one request for each action, and `GET /connections`, `GET /platforms/limits` and one `GET /posts` for each location
 * if the plan has posts, `GET /bulles` for names, and one `GET /reviews` for each listing whose reviews are answered. Two things are
 * noted in the journal: on which platforms posts were seen online, and what the service carried out, or may have, although a preview was
 * asked for.
 * @throws an `InvalidRequestError` if the plan is not an object with a list of `actions`, or if there is no such option.
 * @throws a `PlanError` if the journal is damaged or belongs to another brand.
 * @throws the error of the client if it concerns the whole rehearsal: the key, the connection, the request limits.
 * @example
 * const { ok, actions, hash } = await rehearsePlan(client, plan, { journal });
 * for (const { summary, problems } of actions) console.log(summary, ...problems.map(({ message }) => message));
 */
export function rehearsePlan(client: Client, plan: Plan, options: RehearseOptions = {}): Promise<Rehearsal> {
  return rehearseWithout(new Map(), client, plan, options);
}

/** The same, in a language. Some operations are checked and not previewed. The map says why, for people. */
export function rehearseWithout(...given: Parameters<typeof rehearseAll>): Promise<Rehearsal> {
  return traceCounts({ operation: 'rehearsePlan' }, async (count) => {
    const rehearsal = await rehearseAll(...given);
    for (const { state } of rehearsal.actions) count(state);
    return rehearsal;
  });
}

async function rehearseAll(
  unpreviewed: ReadonlyMap<string, string>,
  client: Client,
  plan: Plan,
  options: RehearseOptions,
  locale?: Locale,
): Promise<Rehearsal> {
  checkOptions('rehearsePlan', options, ['journal', 'onAction']);
  const { journal = memoryJournal(), keepGoing = false, leftOver = 'refuse' } = options;
  checkJournal('rehearsePlan', journal);
  const context = new Context(client, options, locale);
  // The caller may change the plan meanwhile, so it is read before anything is waited for.
  const read = readActions(plan);
  const whole = read.issues.filter((issue) => indexOf(issue) === undefined);
  if (whole.length > 0) throw invalidPlan('rehearsePlan', whole);
  if (read.problems.length > 0) {
    return { ok: false, warnings: [], actions: offline(plan, read, locale), leftOvers: [], requests: 0, hash: '' };
  }
  const opened = await Opened.open(context, read, journal, options);
  context.signal?.throwIfAborted();
  const verdicts = new Verdicts(opened, unpreviewed, options.journal !== undefined);
  const unclear = await findLost(opened, verdicts.recorded);
  const moved = shift(opened, verdicts.recorded);
  const left = await opened.leftOvers(verdicts.recorded);
  const adopted = new Set([...moved, ...adopt(verdicts.recorded, left)]);
  const actions: RehearsedAction[] = [];
  for (const action of opened.plan.actions) {
    const rehearsed = await verdicts.of(action, adopted.has(action.key));
    actions.push(rehearsed);
    emit(options.onAction, rehearsed);
    // The preview that was on its way has been finished.
    context.signal?.throwIfAborted();
  }
  const leftOvers: PlanLeftOver[] = [];
  for (const one of left) leftOvers.push(await leftOverOf(one, verdicts.targets, opened));
  const unnoted = await noteSeen(opened).then((): PlanProblem[] => [], unseen);
  const lost = unclear.map((key) => problemOf('unknown_outcome', { key }));
  const isKept = leftOver === 'keep';
  const isFree = leftOvers.every(({ problems }) => problems.length === 0) && (isKept || lost.length === 0);
  const isFine = ({ state, problems }: RehearsedAction) => problems.length === 0 && state !== 'refused';
  const ok = isFree && (keepGoing ? actions.some(isFine) : actions.every(isFine));
  const more = allLines(opened.sides(), left, actions);
  const stops = leftOvers.flatMap(({ problems }) => problems);
  const warnings = [...stops, ...left.flatMap(deletedByHand), ...lost, ...unnoted];
  const hash = ok ? hashOfActions(opened.plan.name, opened.plan.actions, more) : '';
  return { ok, warnings, actions, leftOvers, requests: context.requests, hash };
}

/** Looks once for the posts that an earlier run lost and that the plan no longer has. Returns the keys of those that nobody knows of. */
export async function findLost(opened: Opened, recorded: Map<string, Entry>): Promise<string[]> {
  const { context, ledger, plan } = opened;
  const unclear: string[] = [];
  for (const [key, { sent }] of lostOrphans(opened.sides())) {
    const lost = { key, index: plan.actions.length };
    const found = sent ? await lookUpOnce(context, ledger, lostOf(lost, ledger)) : 'unclear';
    if (typeof found === 'object') recorded.set(key, found);
    else if (found === 'unclear') unclear.push(key);
  }
  return unclear;
}

/** Gives what other keys of the plan have made to the keys that want it now. Returns the keys that have changed. */
export function shift(opened: Opened, recorded: Map<string, Entry>): Iterable<string> {
  const moved = shifted(opened.sides(recorded));
  for (const [key, entry] of moved) recorded.set(key, entry);
  return moved.keys();
}

/** What the schemas alone say of each action. */
export function offline(plan: Plan, { actions, problems, length }: Actions, locale: Locale = 'en'): RehearsedAction[] {
  return Array.from({ length }, (_, index) => {
    const action = actions.find((each) => each.index === index);
    const { source } = Object(plan.actions[index]) as { source?: unknown };
    const place = typeof source === 'string' ? { source } : {};
    const own = problems
      .filter((problem) => indexOf(problem) === index)
      .map((one): PlanProblem => ({ ...one, ...place }));
    const { key = '', operation = String(Object(plan.actions[index]).operation ?? ''), target } = action ?? {};
    const rest = { index, key, operation, target, details: [], problems: own, warnings: [], ...place };
    const does = action && `${describe(action, false, undefined, locale)} ${inLocale(remarks.unchecked(), locale)}`;
    const sentence = does ?? inLocale(remarks.invalid(), locale);
    return { ...rest, state: action ? 'unpreviewed' : 'refused', sentence, summary: sentence };
  });
}
