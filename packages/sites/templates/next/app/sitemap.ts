import type { Article } from 'multilocal';
import { sitemapEntries } from 'multilocal/site';
import type { MetadataRoute } from 'next';
import { listArticles } from '@/lib/articles';
import { categoriesOf } from '@/lib/journal';
import { pagesOf, pathOf, urlOf } from '@/lib/site';

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const articles = await listArticles();
  const paths = [
    '/',
    ...further('/page', articles),
    ...categoriesOf(articles).flatMap(({ href, articles }) => [href, ...further(href, articles)]),
  ];
  const entries = sitemapEntries(articles, { url: (article) => urlOf(pathOf(article)) });
  return [...paths.map((path) => ({ url: urlOf(path) })), ...entries];
}

/** The pages of a list after the first. */
const further = (path: string, articles: readonly Article[]) =>
  Array.from({ length: pagesOf(articles.length) - 1 }, (_, index) => `${path}/${index + 2}`);
