import type { Client } from 'multilocal';
import { BEGINNING } from './articles.js';
import { settingsOf, type WatchPlanOptions } from './options.js';
import { numbersOf, paceOf, type WatchPlanEntry } from './plan.js';
import { orderOf } from './posts.js';
import { fichesOf, PAGE, send } from './reads.js';
import { emptyState, parseState } from './state.js';

/**
 * Says what a watcher costs, and after how long a happening is seen at the latest. With a `cursor` in use it asks nothing.
 * Else it reads today's numbers: `GET /me`, a page of articles, and some posts, about twenty requests. Permission `read`.
 * @throws a `ConfigurationError` if an option is invalid.
 * @example
 * for (const { kind, requests, latest } of await watchPlan(client)) console.log(kind, requests, latest);
 */
export async function watchPlan(client: Client, options: WatchPlanOptions = {}): Promise<WatchPlanEntry[]> {
  const { cursor, wanted, perDay, inside, signal } = settingsOf('watchPlan', client, options);
  const text = (await cursor?.load()) ?? null;
  const state = text === null ? emptyState(Date.now()) : parseState(text);
  const view = client.withOptions({ validation: 'warn', signal });
  if (!state.me) {
    const identity = client.identity ?? (await send(view, 'me', undefined)).data;
    state.me = { at: 0, account: '', sphere: identity.sphere.id, fiches: fichesOf(identity, inside.fiche_id) };
  }
  if (wanted.kinds.includes('posts')) state.cost.posts ??= await postsCost(view);
  if (wanted.kinds.includes('articles')) state.cost.listing ??= await listingCost(view);
  const paces = paceOf(numbersOf(state, wanted.kinds, perDay));
  return paces.map(({ kind, requests, latest }) => ({ kind, requests, latest }));
}

async function postsCost(client: Client): Promise<number> {
  const first = (await send(client, 'posts.list', { status: 'published', offset: 0 })).data;
  const isRead = first.length === PAGE && orderOf(first) === 'none';
  const published = isRead
    ? await pagesOf(client, 'published')
    : 1 + Number(first.length === PAGE && orderOf(first) === 'asc');
  return published + (await pagesOf(client, 'pending')) + (await pagesOf(client, 'error'));
}

/** Finds the number of pages with as few requests as possible: the list does not tell how many posts there are. */
async function pagesOf(client: Client, status: 'pending' | 'error' | 'published'): Promise<number> {
  const isFull = async (page: number) =>
    (await send(client, 'posts.list', { status, offset: (page - 1) * PAGE })).data.length === PAGE;
  let [full, short] = [0, 1];
  for (; await isFull(short); short *= 2) full = short;
  while (short - full > 1) {
    const middle = Math.floor((full + short) / 2);
    if (await isFull(middle)) full = middle;
    else short = middle;
  }
  return short;
}

async function listingCost(client: Client): Promise<number> {
  const { data } = await send(client, 'articles.list', { updated_since: BEGINNING, offset: 0 });
  const size = Math.max(1, Math.min(data.limit || PAGE, data.articles.length || PAGE) - 1);
  return Math.max(1, Math.ceil((data.total || data.articles.length) / size));
}
