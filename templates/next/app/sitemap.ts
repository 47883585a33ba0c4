import { sitemapEntries } from 'multilocal/site';
import type { MetadataRoute } from 'next';
import { listArticles, listCategories, pagesOf, type Story } from '@/lib/articles';
import { pathOf, urlOf } from '@/lib/site';

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const articles = await listArticles();
  const categories = await listCategories();
  const paths = [
    '/',
    ...further('/page', articles),
    ...categories.flatMap(({ slug, articles }) => [`/categories/${slug}`, ...further(`/categories/${slug}`, articles)]),
  ];
  const entries = sitemapEntries(articles, { url: (article) => urlOf(pathOf(article)) });
  return [...paths.map((path) => ({ url: urlOf(path) })), ...entries];
}

/** The pages of a list after the first. */
const further = (path: string, articles: readonly Story[]) =>
  Array.from({ length: pagesOf(articles) - 1 }, (_, index) => `${path}/${index + 2}`);
