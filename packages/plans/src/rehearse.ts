import type { Client, Identity, MultilocalError } from 'multilocal';
import { isMultilocalError, QuotaExceededError } from 'multilocal/internal/errors';
import { emit } from 'multilocal/internal/events';
import { preflight } from 'multilocal/internal/preflight';
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
import { describe, detailsOf, type PlanQuota, quotaOf, warningsOf } from './describe.js';
import { isOpen, isUnresolved, PREVIEWED } from './follow.js';
import { hashOfActions } from './hash.js';
import { Ledger } from './ledger.js';
import type { Plan } from './plan.js';
import { Previewer } from './preview.js';
import { DOUBTFUL } from './run.js';
import { Targets } from './targets.js';
import { Twins } from './twins.js';
import { PlanWarnings } from './warnings.js';

/** What would happen to one action. */
export interface RehearsedAction {
  /** Number of the action, from 0. */
  readonly index: number;
  /** The operation of the action. `''` if the plan names none. */
  readonly operation: string;
  /** The location, listing or object of the action. `undefined` if it has none, or is invalid. */
  readonly target: string | undefined;
  /**
   * - `ready`: the service has previewed the action.
   * - `refused`: `problems` says why.
   * - `unpreviewed`: nothing speaks against the action, but it was not previewed. The operation has no preview, another
   *   action of the plan is invalid, or an earlier run lost its outcome: `summary` says which.
   * - `done`: the journal says that it has happened.
   */
  readonly state: 'ready' | 'refused' | 'unpreviewed' | 'done';
  /** What would happen, for people. It has no contact, and texts of previews are cut. */
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

/** The result of {@link rehearsePlan}. */
export interface Rehearsal {
  /** Whether no action is refused. */
  readonly ok: boolean;
  /** Each action of the plan, in its order. */
  readonly actions: readonly RehearsedAction[];
  /** Requests that the rehearsal has sent. `GET /health`, which counts toward no limit, is not among them. */
  readonly requests: number;
  /**
   * SHA-256 of the actions. The order of parameters changes nothing, nor does a `Date` instead of the string of the same
   * moment. `runPlan` takes it as `approved`. `''` if an action is invalid.
   */
  readonly hash: string;
}

/** Options of {@link rehearsePlan}. */
export interface RehearseOptions extends PlanOptions {
  /** What earlier runs have done. Without it, every action counts as new. */
  readonly journal?: PlanJournal | undefined;
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
 * if the plan has posts. A preview that the service may execute, because it has not shown yet that it honours `dry_run`, is
 * in the journal while it is on its way.
 * @throws an `InvalidRequestError` if the plan is no object with a list of `actions`.
 * @throws a `PlanError` if the journal is damaged, belongs to another brand, or has an action that the plan lacks.
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
  if (read.problems.length > 0) return { ok: false, actions: offline(plan, read), requests: 0, hash: '' };
  await context.owner();
  const given = inView(read.actions, client);
  const hash = hashOfActions(given);
  const rehearsing = { ...(await begin(context, given, options)), unpreviewed };
  const actions: RehearsedAction[] = [];
  for (const action of given) {
    const rehearsed = await rehearse(action, rehearsing);
    actions.push(rehearsed);
    emit(options.onAction, rehearsed);
    // The preview that was on its way has been finished.
    context.signal?.throwIfAborted();
  }
  const ok = actions.every(({ state }) => state !== 'refused');
  return { ok, actions, requests: context.asking.requests, hash };
}

/** What the schemas alone say of each action. */
export function offline(plan: Plan, { actions, problems, length }: Actions): RehearsedAction[] {
  return Array.from({ length }, (_, index) => {
    const action = actions.find((each) => each.index === index);
    const own = problems.filter((problem) => indexOf(problem) === index);
    const operation = action?.operation ?? String(Object(plan.actions[index]).operation ?? '');
    const rest = { index, operation, target: action?.target, details: [], problems: own, warnings: [] };
    if (action) return { ...rest, state: 'unpreviewed', summary: `${describe(action, false)} ${OFFLINE}` };
    return { ...rest, state: 'refused', summary: 'The action is invalid.' };
  });
}

const OFFLINE = 'It was checked, but not previewed.';

interface Rehearsing {
  readonly context: Context;
  readonly ledger: Ledger | undefined;
  readonly accounts: Accounts;
  readonly targets: Targets;
  readonly twins: Twins;
  readonly previewer: Previewer;
  /** Why operations that have a preview are only checked. */
  readonly unpreviewed: ReadonlyMap<string, string>;
  readonly warnings: PlanWarnings;
  /** What the known identity refuses. */
  readonly refusals: ReadonlyMap<Action, Verdict>;
  /** What the actions so far use of each quota. */
  readonly used: Map<string, number>;
}

async function begin(
  context: Context,
  actions: readonly Action[],
  { journal }: RehearseOptions,
): Promise<Omit<Rehearsing, 'unpreviewed'>> {
  const owner = await context.owner();
  const ledger = journal && (await Ledger.open(journal, actions, owner));
  const refusals = actions.flatMap((action) => {
    const verdict = refusedLocally(owner.identity, action);
    return verdict ? [[action, verdict] as const] : [];
  });
  context.signal?.throwIfAborted();
  return {
    context,
    ledger,
    accounts: new Accounts(context),
    targets: new Targets(context.client, context.asking.options),
    twins: new Twins(context, ledger),
    previewer: new Previewer(context, ledger),
    warnings: new PlanWarnings(context.timer.date()),
    refusals: new Map(refusals),
    used: new Map(),
  };
}

/** What is known of an action. Everything that is left out has a default. */
type Verdict = Pick<RehearsedAction, 'state'> & Partial<RehearsedAction>;

async function rehearse(action: Action, rehearsing: Rehearsing): Promise<RehearsedAction> {
  const { ledger, refusals, warnings, used } = rehearsing;
  const own = warnings.next(action);
  const known = knownVerdict(action, ledger);
  const verdict = known ?? refusals.get(action) ?? (await preview(action, rehearsing));
  const problems = [...(verdict.problems ?? []), ...sharedProblems(action, verdict, used)];
  const { index, operation, target } = action;
  return {
    ...{ index, operation, target, details: [] },
    summary: describe(action, problems.length > 0),
    ...verdict,
    state: problems.length > 0 ? 'refused' : verdict.state,
    problems,
    warnings: known?.state === 'done' ? (known.warnings ?? []) : [...own, ...(verdict.warnings ?? [])],
  };
}

const FAILURE = 'The response named a failure. Look in the service whether it happened. It is not sent again.';
const ANSWERED =
  'It may have happened: the service answered the request with a preview. A person must settle it, and it is never sent again.';
const OPEN = 'It may have happened. A run asks the service first, and sends it again only if it did not happen.';

function knownVerdict(action: Action, ledger: Ledger | undefined): Verdict | undefined {
  const entry = ledger?.entryOf(action);
  const warning = (message: string) => ({ code: 'unknown_outcome', message, path: at(action) });
  if (entry?.outcome === 'applied') {
    const warnings = entry.error === DOUBTFUL ? [{ ...warning(FAILURE), code: DOUBTFUL }] : [];
    return { state: 'done', summary: `Done at ${entry.ended_at ?? entry.started_at}.`, warnings };
  }
  if (!isUnresolved(action, entry)) return undefined;
  const summary = entry?.error === PREVIEWED ? ANSWERED : OPEN;
  return { state: 'unpreviewed', summary, warnings: [warning(summary)] };
}

function refusedLocally(identity: Identity, action: Action): Verdict | undefined {
  const { endpoint, operation, params } = action;
  const { method, path } = endpoint;
  try {
    preflight(endpoint, params, identity, () => ({ operation, method, path }));
    return undefined;
  } catch (error) {
    return refusedBy(error, action);
  }
}

async function preview(action: Action, rehearsing: Rehearsing): Promise<Verdict> {
  const { accounts, ledger, previewer, targets, twins, unpreviewed } = rehearsing;
  const { endpoint, operation } = action;
  const warnings: PlanProblem[] = [];
  try {
    if (operation === 'posts.create') {
      const checked = await accounts.check(action);
      if (checked.problems.length > 0) return { state: 'refused', problems: checked.problems };
      const twin = await twins.find(action);
      warnings.push(...checked.warnings, ...(twin ? [twin] : []));
    }
    const why = unpreviewed.get(operation) ?? (endpoint.dryRun ? undefined : 'The operation has no preview.');
    if (why !== undefined) {
      // A deletion whose outcome is open may have happened.
      const isDeleted = endpoint.method === 'DELETE' && isOpen(ledger?.entryOf(action));
      const problems = isDeleted ? [] : await targets.problemsOf(action);
      const summary = `${describe(action, problems.length > 0)} ${why}`;
      return { state: 'unpreviewed', summary, problems, warnings, ...quotaOf(action, undefined) };
    }
    const fields = Object(await previewer.send(action)) as Record<string, unknown>;
    warnings.push(...warningsOf(action, fields));
    return { state: 'ready', details: detailsOf(action, fields), warnings, ...quotaOf(action, fields.quota) };
  } catch (error) {
    return { ...refusedBy(error, action), warnings };
  }
}

const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 409, 410, 422]);

/** Makes an error a problem of its action. Throws errors that concern the whole rehearsal. */
function refusedBy(error: unknown, action: Action): Verdict {
  const { status }: { status?: number } = Object(error);
  const isRefusal = isMultilocalError(error) && (REFUSALS.has(status ?? 0) || error instanceof QuotaExceededError);
  if (!isRefusal) throw error;
  return { state: 'refused', problems: [problemOf(error, action)] };
}

/** The parameter that an error is about. */
const PARAMETERS: Readonly<Record<string, string>> = {
  bulle_not_found: 'bulle_id',
  bulle_out_of_scope: 'bulle_id',
  fiche_out_of_scope: 'fiche_id',
  platform_not_connected: 'platforms',
};

/** Makes the error of an action a problem. */
export function problemOf({ code, message }: MultilocalError, action: Action): PlanProblem {
  const parameter = PARAMETERS[code];
  return { code, message, path: at(action, ...(parameter === undefined ? [] : [parameter])) };
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
