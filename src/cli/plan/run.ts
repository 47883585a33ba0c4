import { isRepeatable } from '../../core/call.js';
import type { Mask } from '../../core/redact.js';
import { looksLikePreview } from '../../core/types.js';
import { type Client, isMultilocalError, type MultilocalError } from '../../index.js';
import { invoke } from '../operation.js';
import { inCommandWords } from '../wording.js';
import { realTimer, ServiceClock } from './clock.js';
import { maskId } from './encoded.js';
import type { Ending, Journal } from './journal.js';
import type { Plan, PlanAction } from './plan.js';
import { invalidPlan, PlanError } from './problem.js';
import { isOpen, isUnresolved, PREVIEWED, previewedStep, type RunOptions, type Step } from './resume.js';
import { withoutContacts } from './verdict.js';
import type { Wire } from './wire.js';

/** How a run ended. */
export interface RunResult {
  /**
   * - `done`: every action has happened.
   * - `unresolved`: the run has reached the end, and a person must settle some actions.
   * - `stopped`: an action failed or its outcome is unknown. The next run goes on from there.
   * - `interrupted`: the signal ended the run. The request that was on its way was finished first.
   */
  readonly state: 'done' | 'unresolved' | 'stopped' | 'interrupted';
  /** What this run did, in the order of the plan. */
  readonly steps: readonly Step[];
  /** Actions that have happened, those of earlier runs included. */
  readonly applied: readonly PlanAction[];
  /** Actions that a person must settle. */
  readonly unresolved: readonly PlanAction[];
  /** Actions that the next run will carry out. */
  readonly left: readonly PlanAction[];
  /** The error that stopped the run. */
  readonly error?: unknown;
}

/**
 * Carries out the actions of a plan that have not happened yet, one by one. Call {@link resumePlan} before, so that lost
 * actions are known, and {@link rehearsePlan}, which is the gate.
 *
 * An action is in the journal before its request is sent. An action that may have happened is never sent again, unless
 * sending it twice has the same effect.
 */
export async function runPlan(
  client: Client,
  plan: Plan,
  journal: Journal,
  options: RunOptions = {},
): Promise<RunResult> {
  const { onStep, signal, timer = realTimer, wire } = options;
  if (plan.problems.length > 0) throw invalidPlan('plan_invalid', plan.file, plan.problems);
  const steps: Step[] = [];
  const tell = async (step: Step) => {
    if (step.state !== 'sending') steps.push(step);
    await onStep?.(step);
  };
  let clock: ServiceClock | undefined;
  for (const action of plan.actions) {
    const entry = journal.entryOf(action);
    if (entry?.outcome === 'applied' || isUnresolved(action, entry)) continue;
    clock ??= await ServiceClock.read(client, timer, { signal }).catch((error) => {
      if (!signal?.aborted) throw error;
      return undefined;
    });
    if (!clock || signal?.aborted) return resultOf(plan, journal, { state: 'interrupted', steps });
    await journal.start(action, new Date(clock.now().earliest));
    await tell({ action, state: 'sending', message: `${action.operation} is being sent.` });
    const step = await carryOut({ client, action, journal, clock, wire, signal }, isOpen(entry));
    await tell(step);
    const state = signal?.aborted ? 'interrupted' : 'stopped';
    if (step.state !== 'applied') return resultOf(plan, journal, { state, steps, error: step.error });
  }
  return resultOf(plan, journal, { state: 'done', steps });
}

function resultOf(plan: Plan, journal: Journal, result: Pick<RunResult, 'state' | 'steps' | 'error'>): RunResult {
  const entryOf = (action: PlanAction) => journal.entryOf(action);
  const applied = plan.actions.filter((action) => entryOf(action)?.outcome === 'applied');
  const unresolved = plan.actions.filter((action) => isUnresolved(action, entryOf(action)));
  const left = plan.actions.filter((action) => !applied.includes(action) && !unresolved.includes(action));
  const isUnsettled = result.state === 'done' && unresolved.length > 0;
  return { ...result, ...(isUnsettled && { state: 'unresolved' }), applied, unresolved, left };
}

