import { type ArticleStore, Client } from 'multilocal';
import { readListings } from '@/lib/listings.mjs';
import { site } from '@/lib/site';
import * as store from '@/lib/store';

interface Outcome {
  /** The ids of articles that are new, changed or gone. */
  changed: Set<number>;
  /** Whether the pages of the locations changed. */
  hasNewListings: boolean;
  /** Why the run ended early. The changes up to then are stored. */
  error?: unknown;
}

let last: Promise<unknown> = Promise.resolve();

/** Updates the store. A folder takes one run at a time, so runs wait. */
export function sync(reconcile: boolean): Promise<Outcome> {
  const run = last.then(() => syncOnce(reconcile));
  last = run;
  return run;
}

async function syncOnce(reconcile: boolean): Promise<Outcome> {
  const outcome: Outcome = { changed: new Set(), hasNewListings: false };
  try {
    const client = new Client(); // MULTILOCAL_API_KEY, MULTILOCAL_BASE_URL
    await client.articles.syncTo(noting(store.openStore(), outcome.changed), { reconcile });
    if (reconcile && site.places) outcome.hasNewListings = await syncListings(client);
    return outcome;
  } catch (error) {
    return { ...outcome, error };
  }
}

/** One request, and one more for each listing. */
async function syncListings(client: Client): Promise<boolean> {
  const before = await store.readListings();
  const listings = await readListings(client, before);
  await store.saveListings(listings);
  return JSON.stringify(before) !== JSON.stringify(listings);
}

/** The same store. It notes the ids of all articles that it puts or removes. */
function noting(store: ArticleStore, changed: Set<number>): ArticleStore {
  const { put, remove, commit } = store;
  return {
    ...store,
    put(article) {
      changed.add(article.id);
      return put(article);
    },
    remove(id) {
      changed.add(id);
      return remove(id);
    },
    // Databases store a page of changes at once.
    ...(commit && {
      commit(page) {
        for (const { id } of page.upserts) changed.add(id);
        for (const id of page.removals) changed.add(id);
        return commit(page);
      },
    }),
  };
}
