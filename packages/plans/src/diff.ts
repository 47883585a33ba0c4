import { isRepeatable } from 'multilocal/internal/call';
import type { Action } from './actions.js';
import { busyUntil } from './clock.js';
import { digestsOf } from './digests.js';
import type { Entry, Sent } from './journal-content.js';
import { CLOCK, changeOf, corrected, isLookedAt, isOther, otherAction, unchanged } from './made.js';
import { endpointOf } from './operation.js';
import { isPost, isSocial, rowOf } from './operations.js';
import { refusal } from './problems.js';
import { platformsOf } from './shown.js';
import type { Sides, Step } from './sides.js';
import { madeBefore, replyTo, twinOf } from './twins.js';
import { localMoment } from './words.js';

/** The code of an action whose real request was answered with a preview. */
export const PREVIEWED = 'preview_received';

/**
 * Says what follows for an action: from what is wanted, what the journal has recorded of its key, and what is there. It asks for what
 * it must see first. Changes nothing, so everything that looks at a plan (rehearsal, run, status, cost, calendar) says the same.
 */
export function stepOf(action: Action, sides: Sides): Step {
  const entry = sides.recorded.get(action.key);
  if (!entry || (!entry.made && !entry.sent)) return fresh(action, entry, sides);
  if (isOfAnotherPlan(action, entry) && hashIn(entry) !== action.hash) return ofAnotherPlan(action, entry);
  if (entry.sent) return begun(action, entry, entry.sent, sides);
  return hashIn(entry) === action.hash ? unchanged(action, entry, sides) : corrected(action, entry, sides);
}

/** What a run intends with an action, before anything is read: for costs and permissions. */
export function intentOf(action: Action, entry: Entry | undefined): 'create' | 'keep' | 'update' | 'replace' | 'other' {
  if (!entry || (!entry.made && !entry.sent)) return 'create';
  if (isOfAnotherPlan(action, entry) && hashIn(entry) !== action.hash) return 'other';
  if (entry.sent && !isRepeatableEntry(entry)) return 'other';
  if (!entry.sent && hashIn(entry) === action.hash) return isLookedAt(action, entry) ? 'keep' : 'other';
  if (isOther(action, entry)) return 'other';
  if (isRepeatable(action.endpoint)) return entry.target === action.target ? 'create' : 'other';
  return changeOf(action, entry) ?? 'other';
}

export function hashIn({ made, sent }: Entry): string | undefined {
  return (sent ?? made)?.hash;
}

/** Entries and plans without a name belong to nobody and everybody. */
function isOfAnotherPlan({ plan }: Action, entry: Entry): boolean {
  return entry.plan !== undefined && plan !== undefined && entry.plan !== plan;
}

function ofAnotherPlan({ params }: Action, { plan, operation, made, sent }: Entry): Step {
  const { ids = [] } = made ?? {};
  const at = localMoment(new Date(made?.at ?? sent?.service_time ?? 0), params.scheduled_at);
  return refusal('key_of_another_plan', { plan: plan ?? '', operation, ids, at });
}

/** Nothing was made under the key. */
function fresh(action: Action, entry: Entry | undefined, sides: Sides): Step {
  if (action.operation === 'reviews.reply') return replyTo(action, entry, sides);
  const isOfPost = isPost(action.operation);
  if (!isOfPost && !isSocial(action.operation)) return { do: 'create' };
  const { again, recorded } = sides;
  const isUnseen = again && [...recorded.values()].every(({ online = [] }) => online.length === 0);
  const before = isUnseen ? undefined : isOfPost && !again ? twinOf(action, sides) : madeBefore(action, sides);
  const isRead = before?.do === 'read';
  if (before && (isRead || !again)) return before;
  // What is gone is made again where nobody has seen it.
  const gone = before?.do === 'refuse' && before.code === 'may_be_online' ? before : undefined;
  const { online = [] }: { online?: readonly string[] } = gone?.values ?? {};
  const seen = [...(entry?.online ?? []), ...online];
  const wanted = platformsOf(digestsOf(action));
  const platforms = wanted.filter((platform) => !seen.includes(platform));
  if (platforms.length === wanted.length) return { do: 'create' };
  if (platforms.length > 0) return { do: 'create', platforms };
  return gone ?? refusal('already_online', { where: 'everywhere' });
}

/** A request was begun, and nobody knows yet whether it happened. */
function begun(action: Action, entry: Entry, sent: Sent, sides: Sides): Step {
  if (sent.error === PREVIEWED) return { do: 'ask', why: 'answered' };
  const isSame = sent.hash === action.hash;
  const { there, now } = sides;
  const isRepeated = isRepeatableEntry(entry);
  const isShown = rowOf(entry.operation).lookup !== undefined;
  if (!isRepeated && isShown && !there.unclear.has(action.key)) return { do: 'look up' };
  // An older version of the plan may be on its way: it must not arrive last.
  if (!sent.isLost && !(isRepeated && isSame)) {
    if (!there.clock) return CLOCK;
    const until = busyUntil(entry.operation, sent, there.clock, now);
    if (until !== undefined) return { do: 'wait', until };
  }
  if (!isRepeated) return { do: 'ask', why: isShown ? 'unclear' : 'unreadable' };
  if (sent.change) return corrected(action, entry, sides);
  return isOther(action, entry) || entry.target !== action.target ? otherAction(entry) : { do: 'create' };
}

/** Whether the request of an entry may be sent again: twice has the effect of once. */
export function isRepeatableEntry({ operation, sent }: Entry): boolean {
  const endpoint = endpointOf(operation);
  return sent?.change !== undefined || (endpoint !== undefined && isRepeatable(endpoint));
}
