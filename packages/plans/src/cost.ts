import type { Client } from 'multilocal';
import type { PlanJournal } from 'multilocal/node';
import { type Action, readActions } from './actions.js';
import { Context } from './context.js';
import { decide } from './decide.js';
import { asKnown } from './digests.js';
import { Ledger } from './ledger.js';
import type { Plan } from './plan.js';
import { listingOf } from './targets.js';

/** How many requests a plan needs, if nothing fails and no location has more than 100 posts. */
export interface PlanCost {
  /** Those of a rehearsal. */
  readonly rehearsal: number;
  /** Those of a run. Lookups of lost actions are not counted. */
  readonly run: number;
}

/** Counts the requests that a plan needs. Sends none if the identity is known. */
export async function costOfPlan(client: Client, plan: Plan, journal: PlanJournal): Promise<PlanCost> {
  const context = new Context(client, {});
  const owner = await context.owner();
  const ledger = await Ledger.open(journal, owner, { timer: context.timer });
  const actions = asKnown(readActions(plan).actions, client, ledger.entries());
  const decided = actions.map((action) => [action, decide(action, ledger.entryOf(action.key), {})] as const);
  const fresh = decided.filter(([, next]) => next.do === 'send').map(([action]) => action);
  // Corrections read the post, and then need one request, or three that replace it: a deletion, a look, and a post that is previewed.
  const seen = decided.flatMap(([action, next]) => (next.do === 'see' ? [{ action, ...next }] : []));
  const corrected = seen.flatMap(({ action, change }) => (change === undefined ? [] : [action]));
  const changed = corrected.length;
  const replaced = seen.filter(({ change }) => change === 'delete').length;
  const isPost = ({ operation }: Action) => operation === 'posts.create';
  const posts = [...fresh, ...seen.map(({ action }) => action)].filter(isPost);
  const checked = [...fresh, ...corrected].some(isPost);
  const plain = fresh.filter(({ endpoint }) => !endpoint.dryRun);
  const objects = plain.flatMap(({ params }) => [params.post_id, params.article_id]).filter((id) => id !== undefined);
  // Names of locations, and the reviews of each listing that are answered.
  const hasLocations =
    !owner.identity.bulle && (changed > 0 || fresh.some(({ params }) => params.bulle_id !== undefined));
  const replies = fresh.filter(({ operation }) => operation === 'reviews.reply');
  const answered = replies.flatMap(({ params }) => listingOf(params, owner.identity.gmb_fiches) ?? []);
  const listings = new Set(answered).size;
  const shared = (checked ? 2 : 0) + (hasLocations ? 1 : 0);
  const places = new Set(posts.map(({ params }) => params.bulle_id)).size;
  const previews = fresh.length - plain.length + replaced;
  const rehearsal = shared + listings + places + previews + objects.length + changed;
  return { rehearsal, run: fresh.length + places + 2 * (changed + replaced) };
}
