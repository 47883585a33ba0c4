import type { Chapter } from '../demo.js';
import { counted } from '../screen.js';

export const synchronise: Chapter = {
  title: 'Synchronise the articles into a folder',
  async tell({ client, site, screen, signal }) {
    const bar = screen.bar('articles');
    // Only what changed since the last run. With `reconcile: true`, once a day say, deletions are looked for too.
    const { upserted, unpublished, deleted, requests } = await client.articles.syncTo(site.store, {
      signal,
      onProgress: ({ upserted, unpublished, deleted, total }) => {
        bar.update(upserted + unpublished + deleted, total ?? 0);
      },
    });
    bar.done(`${upserted} stored, ${unpublished + deleted} removed, ${counted(requests, 'request')}`);
  },
};
