import type { Article } from 'multilocal/articles';
import { client } from './journal.js';
import { Shelf } from './shelf.js';

/** The version (`updated_at`) of each article that this browser has confirmed, by id. */
const confirmed = new Shelf(
  'confirmed',
  (value): value is Record<string, string> => typeof value === 'object' && value !== null,
);

/** Tried since the page was opened: what has failed is tried again at the next visit. */
const tried = new Set<string>();

/**
 * Tell the service that the article stands on this site, once for each of its versions. The reader notices nothing of
 * it, and nothing of its failure.
 */
export function confirmOnce({ id, updated_at }: Article, rendered_url: string): void {
  const version = `${id} ${updated_at}`;
  if (tried.has(version) || confirmed.read()?.[id] === updated_at) return;
  tried.add(version);
  client
    .confirm(id, { rendered_url })
    .then(() => confirmed.write({ ...confirmed.read(), [id]: updated_at }))
    .catch(() => {});
}
