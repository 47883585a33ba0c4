import type { Chapter } from '../demo.js';
import { counted } from '../screen.js';
import { buildSite } from './build.js';
import { confirmPages } from './confirm.js';

export const change: Chapter = {
  title: 'One article changes, one goes offline, one is deleted',
  async tell(demo) {
    const { client, mock, site, screen, signal } = demo;
    if (!mock) {
      screen.skip('only the mock server can be changed from outside; the next run brings what changed by then');
      return;
    }
    const before = new Map((await site.articles()).map((article) => [article.id, article]));
    const [edited, withdrawn, deleted] = before.keys();
    if (edited === undefined || withdrawn === undefined || deleted === undefined) throw new Error('Too few articles.');

    // Editors change articles in the meantime. One of them pastes a script and characters that are special in HTML.
    const { title, content_html } = mock.articles.get(edited);
    mock.articles.touch(edited, {
      title: `${title} <relu & corrigé>`,
      meta_title: null,
      meta_description: 'Relu par "Augustine" & corrigé : <moins> de sucre.',
      content_html: `<p onclick="track()">Relu et corrigé.</p><script>track('visitor')</script>${content_html}`,
    });
    mock.articles.unpublish(withdrawn);
    mock.articles.remove(deleted);

    // `syncTo` would do the same. The events show which article changed.
    const cursor = await site.store.loadCursor();
    const known = site.store.ids();
    const seen: string[] = [];
    for await (const event of client.articles.sync({ cursor, known, reconcile: true }, { signal })) {
      switch (event.type) {
        case 'upsert':
          await site.store.put(event.article);
          seen.push(`changed    ${event.article.title}`);
          break;
        case 'unpublish':
          await site.store.remove(event.id);
          seen.push(`offline    ${event.article.title}`);
          break;
        case 'delete':
          await site.store.remove(event.id);
          seen.push(`deleted    ${before.get(event.id)?.title}`);
          break;
        case 'checkpoint':
          await site.store.saveCursor(event.cursor);
      }
    }
    screen.say(`The second sync sees ${seen.length} of ${before.size} articles:`, seen);
    if (seen.length !== 3) throw new Error(`Three articles changed, the sync saw ${seen.length}.`);

    const { removed } = await buildSite(demo);
    const { confirmed } = await confirmPages(demo);
    screen.say(`The site follows: ${counted(removed.length, 'page')} removed, ${confirmed} confirmed again`);
  },
};
