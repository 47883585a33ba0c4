import { isRepeatable, timeoutOf } from '../../core/call.js';
import { type Client, isMultilocalError } from '../../index.js';
import { MARGIN, realTimer, ServiceClock, type Timer } from './clock.js';
import type { Journal } from './journal.js';
import type { Entry } from './journal-file.js';
import { type Lookup, lookups, type Trace } from './lookup.js';
import type { Plan, PlanAction } from './plan.js';
import type { Wire } from './wire.js';

/** Options of the steps of a run. */
export interface RunOptions {
  /** Called after each step, and before a wait. The run waits for the promise that it returns. */
  readonly onStep?: ((step: Step) => unknown) | undefined;
  /** Ends the run. A request that was sent is finished first, and a wait ends at once. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the events of the client. Without it, the signal does not end a wait of the client. */
  readonly wire?: Wire | undefined;
  /** @internal Another time for tests. */
  readonly timer?: Timer | undefined;
}

/** What a run did with one action. */
export interface Step {
  readonly action: PlanAction;
  /**
   * - `looking`: the run looks for the result of an earlier run, and may wait before it looks again.
   * - `sending`: the request is about to be sent.
   * - `applied`, `not_applied`, `unknown`: the outcome of the action.
   * - `unresolved`: the outcome is unknown and cannot be looked up. A person must settle it.
   */
  readonly state: 'looking' | 'sending' | 'applied' | 'not_applied' | 'unknown' | 'unresolved';
  /** Ids of what was made. */
  readonly ids?: readonly (string | number)[] | undefined;
  /** What the response says against an action that was carried out: a sentence for people. */
  readonly warning?: string | undefined;
  /** The error, if the action failed. */
  readonly error?: unknown;
  /** A sentence for people. */
  readonly message: string;
}

/** The code of an action whose real request was answered with a preview. */
export const PREVIEWED = 'preview_received';

/** Whether it is unknown if an action happened. The earlier run was killed, or did not receive a clear response. */
export function isOpen(entry: Entry | undefined): boolean {
  return entry?.outcome === 'started' || entry?.outcome === 'unknown';
}

/**
 * Whether an action may have happened and must not be sent again. The next run looks it up, or a person must settle it. An
 * action that was answered with a preview is not sent again even if twice has the same effect as once.
 */
export function isUnresolved(action: PlanAction, entry: Entry | undefined): boolean {
  return isOpen(entry) && (entry?.error === PREVIEWED || !isRepeatable(action.endpoint));
}

/**
 * Looks up the actions whose outcome an earlier run lost, and notes the results in the journal. Sends only reads. An action that cannot be
 * looked up stays open, and {@link runPlan} never sends it again.
 * @returns a step for each action that was open.
 */
export async function resumePlan(
  client: Client,
  plan: Plan,
  journal: Journal,
  options: RunOptions = {},
): Promise<Step[]> {
  const { onStep, signal, timer = realTimer } = options;
  const open = plan.actions.filter((action) => isUnresolved(action, journal.entryOf(action)));
  const steps: Step[] = [];
  let clock: ServiceClock | undefined;
  for (const action of open) {
    signal?.throwIfAborted();
    const isPreviewed = journal.entryOf(action)?.error === PREVIEWED;
    // A missing result would let the action be sent again.
    const lookup = isPreviewed ? undefined : lookups[action.operation];
    clock ??= await ServiceClock.read(client, timer, { signal });
    const trace = lookup ? await follow({ client, action, journal, lookup, clock, timer }, options) : undefined;
    const step = isPreviewed ? previewedStep(action, journal) : stepOf(action, trace, journal);
    if (trace && trace.state !== 'unclear') {
      const { state, ...ids } = trace;
      await journal.end(action, { outcome: state === 'absent' ? 'not_applied' : state, ...ids });
    }
    steps.push(step);
    await onStep?.(step);
  }
  return steps;
}

