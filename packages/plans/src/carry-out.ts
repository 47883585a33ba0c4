import type { MultilocalError, Outcome } from 'multilocal';
import { isRepeatable } from 'multilocal/internal/call';
import { isMultilocalError, PlanError } from 'multilocal/internal/errors';
import { looksLikePreview } from 'multilocal/internal/types';
import { type Action, at, type PlanProblem } from './actions.js';
import { finishesWithin, LEAVES_WITHIN } from './clock.js';
import { PREVIEWED } from './diff.js';
import { digestsOf } from './digests.js';
import type { Entry, Made, Sent } from './journal-content.js';
import { countBefore } from './lost-actions.js';
import type { Opened } from './opened.js';
import { invoke } from './operation.js';
import { isPost } from './operations.js';
import { failureIn, idsOf, missedIn, missingIn, outcomeOf } from './outcome.js';
import { problemOf } from './problems.js';
import type { PlanStep } from './results.js';
import { send } from './send.js';
import type { Why } from './sentences.js';
import { hasTextAndMoments, isOut, PENDING } from './shown.js';
import { type Approving, deleting, type Task } from './tasks.js';
import { begunSince } from './twins.js';
import { localMoment, whenWritten } from './words.js';

/** What a run has found out about an action. */
export type Ended = Partial<PlanStep> & { readonly outcome: Outcome };

/** An entry whose request is on its way. */
type Begun = Entry & { readonly sent: Sent };

/**
 * Sends the request of a task, and notes its outcome: before it leaves, and after it has ended. `guard` throws if the request may not leave
 * any more.
 */
export async function carryOut(opened: Opened, action: Action, task: Task, guard = () => {}): Promise<Ended> {
  const { context, ledger } = opened;
  const { client, signal } = context;
  const { endpoint, params } = task;
  const { key } = action;
  const isRepeated = ledger.entryOf(key)?.sent !== undefined;
  const clock = await context.clock();
  let begun: Begun | undefined;
  const before = async () => {
    guard();
    begun = await start(opened, action, task);
  };
  // After a 429, a run that is killed while it waits leaves nothing to look up.
  const between = async () => {
    if (begun && !isRepeated) await ledger.end(key, task.refused(begun));
  };
  const sent = await send(context, action, { state: 'sending', before, between }, (options) =>
    invoke(client, endpoint, params, options),
  );
  // Outside of the request: if the journal cannot note the response, the action has not failed.
  if (sent.isAnswered) return accept(opened, action, task, begun as Begun, sent.body);
  const { error, isInDoubt } = sent;
  if (signal?.aborted && error === signal.reason) {
    // It was interrupted while it waited. An earlier attempt may have happened only if twice has the effect of once.
    const isLost = isRepeated || (isInDoubt && isRepeatable(endpoint));
    if (begun) await ledger.end(key, isLost ? lost(begun, clock.now().latest) : task.refused(begun));
    throw error;
  }
  if (!isMultilocalError(error)) throw error;
  const isDeletion = task.sent.change === 'delete';
  const outcome = outcomeOf(error, endpoint, isRepeated || isDeletion);
  // A deletion that finds nothing has the body of a refusal, which says nothing about the deletion.
  const body = error.outcome === outcome && Reflect.get(error, 'body');
  if (outcome === 'applied') return accept(opened, action, task, begun as Begun, body);
  const { code, status }: MultilocalError & { status?: number } = error;
  if (begun) {
    // A correction that is refused when it is repeated may have happened before. 404: what it corrects is gone.
    const isLost = outcome === 'unknown' || (isRepeated && task.sent.change !== undefined && status !== 404);
    const ended = isLost
      ? lost(begun, clock.now().latest, { error: code, status })
      : { ...task.refused(begun), error: code, status };
    await ledger.end(key, ended);
  }
  // An error of an unknown outcome says that itself.
  const next = error.outcome === 'unknown' ? RERUN : `A proxy may have answered in its place. ${LOOKS}`;
  const message = `${error.message} ${outcome === 'unknown' ? next : TRIES}`;
  return { outcome: begun ? outcome : 'not_applied', error, problem: { code, message, path: at(action) } };
}

