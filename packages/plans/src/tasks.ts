import type { Endpoint, Params } from 'multilocal/internal/endpoint';
import type { Action } from './actions.js';
import { intentOf } from './diff.js';
import { digestsOf } from './digests.js';
import type { Entry, Made, Sent } from './journal-content.js';
import { approving, retryLine } from './left-overs.js';
import { fieldOf, foundAs, renewed, withoutId } from './made.js';
import { endpointOf } from './operation.js';
import { isPost, operations } from './operations.js';
import type { PlanOperation } from './plan.js';
import { dateOn, timeOf } from './shown.js';
import type { Step } from './sides.js';

/** What a run does beyond the actions of a plan. */
export interface Approving extends Pick<Action, 'planHash'> {
  readonly lines: readonly string[];
}

/** A request of a run, and what the journal says of its key before and after it. */
export interface Task {
  readonly endpoint: Endpoint;
  readonly params: Params;
  /** What is on its way, but for its times. */
  readonly sent: Omit<Sent, 'service_time' | 'service_end'>;
  /** The entry while it is on its way, but for `sent`. */
  readonly entry: Entry;
  /** The entry once it has happened. `ids`: of what was made. */
  readonly applied: (entry: Entry, sent: Sent, ids: Made['ids']) => Entry;
  /** The entry if it did not happen. What was made before is still there. */
  readonly refused: (entry: Entry) => Entry;
}

const refusedAs = (before: Entry | undefined) => (entry: Entry) => {
  return { ...entry, sent: undefined, approved: before?.approved };
};

/** The request of an action itself. `step`: on which platforms alone. */
export function creating(action: Action, before: Entry | undefined, step: Step & { do: 'create' }, now: number): Task {
  const { endpoint, operation, hash, target, plan = before?.plan } = action;
  const { platforms, isRetry } = step;
  const params = platforms ? paramsOn(action, platforms, now) : action.params;
  // Where it was seen, under whatever key, it is not made again.
  const left = platforms && !isRetry ? othersThan(platforms, action) : [];
  const seen = [...new Set([...(before?.online ?? []), ...left])];
  const online = seen.length > 0 ? seen : undefined;
  const line = isRetry ? retryLine(action, platforms ?? []) : undefined;
  const approved = line === undefined ? before?.approved : approving(before?.approved, action, [line]);
  const { made } = before ?? {};
  return {
    endpoint,
    params,
    sent: { hash, digests: digestsOf({ ...action, params }), ...(platforms && { wanted: digestsOf(action) }) },
    entry: { operation, target, plan, online, approved, ...(made && { made }) },
    applied: (entry, sent, ids) => foundAs(isRetry ? entry : { ...entry, made: undefined }, sent, ids),
    refused: refusedAs(before),
  };
}

function othersThan(platforms: readonly string[], { params }: Pick<Action, 'params'>): string[] {
  return (params.platforms as string[]).filter((platform) => !platforms.includes(platform));
}

/** The parameters of an action on some of its platforms. What is due there is published at once. */
function paramsOn({ operation, params }: Action, platforms: readonly string[], now: number): Params {
  const left = othersThan(platforms, { params }).map((platform) => `scheduled_${platform}`);
  const own = Object.fromEntries(Object.entries(params).filter(([name]) => !left.includes(name)));
  const digests = digestsOf({ operation, params });
  // Where one of them is still to come, all keep their moments: nothing appears earlier than it was written.
  const isDue = platforms.every((platform) => timeOf(dateOn(digests, platform)) <= now);
  if (!isDue) return { ...own, platforms };
  const undated = Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith('scheduled_')));
  // A publication without a moment is published at once.
  return { ...undated, platforms, ...(isPost(operation) && { publish_now: true }) };
}

/** The correction of what an action has made. `fields`: what differs. */
export function updating(action: Action, before: Entry, { id, fields }: Step & { do: 'update' }): Task {
  const { hash, target, plan = before.plan } = action;
  const { by, id: name } = operations[action.operation as PlanOperation].update ?? {};
  const changed = fields.map((field) => [field, fieldOf(action, field)]);
  return {
    endpoint: endpointOf(by ?? '') as Endpoint,
    params: { [name ?? '']: id, ...Object.fromEntries(changed) },
    sent: { change: 'update', id, hash, digests: digestsOf(action) },
    entry: { ...before, plan },
    applied: (entry, sent) => {
      return { ...entry, target, sent: undefined, made: { ...(entry.made as Made), ...renewed(sent) } };
    },
    refused: refusedAs(before),
  };
}

/**
 * The deletion of a post. Its key is free afterwards. `leftOver`: the plan that no longer has it, and the lines of its approved hash.
 */
export function deleting(before: Entry, id: string | number, leftOver?: Approving): Task {
  const { hash, digests } = (before.made ?? before.sent) as Made | Sent;
  const approved = leftOver ? approving(before.approved, leftOver, leftOver.lines) : before.approved;
  return {
    endpoint: endpointOf('posts.delete') as Endpoint,
    params: { post_id: id },
    sent: { change: 'delete', id, hash, digests },
    entry: { ...before, approved },
    applied: (entry) => withoutId(entry, id),
    refused: refusedAs(before),
  };
}

/** The requests of an action that are known before anything is read. */
export function tasksOf(action: Action, entry: Entry | undefined, now: number): Task[] {
  const intent = intentOf(action, entry);
  const [id = ''] = entry?.made?.ids ?? [];
  if (intent === 'create') return [creating(action, entry, { do: 'create' }, now)];
  if (intent === 'update' && entry) return [updating(action, entry, { do: 'update', id, fields: [] })];
  if (intent === 'replace' && entry) return [deleting(entry, id), creating(action, entry, { do: 'create' }, now)];
  return [];
}
