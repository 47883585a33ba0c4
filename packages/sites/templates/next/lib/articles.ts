import type { Article } from 'multilocal';
import { excerpt } from 'multilocal/site';
import { cacheLife, cacheTag } from 'next/cache';
import { byNewest, titled, withNames } from '@/lib/journal';
import { textOf } from '@/lib/pictures';
import { type Place, placesOf } from '@/lib/places';
import { site } from '@/lib/site';
import { readArticle, readArticles, readListings } from '@/lib/store';

/** The tag of everything that lists articles: lists, menu, sitemap and feed. */
export const LIST_TAG = 'multilocal:articles';

/** The tag of one article's text. */
export const articleTag = (id: number) => `multilocal:article:${id}`;

/** All articles, newest first. Without texts, so that the cache stays small. */
export async function listArticles(): Promise<Article[]> {
  'use cache';
  cacheTag(LIST_TAG);
  cacheLife('hours');
  const articles = (await readArticles()).map(({ content_html, ...article }) => ({
    ...titled(article),
    excerpt: excerpt(article.excerpt || content_html, { max: 280 }),
  }));
  return withNames(articles.sort((one, other) => byNewest(one, other) || other.id - one.id));
}

/** One article, with a text that is safe in a page. */
export async function findArticle(id: number): Promise<Article | undefined> {
  'use cache';
  // Also for a missing article: it may come online later.
  cacheTag(articleTag(id));
  cacheLife('hours');
  const article = await readArticle(id);
  return article && { ...titled(article), content_html: textOf(article) };
}

/** The locations with a page, with their articles. */
export async function listPlaces(): Promise<Place[]> {
  'use cache';
  cacheTag(LIST_TAG);
  cacheLife('hours');
  return site.places ? placesOf(await readListings(), await listArticles()) : [];
}