/** Notes that a request is about to leave. If that took long, it is noted anew: another run may have looked meanwhile. */
async function start(opened: Opened, action: Action, task: Task): Promise<Begun> {
  const { context, ledger } = opened;
  const { client, timer, signal } = context;
  const known = ledger.entries();
  const clock = await context.clock();
  for (;;) {
    const [now, date] = [timer.now(), timer.date()];
    const { earliest, latest, isSure } = clock.now();
    const before = await countBefore(client, task.entry.operation, task.sent.digests, context);
    const sent: Sent = {
      ...task.sent,
      service_time: new Date(earliest).toISOString(),
      ...(isSure && { service_end: new Date(latest + LEAVES_WITHIN).toISOString() }),
      ...(before && { before }),
    };
    await ledger.save(action.key, { ...task.entry, begun_at: new Date(date).toISOString(), sent });
    const begun = ledger.entryOf(action.key) as Begun;
    // Of two runs at one instant, the second one to write the journal sees the first one there.
    const other = task.sent.change === undefined ? begunSince(known, action, opened.sides()) : undefined;
    if (other !== undefined) {
      await ledger.end(action.key, task.refused(begun));
      throw isBusy(action, Number.NaN, other);
    }
    const isLate = Math.max(timer.now() - now, timer.date() - date) > LEAVES_WITHIN;
    if (!isLate || signal?.aborted) return begun;
  }
}

/**
 * Notes an action that the service has accepted with a 2xx response. The specification does not say what a response means
 * that names an error, so the action counts as carried out, which repeats nothing, and the step has a warning. A preview
 * shows that the service took the request for a dry run, or pretends to. So a person must settle the action.
 */
async function accept(opened: Opened, action: Action, task: Task, begun: Begun, result: unknown): Promise<Ended> {
  const { context, ledger } = opened;
  const { endpoint, params } = task;
  const { sent } = begun;
  const { latest } = (await context.clock()).now();
  if (looksLikePreview(result)) {
    await ledger.end(action.key, lost(begun, latest, { error: PREVIEWED }));
    return unresolved(action, 'previewed');
  }
  const isUnchanged = await isAsBefore(opened, action, begun, result);
  if (isUnchanged && sent.change === 'delete') {
    await ledger.end(action.key, lost(begun, latest));
    return { outcome: 'unknown', problem: problemOf('unknown_outcome', { id: sent.id }, at(action)) };
  }
  const ids = idsOf(result, endpoint.confidential?.(params));
  const missed = missedIn(result, params);
  const missing = missingIn(endpoint.operation, ids);
  const sign = failureIn(result) ?? (missing && (missed ?? missing)) ?? (isUnchanged ? UNCHANGED : undefined);
  const { error: _, status: __, settled_by: ___, ...ended } = task.applied(begun, sent, ids);
  await ledger.end(
    action.key,
    sign !== undefined && ended.made ? { ...ended, made: doubted(ended.made, begun) } : ended,
  );
  const made = ledger.entryOf(action.key)?.made?.ids;
  const said = sign ?? missed;
  if (!said) return { outcome: 'applied', result, ids: made };
  return {
    outcome: 'applied',
    result,
    ids: made,
    warning: problemOf('failure_in_response', { sign: said }, at(action)),
  };
}

/** Of a change that may not have happened, what was there before is known for certain. */
function doubted(made: Made, { sent, made: before }: Begun): Made {
  return sent.change === undefined
    ? { ...made, doubt: 'made' }
    : { ...made, digests: before?.digests, doubt: 'changed' };
}

/**
 * Whether a post is as it was before a change or a deletion that the service has accepted. Neither response is specified, and a
 * 404 may be that of a proxy. A service may keep deleted posts under a status of its own.
 */
