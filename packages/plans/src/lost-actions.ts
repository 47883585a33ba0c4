import type { Client } from 'multilocal';
import { isMultilocalError } from 'multilocal/internal/errors';
import type { Action } from './actions.js';
import { finishesWithin, MARGIN } from './clock.js';
import type { Context } from './context.js';
import type { Digests } from './digests.js';
import type { Entry, Sent } from './journal-content.js';
import type { Ledger } from './ledger.js';
import { countRequests, type Lookup, type LookupResult } from './lookup.js';
import { foundAs } from './made.js';
import { rowOf } from './operations.js';
import { isRefusal } from './refusals.js';

/** An entry that was begun, by its key. */
interface Lost {
  readonly key: string;
  readonly index: number;
  readonly entry: Entry;
  readonly sent: Sent;
}

/** What is looked up of an action, or of a key that the plan no longer has. */
export function lostOf({ key, index }: Pick<Action, 'key' | 'index'>, ledger: Ledger): Lost {
  const entry = ledger.entryOf(key) as Entry;
  return { key, index, entry, sent: entry.sent as Sent };
}

/**
 * Looks up an action whose outcome an earlier run lost, and notes the result in the journal. Sends only reads. Such an action
 * stays open, and is never sent again, if the result is `unclear`, as it is where no read of the service can show it.
 */
export async function lookUp(context: Context, ledger: Ledger, lost: Lost): Promise<'found' | 'unclear'> {
  const { key, entry, sent } = lost;
  const { lookup } = rowOf(entry.operation);
  if (!lookup) return 'unclear';
  const { service_end: noted } = sent;
  // A run that was killed while its clocks disagreed has not noted until when it may have sent the request.
  const end = noted ?? new Date((await context.clock()).now().latest).toISOString();
  const trace = await poll(context, ledger, lost, { lookup, end }).catch(async (error) => {
    // The next run does not wait again.
    if (context.signal?.aborted && !noted)
      await ledger.end(key, { ...entry, sent: { ...sent, isLost: true, service_end: end } });
    throw error;
  });
  if (trace.state === 'unclear') return 'unclear';
  await ledger.end(key, trace.state === 'applied' ? foundAs(entry, sent, trace.ids) : { ...entry, sent: undefined });
  return 'found';
}

/** Looks once, for a rehearsal: it notes nothing, and what the service does not show yet may show later. */
export async function lookUpOnce(context: Context, ledger: Ledger, lost: Lost): Promise<Entry | 'unclear' | 'absent'> {
  const { entry, sent } = lost;
  const { lookup } = rowOf(entry.operation);
  if (!lookup) return 'unclear';
  const trace = await poll(context, ledger, lost, { lookup, end: sent.service_time, isOnce: true });
  return trace.state === 'applied' ? foundAs(entry, sent, trace.ids) : trace.state;
}

/** Looks until the service shows the result, or has certainly finished the request, which was sent by `end` at the latest. */
async function poll(
  context: Context,
  ledger: Ledger,
  { key, index, entry, sent }: Lost,
  { lookup, end, isOnce = false }: { readonly lookup: Lookup; readonly end: string; readonly isOnce?: boolean },
): Promise<LookupResult> {
  const { client, strict, timer } = context;
  const { operation } = entry;
  const since = new Date(Date.parse(sent.service_time) - MARGIN);
  // After a response was lost, the service may work on the request for as long as the client waits for a response. So an
  // absent result counts only after that time.
  const settle = finishesWithin(operation) + (lookup.delay ?? 0);
  const rivals = ledger.sameOperationSince(key, operation, new Date(since.getTime() - settle));
  const clue = {
    client,
    begun: sent.digests ?? {},
    before: sent.before,
    since,
    known: ledger.idsOf(operation),
    // The date of a result is at most `settle` later than the start of its action.
    rivals: rivals.map(({ digests = {} }) => digests),
    options: strict,
  };
  const clock = await context.clock();
  // Each look is a request of the key's budget, and most results show at once.
  for (let pause = lookup.every; ; pause *= 2) {
    // Measured before the look, so that the last look is late enough by every clock.
    const { earliest, isSure } = clock.now();
    // With wrong clocks, an older object could look like ours, and an object that the service still makes could look
    // absent.
    if (!isSure) return { state: 'unclear' };
    await ledger.refresh(key);
    const left = Date.parse(end) + settle - earliest;
    context.emit({ index, operation }, 'looking', left);
    const trace = await lookup.find(clue).catch(refused);
    if (trace.state === 'applied' || left <= 0 || isOnce) return trace;
    await timer.wait(Math.min(pause, left), context.signal);
  }
}

/** Counts what a lookup of an action compares later. Where the service refuses to count, a lost action stays unknown. */
export async function countBefore(client: Client, operation: string, digests: Digests | undefined, context: Context) {
  if (operation !== 'acquisition.requestReviews') return undefined;
  return countRequests(client, digests ?? {}, context.strict).catch((error) => void refused(error));
}

/**
 * A read that is refused shows nothing, and neither does a response that is not understood. Other failures end the run,
 * which can be continued later.
 */
function refused(error: unknown): LookupResult {
  const isSilent = isRefusal(error) || (isMultilocalError(error) && error.code === 'invalid_response');
  if (!isSilent) throw error;
  return { state: 'unclear' };
}
