import type { Client } from 'multilocal';
import type { PlanJournal } from 'multilocal/node';
import { type Action, readActions } from './actions.js';
import { Context } from './context.js';
import { intentOf } from './diff.js';
import { hashOfActions } from './hash.js';
import type { Entry } from './journal-content.js';
import { approvedLines, orphansOf } from './left-overs.js';
import { Opened } from './opened.js';
import { isPost } from './operations.js';
import type { Plan } from './plan.js';
import { listingOf } from './targets.js';
import { objectsOf } from './twins.js';

/** How many requests a plan needs, if nothing fails, no location has more than 100 posts, and left-overs are pending. */
export interface PlanCost {
  /** Those of a rehearsal. */
  readonly rehearsal: number;
  /** Those of a run. Lookups of lost actions are not counted. */
  readonly run: number;
  /** The hash of the plan, if it publishes nothing again and nothing is left over. */
  readonly hash: string;
}

/** Counts the requests that a plan needs. Sends none if the identity is known. */
export async function costOfPlan(client: Client, plan: Plan, journal: PlanJournal): Promise<PlanCost> {
  const context = new Context(client, {});
  const opened = await Opened.open(context, readActions(plan), journal, {});
  const { ledger, plan: sides } = opened;
  const { bulle, gmb_fiches = [] } = client.identity ?? {};
  const intents = sides.actions.map((action) => ({ action, intent: intentOf(action, ledger.entryOf(action.key)) }));
  const having = (...wanted: readonly string[]) =>
    intents.flatMap(({ action, intent }) => (wanted.includes(intent) ? action : []));
  const [fresh, replaced] = [having('create'), having('replace')];
  const changed = having('update', 'replace');
  const isOfPost = ({ operation }: Action) => isPost(operation);
  const posts = [...fresh, ...changed, ...having('keep')].filter(isOfPost);
  const isChecked = [...fresh, ...changed].some(isOfPost);
  const plain = fresh.filter(({ endpoint }) => !endpoint.dryRun);
  const things = [
    ...plain.flatMap(({ params }) => [params.post_id, params.article_id]).filter((id) => id !== undefined),
    // Articles are in no list that is read.
    ...changed.filter((action) => !isOfPost(action)),
  ];
  // Names of locations, and the reviews of each listing that are answered.
  const naming = [...changed, ...fresh.filter(({ params }) => params.bulle_id !== undefined)];
  const hasLocations = !bulle && [...naming, ...plain.filter(({ params }) => params.post_id !== undefined)].length > 0;
  const replies = fresh.filter(({ operation }) => operation === 'reviews.reply');
  const listings = new Set(replies.flatMap(({ params }) => listingOf(params, gmb_fiches) ?? [])).size;
  const places = new Set(posts.map(({ params }) => params.bulle_id)).size;
  // What an earlier version has made and this one lacks may be pending.
  const orphans = orphansOf({ plan: sides, recorded: ledger.entries() }).some(([, { made }]) => made?.ids?.length);
  const kept = having('keep').filter((action) => !isOfPost(action));
  const singles = kept.flatMap((action) => objectsOf(ledger.entryOf(action.key) as Entry, action)).length;
  const shared = (isChecked ? 2 : 0) + places + singles + (sides.name !== undefined && orphans ? 1 : 0);
  const previews = fresh.length - plain.length + replaced.length;
  const articles = changed.length - changed.filter(isOfPost).length;
  // A replacement is previewed, looked at, deleted, looked at again, and made anew.
  const run = shared + listings + fresh.length + changed.length + articles + 4 * replaced.length;
  const hash = hashOfActions(sides.name, sides.actions, approvedLines(opened.sides()));
  return { rehearsal: shared + (hasLocations ? 1 : 0) + listings + previews + things.length, run, hash };
}
