import { memoryJournal } from '@multilocal/stores/journal/port';
import type { Client, Outcome, Post } from 'multilocal';
import { isMultilocalError, PlanError } from 'multilocal/internal/errors';
import { emit } from 'multilocal/internal/events';
import type { PlanJournal } from 'multilocal/node';
import { Accounts } from './accounts.js';
import {
  type Action,
  type Actions,
  at,
  indexOf,
  inView,
  invalidPlan,
  type PlanProblem,
  readActions,
} from './actions.js';
import { Context, type PlanOptions } from './context.js';
import { decide, isOpen, type Next, type Sight } from './decide.js';
import { describe, describeWhole, detailsOf, type PlanQuota, quotaOf, warningsOf } from './describe.js';
import { hashOfActions } from './hash.js';
import type { Entry } from './journal-content.js';
import { Ledger } from './ledger.js';
import { invoke } from './operation.js';
import { idsOf, outcomeOf } from './outcome.js';
import type { Plan } from './plan.js';
import { type LeftOver, leftOvers, prunedOf } from './prune.js';
import { refusedBy, refusedLocally } from './refusals.js';
import { DOUBTFUL } from './run.js';
import { send } from './send.js';
import { Sights } from './sights.js';
import { Targets } from './targets.js';
import { deleting, sending, type Task, updating } from './tasks.js';
import { PlanWarnings } from './warnings.js';

/** What would happen to one action. */
export interface RehearsedAction {
  /** Number of the action, from 0. */
  readonly index: number;
  /** The key of the action. `''` if the action is invalid. */
  readonly key: string;
  /** The operation of the action. `''` if the plan names none. */
  readonly operation: string;
  /** The location, listing or object of the action. `undefined` if it has none, or is invalid. */
  readonly target: string | undefined;
  /**
   * - `ready`: the service has previewed the action.
   * - `changed`: its key was carried out with other parameters. A run corrects what it has made, as `change` says.
   * - `refused`: `problems` says why.
   * - `unpreviewed`: nothing speaks against the action, but it was not previewed. The operation has no preview, another
   *   action of the plan is invalid, or an earlier run lost its outcome: `summary` says which.
   * - `done`: the journal says that it has happened.
   */
  readonly state: 'ready' | 'changed' | 'refused' | 'unpreviewed' | 'done';
  /** The correction of a `changed` action. */
  readonly change?: PlanChange | undefined;
  /** What would happen, for people: location, platforms, moment, whole text, and the review that is answered. It has no contact. */
  readonly summary: string;
  /** More from the preview: `be online at: 2026-12-01T08:00:00Z`. */
  readonly details: readonly string[];
  /** Why the action cannot be carried out. */
  readonly problems: readonly PlanProblem[];
  /** What somebody should look at. It prevents nothing, but a twin on the service stops a run without `again`. */
  readonly warnings: readonly PlanProblem[];
  /** What the action uses of monthly quotas. */
  readonly quota?: readonly PlanQuota[] | undefined;
}

/** The correction of what an action has made. */
export interface PlanChange {
  /** `update`: a `PUT`. `replace`: it is deleted and made anew, which needs the permission `delete`. */
  readonly kind: 'update' | 'replace';
  /** The parameters that differ. */
  readonly fields: readonly string[];
}

/** A post that a plan with `prune` deletes. */
export interface PrunedPost {
  /** The key of the action that has made it. */
  readonly key: string;
  /** The id of the post. */
  readonly id: string | number;
  /** What would happen, for people. */
  readonly summary: string;
  /** Why the post cannot be deleted. */
  readonly problems: readonly PlanProblem[];
}

/** The result of {@link rehearsePlan}. */
export interface Rehearsal {
  /** Whether no action and no deletion is refused. */
  readonly ok: boolean;
  /** What somebody should look at in the plan as a whole: posts that it no longer has (`left_over`). */
  readonly warnings: readonly PlanProblem[];
  /** Each action of the plan, in its order. */
  readonly actions: readonly RehearsedAction[];
  /** With `prune`, the pending posts that a run deletes. */
  readonly prune: readonly PrunedPost[];
  /** Requests that the rehearsal has sent. `GET /health`, which counts toward no limit, is not among them. */
  readonly requests: number;
  /**
   * SHA-256 of the actions with their keys, the places where they act and, with `prune`, the keys that are deleted. The order of parameters changes nothing, nor does a `Date` instead of the string of the same
   * moment. `runPlan` takes it as `approved`. `''` if an action is invalid.
   */
  readonly hash: string;
}

