import type { Article } from 'multilocal';
import { excerpt } from 'multilocal/site';
import { cacheLife, cacheTag } from 'next/cache';
import { byNewest } from '@/lib/journal';
import { sanitise } from '@/lib/sanitise';
import { readArticle, readArticles } from '@/lib/store';

/** The tag of everything that lists articles: lists, sitemap and feed. */
export const LIST_TAG = 'multilocal:articles';

/** The tag of one article's page. */
export const articleTag = (id: number) => `multilocal:article:${id}`;

/** Returns all articles, the newest first. Without texts, so that the cache stays small. */
export async function listArticles(): Promise<Article[]> {
  'use cache';
  cacheTag(LIST_TAG);
  cacheLife('hours');
  return (await readArticles())
    .map(({ content_html, ...article }) => ({
      ...article,
      excerpt: article.excerpt || excerpt(content_html),
      content_html: null,
    }))
    .sort(byNewest);
}

/** Returns one article, with a text that is safe in a page. */
export async function findArticle(id: number): Promise<Article | undefined> {
  'use cache';
  // Also for a missing article: it may come online later.
  cacheTag(articleTag(id));
  cacheLife('hours');
  const article = await readArticle(id);
  return article && { ...article, content_html: sanitise(article.content_html ?? '') };
}