interface Carrying {
  readonly client: Client;
  readonly action: PlanAction;
  readonly journal: Journal;
  readonly clock: ServiceClock;
  readonly wire: Wire | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Sends an action whose start is in the journal, and notes its outcome. */
async function carryOut(carrying: Carrying, isRepeated: boolean): Promise<Step> {
  const { client, action, journal, clock, wire, signal } = carrying;
  const { endpoint, params } = action;
  try {
    const send = (stop?: AbortSignal) => invoke(client, endpoint, params, { signal: stop });
    return await accept(carrying, await (wire ? wire.carry(signal, send) : send()));
  } catch (error) {
    if (signal?.aborted && error === signal.reason) return await giveUp(carrying, isRepeated);
    if (!isMultilocalError(error)) throw error;
    const outcome = outcomeOf(error, action, isRepeated);
    // A deletion that finds nothing has the body of a refusal, which says nothing about the deletion.
    if (outcome === 'applied') return await accept(carrying, error.outcome === outcome && Reflect.get(error, 'body'));
    const { code, status }: MultilocalError & { status?: number } = error;
    await journal.end(action, { outcome, error: code, status, ...endOf(outcome, clock) });
    return { action, state: outcome, error, message: messageOf(error, outcome) };
  }
}

/**
 * Notes an action that the service has accepted with a 2xx response. The specification does not say what a response means
 * that names an error, so the action counts as carried out, which repeats nothing, and the step has a warning. A preview
 * shows that the service took the request for a dry run, or pretends to. So a person must settle the action.
 */
async function accept({ action, journal, clock }: Carrying, body: unknown): Promise<Step> {
  const { operation, endpoint, params } = action;
  if (looksLikePreview(body)) {
    await journal.end(action, { outcome: 'unknown', error: PREVIEWED, ...endOf('unknown', clock) });
    const step = previewedStep(action, journal);
    const hint = 'Check the address and the key: they may be those of a test system.';
    return { ...step, error: new PlanError('plan_unresolved', step.message, hint, [], 'unknown') };
  }
  const ids = idsOf(body, endpoint.confidential?.(params));
  const sign = signOfFailure(body);
  await journal.end(action, { outcome: 'applied', ids, ...(sign && { error: DOUBTFUL }) });
  const applied = { action, state: 'applied', ids } as const;
  if (!sign) return { ...applied, message: `${operation}: done.` };
  const warning = `The service accepted the request, but its response has ${sign}. Look in the service whether it happened. It is not sent again.`;
  return { ...applied, warning, message: `${operation}: ${warning}` };
}

/** The code of an applied action whose response names a failure. */
export const DOUBTFUL = 'failure_in_response';

/** Fields that are `false` in the response of an action that failed. */
const FLAGS = ['success', 'ok', 'posted', 'queued', 'ran', 'generated', 'uploaded'] as const;

/** Returns what in a 2xx response says that the action failed. The text of the service is not repeated. */
function signOfFailure(body: unknown): string | undefined {
  const fields = Object(body) as Record<string, unknown>;
  const name = ['error', 'errors'].find((each) => [fields[each]].flat().some(Boolean));
  if (name) return `\`${name}\``;
  const flag = FLAGS.find((each) => fields[each] === false);
  if (flag) return `\`${flag}: false\``;
  return fields.status === 'error' ? '`status: error`' : undefined;
}

/** Notes an action that was interrupted while it waited for its turn or for a retry. */
async function giveUp({ action, journal, clock, wire }: Carrying, isRepeated: boolean): Promise<Step> {
  // A write that may have happened is retried only if twice has the same effect as once.
  const isInDoubt = isRepeated || (wire?.isInDoubt && isRepeatable(action.endpoint));
  const outcome = isInDoubt ? 'unknown' : 'not_applied';
  await journal.end(action, { outcome, ...endOf(outcome, clock) });
  const message = isInDoubt ? 'An earlier attempt may have happened.' : 'It did not happen.';
  return { action, state: outcome, message: `${action.operation} was interrupted while it waited. ${message}` };
}

/** Lookups count from the end of the call: the last attempt may have been sent a moment before. */
function endOf(outcome: Ending['outcome'], clock: ServiceClock): Pick<Ending, 'service_end'> {
  return outcome === 'unknown' ? { service_end: new Date(clock.now().latest).toISOString() } : {};
}

/** What a failed call has done, as far as it is known. */
export function outcomeOf(
  error: MultilocalError,
  { endpoint }: PlanAction,
  isRepeated: boolean,
): 'applied' | 'not_applied' | 'unknown' {
  // An earlier run has deleted it.
  if (isRepeated && endpoint.method === 'DELETE' && error.code === 'not_found') return 'applied';
  if (error.outcome !== 'applied') return error.outcome;
  // No write of the service answers with a list. So a 2xx response that is no object may come from a proxy, which has done
  // nothing.
  const { body }: { body?: unknown } = Object(error);
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? 'applied' : 'unknown';
}

function messageOf({ message }: MultilocalError, outcome: Ending['outcome']): string {
  const said = inCommandWords(message);
  if (outcome === 'not_applied')
    return `${said} It did not happen. The next run tries it again; to leave it out, remove the action from the plan.`;
  return `${said} It is unknown whether it happened. Run the command again: it looks before it goes on.`;
}

/** The fields of results that name what was made. */
const ID_FIELDS = ['id', 'post_id', 'article_id', 'report_id', 'batch_id', 'review_id', 'image_url'] as const;

/** Returns the ids of what an operation has made, without contacts and without the query of an address. */
export function idsOf(result: unknown, mask: Mask = (text) => text): (string | number)[] {
  const fields = Object(result) as Record<string, unknown>;
  if (Array.isArray(fields.created)) return fields.created.flatMap((one) => idsOf(one, mask));
  const name = ID_FIELDS.find((each) => typeof fields[each] === 'string' || typeof fields[each] === 'number');
  if (name === undefined) return [];
  const id = fields[name] as string | number;
  const shown = maskId(name === 'image_url' ? String(id).replace(/[?#].*$/s, '') : id, mask);
  return [typeof shown === 'string' ? withoutContacts(shown) : shown];
}
