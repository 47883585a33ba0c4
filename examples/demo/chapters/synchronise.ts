import type { Chapter } from '../demo.js';
import { counted } from '../screen.js';

export const synchronise: Chapter = {
  title: 'Synchronise the articles into a folder',
  async tell({ client, site, screen, signal }) {
    const bar = screen.bar('articles');
    // Reads only changes since the last run. With `reconcile: true`, for example once a day, it also finds deletions.
    const { upserted, unpublished, deleted, requests } = await client.articles.syncTo(site.store, {
      signal,
      onProgress: ({ upserted, unpublished, deleted, total }) => {
        bar.update(upserted + unpublished + deleted, total ?? 0);
      },
    });
    bar.done(`${upserted} stored, ${unpublished + deleted} removed, ${counted(requests, 'request')}`);
  },
};