/** Options of {@link rehearsePlan}. */
export interface RehearseOptions extends PlanOptions {
  /** What earlier runs have done. Without it, every action counts as new. */
  readonly journal?: PlanJournal | undefined;
  /** Say which pending posts a run with `prune` deletes. */
  readonly prune?: boolean | undefined;
  /** Called after each action. Errors of it are ignored. */
  readonly onAction?: ((action: RehearsedAction) => unknown) | undefined;
}

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
 * @throws an `InvalidRequestError` if the plan is no object with a list of `actions`.
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
export async function rehearseWithout(
  unpreviewed: ReadonlyMap<string, string>,
  client: Client,
  plan: Plan,
  options: RehearseOptions,
): Promise<Rehearsal> {
  const context = new Context(client, options);
  // The caller may change the plan meanwhile, so it is read before anything is waited for.
  const read = readActions(plan);
  const whole = read.issues.filter((issue) => indexOf(issue) === undefined);
  if (whole.length > 0) throw invalidPlan('rehearsePlan', whole);
  if (read.problems.length > 0) {
    return { ok: false, warnings: [], actions: offline(plan, read), prune: [], requests: 0, hash: '' };
  }
  const owner = await context.owner();
  const given = inView(read.actions, client);
  const ledger = await Ledger.open(options.journal ?? memoryJournal(), owner, { timer: context.timer });
  context.signal?.throwIfAborted();
  const sights = new Sights(context, ledger);
  const rehearsing = { ...begin(context, ledger, sights, given), unpreviewed };
  const actions: RehearsedAction[] = [];
  for (const action of given) {
    const rehearsed = await rehearse(action, rehearsing);
    actions.push(rehearsed);
    emit(options.onAction, rehearsed);
    // The preview that was on its way has been finished.
    context.signal?.throwIfAborted();
  }
  const { name } = read;
  const left = name === undefined ? [] : await leftOvers(ledger, sights, name, given);
  const prune = options.prune ? left.map((one) => pruned(one, rehearsing)) : [];
  const keys =
    options.prune && name !== undefined ? [...prunedOf(ledger, name, given), ...prune.map(({ key }) => key)] : [];
  const isFine = [...actions, ...prune].every(({ problems }) => problems.length === 0);
  return {
    ok: isFine && actions.every(({ state }) => state !== 'refused'),
    warnings: options.prune ? [] : left.map(leftOver),
    actions,
    prune,
    requests: context.asking.requests,
    hash: hashOfActions(given, keys),
  };
}

/** Warns about a pending post that only a run with `prune` deletes. */
function leftOver({ key, entry }: LeftOver): PlanProblem {
  const message = `The plan no longer has ${key}, and its post (id ${entry.ids?.[0]}) is pending. It will be published, unless \`prune\` deletes it.`;
  return { code: 'left_over', message, path: [] };
}

function pruned({ key, entry, action }: LeftOver, { context }: Rehearsing): PrunedPost {
  const { identity } = context.client;
  const problem = identity && refusedLocally(identity, action);
  const summary = `${problem ? 'Cannot' : 'Would'} delete the post of ${key}, which the plan no longer has (${action.target}).`;
  return { key, id: entry.ids?.[0] ?? '', summary, problems: problem ? [{ ...problem, path: [] }] : [] };
}

/** What the schemas alone say of each action. */
export function offline(plan: Plan, { actions, problems, length }: Actions): RehearsedAction[] {
  return Array.from({ length }, (_, index) => {
    const action = actions.find((each) => each.index === index);
    const own = problems.filter((problem) => indexOf(problem) === index);
    const operation = action?.operation ?? String(Object(plan.actions[index]).operation ?? '');
    const rest = {
      index,
      key: action?.key ?? '',
      operation,
      target: action?.target,
      details: [],
      problems: own,
      warnings: [],
    };
    if (action) return { ...rest, state: 'unpreviewed', summary: `${describe(action, false)} ${OFFLINE}` };
    return { ...rest, state: 'refused', summary: 'The action is invalid.' };
  });
}

const OFFLINE = 'It was checked, but not previewed.';

interface Rehearsing {
  readonly context: Context;
  readonly ledger: Ledger;
  readonly sights: Sights;
  readonly accounts: Accounts;
  readonly targets: Targets;
  /** Why operations that have a preview are only checked. */
  readonly unpreviewed: ReadonlyMap<string, string>;
  readonly warnings: PlanWarnings;
  /** What the actions so far use of each quota. */
  readonly used: Map<string, number>;
  /** The ids of what the actions of this plan have made. */
  readonly own: ReadonlySet<string>;
}

function begin(
  context: Context,
  ledger: Ledger,
  sights: Sights,
  actions: readonly Action[],
): Omit<Rehearsing, 'unpreviewed'> {
  return {
    context,
    ledger,
    sights,
    accounts: new Accounts(context),
    targets: new Targets(context.client, context.asking.options),
    warnings: new PlanWarnings(context.timer.date()),
    used: new Map(),
    own: new Set(actions.flatMap(({ key }) => ledger.entryOf(key)?.ids ?? []).map(String)),
  };
}

