import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Chapter, Demo } from '../demo.js';
import { articlePage, indexPage, pageNames, type SiteInfo } from '../pages.js';
import { counted } from '../screen.js';

export const build: Chapter = {
  title: 'Render them as a static site',
  async tell(demo) {
    const started = performance.now();
    const { written } = await buildSite(demo);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    demo.screen.say(`${counted(written, 'page')} and the index in ${seconds} s: ${demo.site.index}`);
  },
};

/** Writes a page for each stored article and the index, and removes the pages of deleted articles. */
export async function buildSite(demo: Demo): Promise<{ written: number; removed: string[] }> {
  const { site } = demo;
  const info = siteInfo(demo);
  const articles = await site.articles();
  const names = pageNames(articles);
  const folder = join(site.pages, 'articles');
  await mkdir(folder, { recursive: true });
  for (const article of articles) {
    const name = names.get(article.id) as string;
    await writeFile(join(folder, `${name}.html`), articlePage(article, name, info));
  }
  await writeFile(join(site.pages, 'index.html'), indexPage(articles, names, info));
  await copyFile(fileURLToPath(new URL('../style.css', import.meta.url)), join(site.pages, 'style.css'));

  const wanted = new Set([...names.values()].map((name) => `${name}.html`));
  const removed = (await readdir(folder)).filter((file) => !wanted.has(file));
  for (const file of removed) await rm(join(folder, file));
  return { written: articles.length, removed };
}

export function siteInfo({ identity, options }: Demo): SiteInfo {
  return { name: (identity.bulle ?? identity.sphere).name, url: options.siteUrl };
}
