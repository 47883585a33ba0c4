// The Google listings of the key: one request. A JavaScript file, because scripts of Node import it too.

/** Whether the pages of locations show the rating of Google. It costs one request more for each listing. */
export const RATINGS = false;

/** Milliseconds for which listings are kept. */
const DAY = 86_400_000;

/** Whether the listings must be read again. Also if the clock was ahead. @param {string | undefined} readAt */
export function isDue(readAt) {
  const age = Date.now() - Date.parse(readAt ?? '');
  return !(age >= 0 && age < DAY);
}

/**
 * A rating is decoration: one that cannot be read is the one of `before`, or none.
 * @param {import('multilocal').Client} client
 * @param {readonly import('./places.ts').Listing[]} [before] what was read the last time
 * @param {(message: string) => void} [warn]
 * @param {boolean} [ratings]
 * @returns {Promise<import('./places.ts').Listing[]>}
 */
export async function readListings(client, before = [], warn = console.warn, ratings = RATINGS) {
  const { gmb_fiches } = await client.me();
  const listings = [];
  for (const listing of gmb_fiches) {
    const read = ratings ? client.reviews.summary({ fiche_id: listing.id }) : Promise.resolve(null);
    const summary = await read.catch((error) => {
      warn(`The rating of the listing ${listing.id} could not be read: ${error.message}`);
      return before.find((one) => one.listing.id === listing.id)?.summary ?? null;
    });
    listings.push({ listing, summary });
  }
  return listings;
}