interface Following {
  readonly client: Client;
  readonly action: PlanAction;
  readonly journal: Journal;
  readonly lookup: Lookup;
  readonly clock: ServiceClock;
  readonly timer: Timer;
}

/** Looks until the service shows the result, or until the service has certainly finished the request. */
async function follow(following: Following, { onStep, signal }: RunOptions): Promise<Trace> {
  const { client, action, journal, lookup, clock, timer } = following;
  const { operation, params } = action;
  const { service_time, service_end: noted } = journal.entryOf(action) as Entry;
  const since = new Date(Date.parse(service_time) - MARGIN);
  // After a response was lost, the service may work on the request for as long as the client waits for a response. So an
  // absent result counts only after that time, measured from the last instant at which the request may have been sent.
  const timeout = timeoutOf(action.endpoint);
  const settle = timeout + MARGIN + (lookup.delay ?? 0);
  const clue = {
    client,
    params,
    since,
    known: journal.idsOf(operation),
    // The date of a result is at most `settle` later than the start of its action.
    rivals: journal.othersOf(action, new Date(since.getTime() - settle)).map((other) => other.params),
    options: { signal },
  };
  let end = noted;
  // Each look is a request of the key's budget, and most results show at once.
  for (let pause = lookup.every; ; pause *= 2) {
    // Measured before the look, so that the last look is late enough by every clock.
    const { earliest, latest, isSure } = clock.now();
    // With wrong clocks, an older object could look like ours, and an object that the service still makes could look absent.
    if (!isSure) return { state: 'unclear' };
    // A killed run has noted only when the action began, and the request may have waited long for its turn. The lock shows
    // that the run ended before now. It is noted once, so that the next run does not wait again.
    if (end === undefined) {
      end = new Date(latest).toISOString();
      await journal.end(action, { outcome: 'unknown', service_end: end });
    }
    const left = Date.parse(end) + settle - earliest;
    const trace = await lookup.find(clue).catch(refused);
    if (trace.state === 'applied' || left <= 0) return trace;
    const seconds = Math.ceil(left / 1000);
    const message = `${operation} was started by an earlier run, and the service may still be working on it. Looking for its result for up to ${seconds} s.`;
    await onStep?.({ action, state: 'looking', message });
    await timer.wait(Math.min(pause, left), signal);
  }
}

const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 410, 422]);

/** A read that is refused shows nothing. Other failures end the run, which can be continued later. */
function refused(error: unknown): Trace {
  const { status }: { status?: number } = Object(error);
  if (!isMultilocalError(error) || !REFUSALS.has(status ?? 0)) throw error;
  return { state: 'unclear' };
}

/** The step of an action whose real request was answered with a preview. */
export function previewedStep(action: PlanAction, { file }: Journal): Step {
  const what = `${action.operation} (line ${action.line}): the service answered the request with a preview.`;
  return { action, state: 'unresolved', message: `${what} ${UNKNOWN} ${settleIn(file)}` };
}

const UNKNOWN = 'It may have happened, and it is never sent again.';

function settleIn(file: string): string {
  return `Look in the service, then set the \`outcome\` of the action in ${file} to "applied" or "not_applied".`;
}

function stepOf(action: PlanAction, trace: Trace | undefined, { file }: Journal): Step {
  const { operation, line } = action;
  if (trace?.state === 'applied') {
    const { ids } = trace;
    return { action, state: 'applied', ids, message: `${operation} has happened: the service shows its result.` };
  }
  if (trace?.state === 'absent') {
    const message = `${operation} has not happened: the service does not show its result.`;
    return { action, state: 'not_applied', message };
  }
  const why = trace ? 'the service does not show whether it did' : 'no read of the service shows whether it did';
  const what = `${operation} (line ${line}) may have happened, and ${why}. It is never sent again.`;
  return { action, state: 'unresolved', message: `${what} ${settleIn(file)}` };
}
