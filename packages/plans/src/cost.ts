import type { Client } from 'multilocal';
import type { PlanJournal } from 'multilocal/node';
import { type Action, inView, readActions } from './actions.js';
import { Context } from './context.js';
import { isUnresolved } from './follow.js';
import { Ledger } from './ledger.js';
import type { Plan } from './plan.js';

/** How many requests a plan needs, if nothing fails and no location has more than 100 posts. */
export interface PlanCost {
  /** Those of a rehearsal. */
  readonly rehearsal: number;
  /** Those of a run with `again`, for which the rehearsal has looked for twins. Lookups of lost actions are not counted. */
  readonly run: number;
}

/** Counts the requests that a plan needs. Sends none if the identity is known. */
export async function costOfPlan(client: Client, plan: Plan, journal: PlanJournal): Promise<PlanCost> {
  const owner = await new Context(client, {}).owner();
  const actions = inView(readActions(plan).actions, client);
  const ledger = await Ledger.open(journal, actions, owner);
  const isLeft = (action: Action) => ledger.entryOf(action)?.outcome !== 'applied';
  const left = actions.filter(isLeft);
  const fresh = left.filter((action) => !isUnresolved(action, ledger.entryOf(action)));
  const posts = fresh.filter(({ operation }) => operation === 'posts.create');
  const plain = fresh.filter(({ endpoint }) => !endpoint.dryRun);
  const objects = plain.flatMap(({ params }) => [params.post_id, params.article_id]).filter((id) => id !== undefined);
  const hasLocations = plain.some(({ params }) => params.bulle_id !== undefined);
  const shared = (posts.length > 0 ? 2 : 0) + (hasLocations ? 1 : 0);
  const locations = new Set(posts.map(({ params }) => params.bulle_id)).size;
  const previews = fresh.length - plain.length;
  return { rehearsal: shared + locations + previews + objects.length, run: fresh.length };
}
