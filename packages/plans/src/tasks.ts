import type { Endpoint, Params } from 'multilocal/internal/endpoint';
import { endpoints } from 'multilocal/internal/endpoints';
import type { Action } from './actions.js';
import { fieldOf, freed, kept, type Next } from './decide.js';
import { digestsOf } from './digests.js';
import type { Ended, Entry } from './journal-content.js';

/** A request of a run, and what the journal says of its key before and after it. */
export interface Task {
  readonly endpoint: Endpoint;
  readonly params: Params;
  /** The entry while the request is on its way, but for its times. */
  readonly begun: Omit<Entry, 'started_at' | 'service_time' | 'service_end'>;
  /** The entry once it has happened. */
  readonly applied: (entry: Entry, ids: Entry['ids']) => Ended;
  /** The entry if it did not happen. */
  readonly refused: (entry: Entry) => Ended;
}

/** The requests of a step, as far as they are known: a post that has failed is replaced where it would be changed. */
export function tasksOf(action: Action, entry: Entry | undefined, next: Next): Task[] {
  if (next.do === 'send') return [sending(action)];
  if ((next.do !== 'see' && next.do !== 'change') || next.change === undefined) return [];
  // Only what has an entry is changed.
  const made = entry as Entry;
  if (next.change === 'delete') return [deleting(made), sending(action)];
  return [updating(action, made, next.do === 'change' ? next.fields : [])];
}

/** The request of an action itself. */
export function sending(action: Action): Task {
  const { endpoint, params, operation, hash, target, plan } = action;
  return {
    endpoint,
    params,
    begun: { operation, hash, digests: digestsOf(action), target, plan, outcome: 'started' },
    applied: (entry, ids) => ({ ...entry, outcome: 'applied', ids }),
    refused: (entry) => ({ ...entry, outcome: 'not_applied' }),
  };
}

/** The correction of what an action has made. `fields`: what differs. */
export function updating(action: Action, entry: Entry, fields: readonly string[]): Task {
  const { operation, hash, target, plan } = action;
  const isPost = operation === 'posts.create';
  const changed = fields.map((name) => [name, fieldOf(action, name)]);
  return {
    endpoint: endpointOf(isPost ? 'posts.update' : 'articles.update'),
    params: { [isPost ? 'post_id' : 'article_id']: entry.ids?.[0], ...Object.fromEntries(changed) },
    begun: { ...changing(entry), change: 'update', hash, plan },
    applied: (ended) => ({ ...kept(ended), digests: digestsOf(action), target }),
    refused: (ended) => kept(ended, ended.was),
  };
}

/** The deletion of a post. Its key is free afterwards. That of `prune` stays known until the run is over. */
export function deleting(entry: Entry, isPruned = false): Task {
  return {
    endpoint: endpointOf('posts.delete'),
    params: { post_id: entry.ids?.[0] },
    begun: { ...changing(entry), change: 'delete' },
    applied: (ended) => ({ ...freed(ended), ...(isPruned && { change: 'delete' }) }),
    refused: (ended) => kept(ended, ended.was),
  };
}

function changing(entry: Entry): Task['begun'] {
  const { service_end: _, ended_at: __, error: ___, status: ____, settled_by: _____, ...rest } = entry;
  return { ...rest, outcome: 'started', was: entry.was ?? entry.hash };
}

function endpointOf(operation: string): Endpoint {
  return endpoints.find((each) => each.operation === operation) as Endpoint;
}