/** What is known of an action. Everything that is left out has a default. */
type Verdict = Pick<RehearsedAction, 'state'> & Partial<RehearsedAction>;

async function rehearse(action: Action, rehearsing: Rehearsing): Promise<RehearsedAction> {
  const { warnings, used } = rehearsing;
  const own = warnings.next(action);
  const verdict = await verdictOf(action, own, rehearsing);
  const problems = [...(verdict.problems ?? []), ...sharedProblems(action, verdict, used)];
  const { index, key, operation, target } = action;
  return {
    ...{ index, key, operation, target, details: [] },
    ...verdict,
    summary: verdict.summary ?? (await summaryOf(action, problems.length > 0, rehearsing, verdict.state)),
    state: problems.length > 0 ? 'refused' : verdict.state,
    problems,
    warnings:
      verdict.state === 'done' ? (verdict.warnings ?? []) : withoutRepetition([...own, ...(verdict.warnings ?? [])]),
  };
}

async function summaryOf(action: Action, isRefused: boolean, { targets }: Rehearsing, state: Verdict['state']) {
  // What was refused without a request costs none.
  return describeWhole(action, isRefused, state === 'refused' ? {} : await targets.shownOf(action));
}

/** Another post of the plan on the same account is on the service, too, after a run that made only that one. */
function withoutRepetition(warnings: readonly PlanProblem[]): PlanProblem[] {
  const isFirst = ({ code }: PlanProblem, index: number) => warnings.findIndex((each) => each.code === code) === index;
  return warnings.filter((each, index) => each.code !== 'same_account' || isFirst(each, index));
}

/** What a run would do, decided as a run decides. */
async function verdictOf(action: Action, own: readonly PlanProblem[], rehearsing: Rehearsing): Promise<Verdict> {
  const { context, ledger, sights } = rehearsing;
  let entry = ledger.entryOf(action.key);
  let sight: Sight = {};
  try {
    for (;;) {
      const next = decide(action, entry, sight);
      if (next.do === 'see') {
        const { isListed, operation, id } = next;
        const object = await (isListed ? sights.listed(action, id) : sights.object(operation, id));
        sight = { object };
      } else if (next.do === 'note') {
        entry = next.entry;
        sight = {};
      } else if (next.do === 'send') {
        const { identity } = context.client;
        const problem = identity && refusedLocally(identity, action);
        return problem ? { state: 'refused', problems: [problem] } : await preview(action, entry, own, rehearsing);
      } else return await known(action, entry, next, sight, rehearsing);
    }
  } catch (error) {
    return { state: 'refused', problems: [refusedBy(error, action)] };
  }
}

const FAILURE = 'The response named a failure. Look in the service whether it happened. It is not sent again.';
const OPEN = 'It may have happened. A run asks the service first, and sends it again only if it did not happen.';

/** The verdict on an action that the journal knows. */
async function known(
  action: Action,
  entry: Entry | undefined,
  next: Exclude<Next, { do: 'see' | 'note' | 'send' }>,
  sight: Sight,
  rehearsing: Rehearsing,
): Promise<Verdict> {
  const warning = (message: string) => ({ code: 'unknown_outcome', message, path: at(action) });
  switch (next.do) {
    case 'nothing': {
      const warnings = entry?.error === DOUBTFUL ? [{ ...warning(FAILURE), code: DOUBTFUL }] : [];
      return { state: 'done', summary: `Done at ${entry?.ended_at ?? entry?.started_at}.`, warnings };
    }
    case 'refuse':
      return { state: 'refused', problems: [{ code: next.code, message: next.message, path: at(action) }] };
    case 'change':
      return correction(action, entry as Entry, next, sight, rehearsing);
    case 'settle': {
      const summary = `It may have happened: ${next.why}. A person must settle it, and it is never sent again.`;
      return { state: 'unpreviewed', summary, warnings: [warning(summary)] };
    }
    default:
      return { state: 'unpreviewed', summary: OPEN, warnings: [warning(OPEN)] };
  }
}

/** The verdict on a correction: what differs, and whether the accounts and the permissions allow it. */
async function correction(
  action: Action,
  entry: Entry,
  { change, fields }: Next & { do: 'change' },
  { object }: Sight,
  { context, accounts, sights, targets, own }: Rehearsing,
): Promise<Verdict> {
  const { identity } = context.client;
  const tasks: readonly Task[] =
    change === 'update' ? [updating(action, entry, fields)] : [deleting(entry), sending(action)];
  const { index, operation } = action;
  const refused = tasks.flatMap(({ endpoint, params }) => {
    return (identity && refusedLocally(identity, { endpoint, params, index })) ?? [];
  });
  const isPost = operation === 'posts.create';
  const { place } = await targets.shownOf(action);
  const checked = isPost && refused.length === 0 ? await accounts.check(action, place) : { problems: [], warnings: [] };
  const kind = change === 'update' ? 'update' : 'replace';
  const how = kind === 'update' ? 'change' : 'delete and make anew';
  return {
    state: 'changed',
    change: { kind, fields },
    summary: `Would ${how} what was made at ${entry.ended_at ?? entry.started_at}: ${fields.join(', ')} (${place ?? action.target ?? operation}).`,
    details: isPost && typeof object === 'object' ? comparison(action, object as Post, fields) : [],
    problems: [...refused, ...checked.problems],
    warnings: [...checked.warnings, ...(isPost ? await sights.near(action, own) : [])],
  };
}