async function isAsBefore({ service }: Opened, action: Action, { sent, made, operation }: Begun, response: unknown) {
  const { change, id = '' } = sent;
  const isNew = (thing: unknown) => hasTextAndMoments(thing, digestsOf(action));
  if (change === undefined || !isPost(operation)) return false;
  if (change === 'update' && isNew(response)) return false;
  const found = await service.readThing('post', id).catch(() => undefined);
  if (change === 'update') return !isNew(found) && hasTextAndMoments(found, made?.digests);
  if (found === undefined || found === 'gone' || !('platforms' in found)) return found === undefined;
  // Any status of a publication, also one that is not documented.
  return PENDING.includes(found.status) || found.status.startsWith('publish');
}

const UNCHANGED = 'no trace of the change, and neither has the post';
const TRIES = 'It did not happen. The next run tries it again; to leave it out, remove the action from the plan.';
const RERUN = 'Run the plan again: it looks that up first.';
const LOOKS = `It is unknown whether it happened. ${RERUN}`;

/** Lookups count from the end of the call: the last attempt may have been sent a moment before. */
function lost(entry: Begun, latest: number, failure: Pick<Sent, 'error' | 'status'> = {}): Entry {
  return { ...entry, sent: { ...entry.sent, isLost: true, service_end: new Date(latest).toISOString(), ...failure } };
}

/** The next full minute: `2026-12-24 09:05 (UTC+1)`. `undefined` if the moment is unknown. */
function minuteAt({ params }: Action, until: number): string | undefined {
  if (Number.isNaN(until)) return undefined;
  return localMoment(new Date(Math.ceil(until / 60_000) * 60_000), whenWritten(params));
}

/** The error of an action that another run may still be sending. */
export function isBusy(action: Action, until: number, key = action.operation): PlanError {
  const message = `Another run may still be sending ${key}, or the service may still be working on it.`;
  const after = minuteAt(action, until);
  return new PlanError('journal_locked', message, `Run the plan again${after ? ` after ${after}` : ''}.`);
}

/** The step of an action that a person must settle. */
export function unresolved(action: Action, why: Why, entry?: Entry): Ended & { readonly problem: PlanProblem } {
  const { operation = action.operation, sent } = entry ?? {};
  // Who looks while the service still works on it sees nothing, and would have it sent again.
  const after = minuteAt(action, Date.parse(sent?.service_end ?? '') + finishesWithin(operation));
  const problem = problemOf('plan_unresolved', { operation, why, key: action.key, after }, at(action));
  const hint = 'Settle this action as described, then run the plan again.';
  return { outcome: 'unknown', error: new PlanError('plan_unresolved', problem.message, hint, 'unknown'), problem };
}

/** A post that is deleted was looked at at most that many ms before. */
const LOOKED_WITHIN = 5_000;
/** How often it is looked at again because the request had to wait. */
export const MOST_LOOKS = 5;

/** The request would leave too long after the look. */
export class Stale extends Error {}

/**
 * Deletes a post at most five seconds after a look at it. `undefined`: it is no longer as it was when that was decided. `leftOver`: the
 * plan no longer has it.
 */
export async function deleteSeen(
  opened: Opened,
  action: Action,
  entry: Entry,
  id: string | number,
  leftOver?: Approving,
): Promise<Ended | undefined> {
  const { service, context } = opened;
  const { timer } = context;
  const clock = await context.clock();
  for (let looks = 1; ; looks++) {
    const looked = timer.now();
    const thing = await service.readThing('post', id);
    if (thing !== 'gone' && isOut(thing, clock.now().latest)) return undefined;
    // What is gone already is deleted again only to close its entry.
    if (thing === 'gone' && !entry.sent) return undefined;
    const guard = () => {
      if (timer.now() - looked <= LOOKED_WITHIN) return;
      throw looks < MOST_LOOKS ? new Stale() : waitsTooLong();
    };
    try {
      const ended = await carryOut(opened, action, deleting(entry, id, leftOver), guard);
      if (ended.outcome === 'applied') service.forget(id);
      return ended;
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
    }
  }
}

function waitsTooLong(): PlanError {
  const message =
    'The deletion had to wait too long for the limits of the key, so that nobody knows what the post has become.';
  return new PlanError('plan_unresolved', message, 'Run the plan again when other programs use the key less.');
}
