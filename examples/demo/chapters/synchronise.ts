import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chapter, Demo } from '../demo.js';
import { copyLook, copyPictures } from '../look.js';
import { articlePage, indexPage, pageNames } from '../pages.js';
import { counted } from '../screen.js';
import { confirmPages } from './confirm.js';

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

export const build: Chapter = {
  title: 'Render them as a static site',
  async tell(demo) {
    const started = performance.now();
    const { written } = await buildSite(demo);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    demo.screen.say(`${counted(written, 'page')} and the index in ${seconds} s: ${demo.site.index}`);
  },
};

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

/** Writes a page for each stored article and the index, and removes the pages of deleted articles. */
async function buildSite(demo: Demo): Promise<{ written: number; removed: string[] }> {
  const { mock, site } = demo;
  const stored = await site.articles();
  const articles = mock ? await copyPictures(stored, site.pages) : stored;
  const names = pageNames(articles);
  const journal = { info: site.info, articles, names };
  const folder = join(site.pages, 'articles');
  await mkdir(folder, { recursive: true });
  for (const article of articles) {
    await writeFile(join(folder, `${names.get(article.id)}.html`), articlePage(article, journal));
  }
  await writeFile(join(site.pages, 'index.html'), indexPage(journal));
  await copyLook(site.pages);

  const wanted = new Set([...names.values()].map((name) => `${name}.html`));
  const removed = (await readdir(folder)).filter((file) => !wanted.has(file));
  for (const file of removed) await rm(join(folder, file));
  return { written: articles.length, removed };
}