/** The old and the new text. The journal has only digests, so the old one is that of the service. */
function comparison({ params }: Action, object: Post, fields: readonly string[]): string[] {
  return fields.flatMap((name) => {
    const now = params[name] ?? (name === 'content' ? params.text : undefined);
    const stored: unknown = Reflect.get(object, name) ?? (name === 'scheduled_at' ? dateOf(object) : undefined);
    const print = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));
    return [`${name} until now: ${print(stored)}`, `${name} from now on: ${print(now)}`];
  });
}

function dateOf(post: Post): unknown {
  return post.platforms.map((platform) => Reflect.get(post, `scheduled_${platform}`)).find(Boolean);
}

async function preview(
  action: Action,
  entry: Entry | undefined,
  told: readonly PlanProblem[],
  rehearsing: Rehearsing,
): Promise<Verdict> {
  const { accounts, sights, targets, unpreviewed, own } = rehearsing;
  const { endpoint, operation } = action;
  const warnings: PlanProblem[] = [];
  try {
    if (operation === 'posts.create') {
      const checked = await accounts.check(action, (await targets.shownOf(action)).place);
      if (checked.problems.length > 0) return { state: 'refused', problems: checked.problems };
      const twin = await sights.twinOf(action);
      warnings.push(...checked.warnings, ...(twin ? [twin] : []), ...(await sights.near(action, own)));
    }
    const why = unpreviewed.get(operation) ?? (endpoint.dryRun ? undefined : 'The operation has no preview.');
    if (why !== undefined) {
      // A deletion whose outcome is open may have happened.
      const problems = endpoint.method === 'DELETE' && isOpen(entry) ? [] : await targets.problemsOf(action);
      const summary = describeWhole(action, problems.length > 0, await targets.shownOf(action), why);
      return { state: 'unpreviewed', summary, problems, warnings, ...quotaOf(action, undefined) };
    }
    const fields = Object(await dryRun(action, rehearsing)) as Record<string, unknown>;
    warnings.push(...warningsOf(action, fields, [...told, ...warnings]));
    return { state: 'ready', details: detailsOf(action, fields), warnings, ...quotaOf(action, fields.quota) };
  } catch (error) {
    return { state: 'refused', problems: [refusedBy(error, action)], warnings };
  }
}

/**
 * Returns the body of the preview of an action. What the service carried out instead is noted: no later run may repeat it.
 * @throws the error of the client.
 */
async function dryRun(action: Action, { context, ledger }: Rehearsing): Promise<unknown> {
  const { client } = context;
  const { endpoint, key, params } = action;
  const sent = await send(context, action, { state: 'previewing' }, (options) =>
    invoke(client.dryRun, endpoint, params, options),
  );
  if (sent.isAnswered) return sent.body;
  const { error } = sent;
  const outcome: Outcome = isMultilocalError(error) ? outcomeOf(error, endpoint, false) : 'not_applied';
  if (outcome !== 'applied') throw error;
  const date = new Date(context.timer.date()).toISOString();
  const { begun, applied } = sending(action);
  const ids = idsOf(Reflect.get(Object(error), 'body'), endpoint.confidential?.(params));
  try {
    await ledger.end(key, applied({ ...begun, started_at: date, service_time: date }, ids));
  } catch (failure) {
    if (!(failure instanceof PlanError)) throw failure;
    throw new PlanError(failure.code, `${Object(error).message} ${failure.message}`, failure.hint, 'applied');
  }
  throw error;
}

/** Finds that the actions together need more than is left of a quota. No preview of a single action shows that. */
function sharedProblems(action: Action, { quota = [] }: Verdict, used: Map<string, number>): PlanProblem[] {
  const { params } = action;
  return quota.flatMap(({ name, uses, left }) => {
    const owner = `${name} ${params.bulle_id ?? params.fiche_id ?? ''}`;
    const before = used.get(owner) ?? 0;
    used.set(owner, before + uses);
    if (left === undefined || before + uses <= left) return [];
    const message = `The actions up to this one need ${before + uses} ${name}, and ${left} are left this month.`;
    return [{ code: 'quota_exceeded', message, path: at(action) }];
  });
}
