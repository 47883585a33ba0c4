// The Google listings of the key, with the rating of each: one request, and one more for each listing. A JavaScript file,
// because scripts of Node import it too.
import { ApiError } from 'multilocal';

/** Milliseconds for which listings are kept. */
const DAY = 86_400_000;

/** Whether the listings must be read again. Also if the clock was ahead. @param {string | undefined} readAt */
export function isDue(readAt) {
  const age = Date.now() - Date.parse(readAt ?? '');
  return !(age >= 0 && age < DAY);
}

/**
 * A listing whose reviews the service refuses has no rating.
 * @param {import('multilocal').Client} client
 * @returns {Promise<import('./places.ts').Listing[]>}
 */
export async function readListings(client) {
  const { gmb_fiches } = await client.me();
  const listings = [];
  for (const listing of gmb_fiches) {
    const summary = await client.reviews.summary({ fiche_id: listing.id }).catch((error) => {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) return null;
      throw error;
    });
    listings.push({ listing, summary });
  }
  return listings;
}
