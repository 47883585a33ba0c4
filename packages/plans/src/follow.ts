import { isRepeatable, timeoutOf } from 'multilocal/internal/call';
import { isMultilocalError } from 'multilocal/internal/errors';
import type { Action } from './actions.js';
import { MARGIN } from './clock.js';
import type { Context } from './context.js';
import type { Entry } from './journal-content.js';
import type { Ledger } from './ledger.js';
import { type Lookup, lookups, type Trace } from './lookup.js';

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
export function isUnresolved(action: Action, entry: Entry | undefined): boolean {
  return isOpen(entry) && (entry?.error === PREVIEWED || !isRepeatable(action.endpoint));
}

/**
 * Looks up an action whose outcome an earlier run lost, and notes the result in the journal. Sends only reads. Resolves to
 * `undefined` if nothing shows whether it happened. Such an action stays open and is never sent again.
 */
export async function resolve(context: Context, ledger: Ledger, action: Action): Promise<Trace | undefined> {
  // A missing result would let the action be sent again.
  const lookup = ledger.entryOf(action)?.error === PREVIEWED ? undefined : lookups[action.operation];
  if (!lookup) return undefined;
  const trace = await follow(context, ledger, action, lookup);
  if (trace.state === 'unclear') return trace;
  const { state, ...ids } = trace;
  await ledger.end(action, { outcome: state === 'absent' ? 'not_applied' : state, ...ids });
  return trace;
}

/** Looks until the service shows the result, or until the service has certainly finished the request. */
async function follow(context: Context, ledger: Ledger, action: Action, lookup: Lookup): Promise<Trace> {
  const { client, asking, timer } = context;
  const { operation, params } = action;
  const { service_time, service_end: noted } = ledger.entryOf(action) as Entry;
  const since = new Date(Date.parse(service_time) - MARGIN);
  // After a response was lost, the service may work on the request for as long as the client waits for a response. So an
  // absent result counts only after that time, measured from the last instant at which the request may have been sent.
  const settle = timeoutOf(action.endpoint) + MARGIN + (lookup.delay ?? 0);
  const clue = {
    client,
    params,
    since,
    known: ledger.idsOf(operation),
    // The date of a result is at most `settle` later than the start of its action.
    rivals: ledger.othersOf(action, new Date(since.getTime() - settle)).map((other) => other.params),
    // A response that was not checked could look as if nothing had happened.
    options: { ...asking.options, validation: 'throw' } as const,
  };
  const clock = await context.clock();
  // A killed run has noted only when the action began. Another run may still be sending it, for at most half a minute.
  const end = noted ?? new Date(clock.now().latest).toISOString();
  try {
    // Each look is a request of the key's budget, and most results show at once.
    for (let pause = lookup.every; ; pause *= 2) {
      // Measured before the look, so that the last look is late enough by every clock.
      const { earliest, isSure } = clock.now();
      // With wrong clocks, an older object could look like ours, and an object that the service still makes could look
      // absent.
      if (!isSure) return { state: 'unclear' };
      await ledger.refuseChanged();
      const left = Date.parse(end) + settle - earliest;
      context.emit(action, 'looking', left);
      const trace = await lookup.find(clue).catch(refused);
      if (trace.state === 'applied' || left <= 0) return trace;
      await timer.wait(Math.min(pause, left), context.signal);
    }
  } catch (error) {
    // The next run does not wait again.
    if (context.signal?.aborted && !noted) await ledger.end(action, { outcome: 'unknown', service_end: end });
    throw error;
  }
}

const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 410, 422]);

/**
 * A read that is refused shows nothing, and neither does a response that is not understood. Other failures end the run,
 * which can be continued later.
 */
function refused(error: unknown): Trace {
  const { code, status }: { code?: string; status?: number } = Object(error);
  const isSilent = code === 'invalid_response' || REFUSALS.has(status ?? 0);
  if (!isMultilocalError(error) || !isSilent) throw error;
  return { state: 'unclear' };
}
