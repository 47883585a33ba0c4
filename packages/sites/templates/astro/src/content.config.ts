import { defineCollection } from 'astro:content';
import { createHash } from 'node:crypto';
import type { Loader } from 'astro/loaders';
import { Client } from 'multilocal';
import { multilocalLoader } from 'multilocal/astro';
import { drafts } from './drafts';
import { isDue, readListings } from './listings.mjs';
import type { Listing } from './places';
import { sanitize } from './sanitize';
import { articleUrl, site } from './site';

/** Reads the listings at most once a day. During an outage of the service, the listings of the last build stay. */
const listings: Loader = {
  name: 'listings',
  load: async ({ store, meta, logger }) => {
    const { MULTILOCAL_API_KEY, MULTILOCAL_BASE_URL } = process.env;
    const account = createHash('sha256').update(`${MULTILOCAL_API_KEY} ${MULTILOCAL_BASE_URL}`).digest('hex');
    const isOwn = meta.get('account') === account;
    if (site.places && isOwn && !isDue(meta.get('readAt'))) return;
    try {
      const before = store.values().map(({ data }) => data as unknown as Listing);
      const found = site.places ? await readListings(new Client(), before, (message) => logger.warn(message)) : [];
      store.clear();
      for (const data of found) store.set({ id: data.listing.id, data: { ...data } });
      meta.set('account', account);
      meta.set('readAt', new Date().toISOString());
    } catch (error) {
      if (!isOwn) throw error;
      logger.warn(`The listings of the last build were kept: ${error}`);
    }
  },
};

// The key and the address come from MULTILOCAL_API_KEY and MULTILOCAL_BASE_URL.
export const collections = {
  articles: defineCollection({ loader: multilocalLoader({ sanitize, drafts, url: articleUrl }) }),
  ...(site.places && { places: defineCollection({ loader: listings }) }),
};
