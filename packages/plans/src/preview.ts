import { isMultilocalError, PlanError } from 'multilocal/internal/errors';
import { isOutage } from 'multilocal/internal/retry';
import type { Action } from './actions.js';
import type { Context } from './context.js';
import type { Entry, Sent } from './journal-content.js';
import type { Ledger } from './ledger.js';
import { invoke } from './operation.js';
import { idsOf, outcomeOf } from './outcome.js';
import { send } from './send.js';
import type { Task } from './tasks.js';

/** Where a preview is noted that was carried out. `hasJournal`: whether it outlives the rehearsal. */
interface Notes {
  readonly context: Context;
  readonly ledger: Ledger;
  readonly hasJournal: boolean;
}

/**
 * Returns the body of the preview of a request. What the service carried out instead is noted under the key of its action before anything
 * else, and so is what may have been: a response that is no preview and no result, or none at all. No later run repeats it.
 * @throws the error of the client.
 */
export async function preview(action: Action, task: Task, notes: Notes): Promise<unknown> {
  const { context } = notes;
  const { client, timer } = context;
  const { endpoint, params } = task;
  const started = timer.now();
  const sent = await send(context, action, { state: 'previewing' }, (options) =>
    invoke(client.dryRun, endpoint, params, options),
  );
  if (sent.isAnswered) return sent.body;
  const { error } = sent;
  if (!isMultilocalError(error) || error.outcome === 'not_applied') throw error;
  const outcome = outcomeOf(error, endpoint, false);
  const { code, status }: { code: string; status?: number } = error;
  const times = await timesOf(context, timer.now() - started);
  const begun: Sent = { ...task.sent, ...times, isLost: true, error: code, status };
  const entry: Entry = { ...ownOf(action, task, notes), begun_at: new Date(timer.date()).toISOString(), sent: begun };
  const ids = idsOf(Reflect.get(error, 'body'), endpoint.confidential?.(params));
  const noted = outcome === 'applied' ? task.applied(entry, begun, [...(entry.made?.ids ?? []), ...ids]) : entry;
  // It fails with nothing else.
  await notes.ledger.end(action.key, noted).catch(({ code, message, hint }: PlanError) => {
    throw new PlanError(code, `${error.message} ${message}`, hint, outcome === 'applied' ? 'applied' : 'unknown');
  });
  const [replaced] = entry.made?.ids ?? [];
  if (outcome !== 'applied' || replaced === undefined)
    throw notes.hasJournal ? error : withoutJournal(error, error.outcome);
  const both = `${error.message} The post that it was to replace (id ${replaced}) is still there.`;
  throw new PlanError('plan_unresolved', both, 'Delete one of the two posts.', 'applied');
}

/** A rehearsal gives a key what another one has made, as a run would. In the journal, it stays where it is. */
function ownOf({ key }: Action, { entry }: Task, { ledger }: Notes): Entry {
  const { made, online, approved } = ledger.entryOf(key) ?? {};
  if (`${entry.made?.ids}` === `${made?.ids}`) return entry;
  return { ...entry, made, online, approved };
}

const LOOK =
  'Look in the service before you run the plan: no journal was given, so a run would not know that it may have happened.';

function withoutJournal(error: Error, outcome: PlanError['outcome']): Error {
  // A failure that may pass is a problem of its action, which keeps its code.
  if (isOutage(error)) return Object.assign(error, { message: `${error.message} ${LOOK}` });
  return new PlanError('plan_unresolved', `${error.message} ${LOOK}`, LOOK, outcome);
}

/** When the request may have been carried out, by the clocks of the service. If it does not answer, by that of this machine. */
async function timesOf(context: Context, passed: number): Promise<Pick<Sent, 'service_time' | 'service_end'>> {
  const clock = await context.clock().catch(() => undefined);
  const { earliest, latest } = clock?.now() ?? { earliest: context.timer.date(), latest: undefined };
  const end = latest === undefined ? {} : { service_end: new Date(latest).toISOString() };
  return { service_time: new Date(earliest - passed).toISOString(), ...end };
}
