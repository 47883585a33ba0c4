import type { Client } from 'multilocal';
import { timeoutOf } from 'multilocal/internal/call';
import { endpoints } from 'multilocal/internal/endpoints';
import { isMultilocalError } from 'multilocal/internal/errors';
import type { Action } from './actions.js';
import { LEAVES_WITHIN, MARGIN } from './clock.js';
import type { Context } from './context.js';
import type { Entry } from './journal-content.js';
import type { Ledger } from './ledger.js';
import { countRequests, type Lookup, lookups, type Trace } from './lookup.js';

/**
 * Looks up an action whose outcome an earlier run lost, and notes the result in the journal. Sends only reads. Such an action
 * stays open, and is never sent again, if the result is `unclear`, or `none`: no read of the service can show it.
 */
export async function look(context: Context, ledger: Ledger, action: Action): Promise<'found' | 'unclear' | 'none'> {
  const entry = ledger.entryOf(action.key) as Entry;
  const lookup = lookups[entry.operation];
  if (!lookup) return 'none';
  const { service_end: noted } = entry;
  // A run that was killed while its clocks disagreed has not noted until when it may have sent the request.
  const end = noted ?? new Date((await context.clock()).now().latest).toISOString();
  const trace = await follow(context, ledger, action, { entry, lookup, end }).catch(async (error) => {
    // The next run does not wait again.
    if (context.signal?.aborted && !noted)
      await ledger.end(action.key, { ...entry, outcome: 'unknown', service_end: end });
    throw error;
  });
  if (trace.state === 'unclear') return 'unclear';
  const { service_end: _, error: __, status: ___, before: ____, ...known } = entry;
  const ids = trace.state === 'applied' ? trace.ids : undefined;
  await ledger.end(action.key, { ...known, outcome: trace.state === 'absent' ? 'not_applied' : 'applied', ids });
  return 'found';
}

/** Looks once, for a rehearsal: it notes nothing, and what the service does not show yet may show later. */
export async function glance(context: Context, ledger: Ledger, action: Action): Promise<Trace> {
  const entry = ledger.entryOf(action.key) as Entry;
  const lookup = lookups[entry.operation];
  if (!lookup) return { state: 'unclear' };
  return follow(context, ledger, action, { entry, lookup, end: entry.service_time, isOnce: true });
}

/** What is looked for. `end`: the last instant at which the request may have been sent. */
interface Search {
  readonly entry: Entry;
  readonly lookup: Lookup;
  readonly end: string;
  readonly isOnce?: boolean;
}

/** Looks until the service shows the result, or until the service has certainly finished the request. */
async function follow(
  context: Context,
  ledger: Ledger,
  action: Action,
  { entry, lookup, end, isOnce = false }: Search,
): Promise<Trace> {
  const { client, strict, timer } = context;
  const since = new Date(Date.parse(entry.service_time) - MARGIN);
  // After a response was lost, the service may work on the request for as long as the client waits for a response. So an
  // absent result counts only after that time.
  const settle = finishesWithin(entry) + (lookup.delay ?? 0);
  const clue = {
    client,
    begun: entry.digests ?? {},
    before: entry.before,
    since,
    known: ledger.idsOf(entry.operation),
    // The date of a result is at most `settle` later than the start of its action.
    rivals: ledger.rivalsOf(action.key, entry, new Date(since.getTime() - settle)).map(({ digests = {} }) => digests),
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
    await ledger.refresh(action.key);
    const left = Date.parse(end) + settle - earliest;
    context.emit(action, 'looking', left);
    const trace = await lookup.find(clue).catch(refused);
    if (trace.state === 'applied' || left <= 0 || isOnce) return trace;
    await timer.wait(Math.min(pause, left), context.signal);
  }
}

/** How long a request may be worked on after it was sent, in ms. */
export function finishesWithin({ operation }: Pick<Entry, 'operation'>): number {
  const endpoint = endpoints.find((each) => each.operation === operation);
  return (endpoint ? timeoutOf(endpoint) : 0) + MARGIN;
}

/**
 * Until when another run may still be sending the request of an entry, in ms since 1970. `undefined` if none can be: it has
 * ended, or it was started too long ago by every clock, or in a future that no clock knows.
 */
export async function busyUntil(context: Context, entry: Entry | undefined): Promise<number | undefined> {
  if (entry?.outcome !== 'started') return undefined;
  const { earliest } = (await context.clock()).now();
  const longest = finishesWithin(entry) + LEAVES_WITHIN + MARGIN;
  const end = Date.parse(entry.service_end ?? entry.service_time) + (entry.service_end ? 0 : LEAVES_WITHIN);
  const left = end + finishesWithin(entry) - earliest;
  return left > 0 && left <= longest ? context.timer.date() + left : undefined;
}

/** Counts what a lookup of an action compares later. Where the service refuses to count, a lost action stays unknown. */
export async function countBefore(client: Client, action: Action, { digests }: Entry, context: Context) {
  if (action.operation !== 'acquisition.requestReviews') return undefined;
  return countRequests(client, digests ?? {}, context.strict).catch((error) => void refused(error));
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
