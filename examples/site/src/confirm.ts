import type { Article } from 'multilocal/articles';
import { client } from './journal.js';
import { Shelf } from './shelf.js';

/** The version (`updated_at`) of each article that this browser has confirmed, by id. */
const confirmed = new Shelf(
  'confirmed',
  (value): value is Record<string, string> => typeof value === 'object' && value !== null,
);

/** Confirmations since the page was opened. A failed one is sent again at the next visit. */
const tried = new Set<string>();

/**
 * Tells the service that the article is on this site, once for each version. The reader notices neither the call nor
 * its failure.
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
