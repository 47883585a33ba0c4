import type { Endpoint } from 'multilocal/internal/endpoint';
import { endpoints } from 'multilocal/internal/endpoints';
import type { Action } from './actions.js';
import type { Entry } from './journal-content.js';
import type { Ledger } from './ledger.js';
import type { Sights } from './sights.js';

/** A pending post that the ledger knows and the plan no longer has. */
export interface LeftOver {
  readonly key: string;
  readonly entry: Entry;
  /** The deletion, as an action of the plan. */
  readonly action: Action;
}

/** Returns the pending posts whose key begins with the name of a plan and a slash, and that the plan does not have. */
export async function leftOvers(
  ledger: Ledger,
  sights: Sights,
  name: string,
  actions: readonly Action[],
): Promise<LeftOver[]> {
  const known = strangersOf(ledger, name, actions).filter(([, { outcome, change, ids }]) => {
    return ids?.length === 1 && outcome !== 'not_applied' && (outcome === 'applied' || change !== undefined);
  });
  if (known.length === 0) return [];
  const pending = await sights.pending();
  // A deletion that was begun is finished, so that its key does not stay open.
  const found = known.filter(([, entry]) => pending.has(String(entry.ids?.[0])) || entry.change === 'delete');
  return found.map(([key, entry], index) => {
    const post_id = Number(entry.ids?.[0]);
    const endpoint = endpoints.find(({ operation }) => operation === 'posts.delete') as Endpoint;
    const action: Action = {
      index: actions.length + index,
      key,
      givenKey: key,
      operation: 'posts.delete',
      endpoint,
      params: { post_id },
      hash: entry.hash,
      target: `post_id ${post_id}`,
    };
    return { key, entry, action };
  });
}

/** The keys that runs of this plan have deleted, and that it has not forgotten since. */
export function prunedOf(ledger: Ledger, name: string, actions: readonly Action[]): string[] {
  const deleted = strangersOf(ledger, name, actions).filter(([, { outcome, change }]) => {
    return outcome === 'not_applied' && change === 'delete';
  });
  return deleted.map(([key]) => key);
}

function strangersOf(ledger: Ledger, name: string, actions: readonly Action[]): (readonly [string, Entry])[] {
  const own = new Set(actions.map(({ key }) => key));
  return [...ledger.entries()].filter(([key, { operation }]) => {
    return key.startsWith(`${name}/`) && !own.has(key) && operation === 'posts.create';
  });
}
