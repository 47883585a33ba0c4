import type { Article, Outcome, Post } from 'multilocal';
import { isMultilocalError, PlanError } from 'multilocal/internal/errors';
import { Accounts } from './accounts.js';
import { type Action, at, type PlanProblem } from './actions.js';
import type { Context } from './context.js';
import { decide, fieldOf, isOpen, type Next, type Sight } from './decide.js';
import { describeWhole, detailsOf, print, quotaOf, warningsOf, whenWritten } from './describe.js';
import { differences, digestsOf } from './digests.js';
import type { Entry } from './journal-content.js';
import type { Ledger } from './ledger.js';
import { invoke } from './operation.js';
import { DOUBTFUL, idsOf, outcomeOf } from './outcome.js';
import { refusedBy, refusedLocally } from './refusals.js';
import type { RehearsedAction } from './results.js';
import { send } from './send.js';
import type { Sights } from './sights.js';
import { Targets } from './targets.js';
import { sending, tasksOf } from './tasks.js';
import { PlanWarnings } from './warnings.js';
import { localMoment } from './words.js';

/** What the verdicts of one rehearsal share. */
export interface Rehearsing {
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

/** Begins a rehearsal. */
export function begin(
  given: Pick<Rehearsing, 'context' | 'ledger' | 'sights' | 'unpreviewed'>,
  actions: readonly Action[],
): Rehearsing {
  const { context, ledger } = given;
  return {
    ...given,
    accounts: new Accounts(context),
    targets: new Targets(context.client, context.counted),
    warnings: new PlanWarnings(context.timer.date()),
    used: new Map(),
    own: new Set(actions.flatMap(({ key }) => ledger.entryOf(key)?.ids ?? []).map(String)),
  };
}

/** What is known of an action. Everything that is left out has a default. */
type Verdict = Pick<RehearsedAction, 'state'> & Partial<RehearsedAction>;

/** Rehearses one action. */
export async function rehearse(action: Action, rehearsing: Rehearsing): Promise<RehearsedAction> {
  const { warnings, used } = rehearsing;
  const own = warnings.next(action);
  const verdict = await verdictOf(action, own, rehearsing);
  const problems = [...(verdict.problems ?? []), ...sharedProblems(action, verdict, used)];
  // What was refused without a request costs none.
  const shown = async () => (verdict.state === 'refused' ? {} : rehearsing.targets.shownOf(action));
  const { index, key, operation, target } = action;
  return {
    ...{ index, key, operation, target, details: [] },
    ...verdict,
    summary: verdict.summary ?? describeWhole(action, problems.length > 0, await shown()),
    state: problems.length > 0 ? 'refused' : verdict.state,
    problems,
    warnings:
      verdict.state === 'done' ? (verdict.warnings ?? []) : withoutRepetition([...own, ...(verdict.warnings ?? [])]),
  };
}

/** Another post of the plan on the same account is on the service, too, after a run that made only that one. */
function withoutRepetition(warnings: readonly PlanProblem[]): PlanProblem[] {
  const isFirst = ({ code }: PlanProblem, index: number) => warnings.findIndex((each) => each.code === code) === index;
  return warnings.filter((each, index) => each.code !== 'same_account' || isFirst(each, index));
}

/** What a run would do, decided as a run decides. */
async function verdictOf(action: Action, told: readonly PlanProblem[], rehearsing: Rehearsing): Promise<Verdict> {
  const { context, ledger, sights } = rehearsing;
  let entry = ledger.entryOf(action.key);
  let sight: Sight = {};
  try {
    for (;;) {
      const next = decide(action, entry, sight);
      if (next.do === 'see') {
        sight = { object: await sights.of(action, next) };
      } else if (next.do === 'note') {
        entry = next.entry;
        sight = {};
      } else if (next.do === 'send') {
        const problems = refusedLocally(context.client, [action], action);
        if (problems.length > 0) return { state: 'refused', problems };
        return correctedAgain(action, entry, await preview(action, entry, told, rehearsing));
      } else if (next.do === 'change') {
        return await correction(action, entry as Entry, next, sight, told, rehearsing);
      } else return known(action, entry, next);
    }
  } catch (error) {
    return { state: 'refused', problems: [refusedBy(error, action)] };
  }
}

/** A change that is carried out with other values under its key: the same object is changed again. */
function correctedAgain(action: Action, entry: Entry | undefined, verdict: Verdict): Verdict {
  if (entry?.outcome !== 'applied' || verdict.state === 'refused') return verdict;
  const fields = differences(entry.digests ?? {}, digestsOf(action) ?? {});
  return { ...verdict, state: 'changed', change: { kind: 'update', fields } };
}

const FAILURE = 'The response named a failure. Look in the service whether it happened. It is not sent again.';
const OPEN = 'It may have happened. A run asks the service first, and sends it again only if it did not happen.';

/** The verdict on an action that the journal knows. */
function known(
  action: Action,
  entry: Entry | undefined,
  next: Exclude<Next, { do: 'see' | 'note' | 'send' | 'change' }>,
): Verdict {
  const warning = (message: string) => ({ code: 'unknown_outcome', message, path: at(action) });
  switch (next.do) {
    case 'nothing': {
      const warnings = entry?.error === DOUBTFUL ? [{ ...warning(FAILURE), code: DOUBTFUL }] : [];
      return { state: 'done', summary: `Done at ${madeAt(action, entry as Entry)}.`, warnings };
    }
    case 'refuse':
      return { state: 'refused', problems: [{ code: next.code, message: next.message, path: at(action) }] };
    case 'settle': {
      const summary = `It may have happened: ${next.why}. A person must settle it, and it is never sent again.`;
      return { state: 'unpreviewed', summary, warnings: [warning(summary)] };
    }
    default:
      return { state: 'unpreviewed', summary: OPEN, warnings: [warning(OPEN)] };
  }
}

/**
 * The verdict on a correction: what differs, and whether the accounts and the permissions allow it. What replaces a post is
 * previewed like a new one: if the service refused it after the deletion, the post would be lost.
 */
async function correction(
  action: Action,
  entry: Entry,
  next: Next & { do: 'change' },
  { object }: Sight,
  told: readonly PlanProblem[],
  rehearsing: Rehearsing,
): Promise<Verdict> {
  const { context, targets } = rehearsing;
  const { change, fields } = next;
  const { operation, target = operation } = action;
  const refused = refusedLocally(context.client, tasksOf(action, entry, next), action);
  const { place = target } = await targets.shownOf(action);
  const isReplaced = change === 'delete';
  const look = () => (isReplaced ? preview(action, entry, told, rehearsing) : lookedAt(action, rehearsing));
  const { problems = [], warnings = [], details = [] }: Partial<Verdict> = refused.length > 0 ? {} : await look();
  return {
    state: 'changed',
    change: { kind: isReplaced ? 'replace' : 'update', fields },
    summary: `Would ${isReplaced ? 'delete and make anew' : 'change'} what was made at ${madeAt(action, entry)}${named(entry)}: ${fields.join(', ')} (${place}).`,
    details: [...(typeof object === 'object' ? comparison(action, object, fields) : []), ...details],
    problems: [...refused, ...problems],
    warnings,
  };
}

/** The old and the new text. The journal has only digests, so the old one is that of the service. */
function comparison(action: Action, object: Post | Article, fields: readonly string[]): string[] {
  const shown = (value: unknown) => (typeof value === 'boolean' ? String(value) : print(value, action) || 'nothing');
  return fields.flatMap((name) => {
    const now = fieldOf(action, name);
    const stored: unknown = Reflect.get(object, name) ?? (name === 'scheduled_at' ? dateOf(object) : undefined);
    return [`${name} until now: ${shown(stored)}`, `${name} from now on: ${shown(now)}`];
  });
}

/** When an action was carried out, on the clocks of its location. */
function madeAt({ params }: Action, { ended_at, started_at }: Entry): string {
  return localMoment(new Date(ended_at ?? started_at), whenWritten(params));
}

/** ` (id 1001)`. */
function named({ ids = [] }: Entry): string {
  return ids.length > 0 ? ` (id ${ids.join(', ')})` : '';
}

function dateOf(object: Post | Article): unknown {
  const platforms = 'platforms' in object ? object.platforms : [];
  return platforms.map((platform) => Reflect.get(object, `scheduled_${platform}`)).find(Boolean);
}

async function preview(
  action: Action,
  entry: Entry | undefined,
  told: readonly PlanProblem[],
  rehearsing: Rehearsing,
): Promise<Verdict> {
  const { targets, unpreviewed } = rehearsing;
  const { endpoint, operation } = action;
  const { problems: found, warnings } = await lookedAt(action, rehearsing);
  if (found.length > 0) {
    // The location was read to compare the accounts, so its name costs no request.
    return { state: 'refused', problems: found, summary: describeWhole(action, true, await targets.shownOf(action)) };
  }
  try {
    const why = unpreviewed.get(operation) ?? (endpoint.dryRun ? undefined : 'The operation has no preview.');
    if (why !== undefined) {
      // A deletion whose outcome is open may have happened.
      const problems = endpoint.method === 'DELETE' && isOpen(entry) ? [] : await targets.problemsOf(action);
      const summary = describeWhole(action, problems.length > 0, await targets.shownOf(action), why);
      return { state: 'unpreviewed', summary, problems, warnings, ...quotaOf(action, undefined) };
    }
    const fields = Object(await dryRun(action, rehearsing)) as Record<string, unknown>;
    const all = [...warnings, ...warningsOf(action, fields, [...told, ...warnings])];
    return { state: 'ready', details: detailsOf(action, fields), warnings: all, ...quotaOf(action, fields.quota) };
  } catch (error) {
    return { state: 'refused', problems: [refusedBy(error, action)], warnings };
  }
}

/** Compares a post with the accounts of its location, and with the posts that the service has there. */
async function lookedAt(action: Action, { accounts, sights, targets, own }: Rehearsing) {
  if (action.operation !== 'posts.create') return { problems: [], warnings: [] };
  const { problems, warnings } = await accounts.check(action, (await targets.shownOf(action)).place);
  if (problems.length > 0) return { problems, warnings: [] };
  const twin = await sights.twinOf(action, own);
  return { problems, warnings: [...warnings, ...(twin ? [twin] : []), ...(await sights.near(action, own))] };
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
  const [replaced] = ledger.entryOf(key)?.ids ?? [];
  try {
    await ledger.end(key, applied({ ...begun, started_at: date, service_time: date }, ids));
  } catch (failure) {
    if (!(failure instanceof PlanError)) throw failure;
    throw new PlanError(failure.code, `${Object(error).message} ${failure.message}`, failure.hint, 'applied');
  }
  if (replaced === undefined) throw error;
  const both = `${Object(error).message} The post that it was to replace (id ${replaced}) is still there.`;
  throw new PlanError('plan_unresolved', both, 'Delete one of the two posts.', 'applied');
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
