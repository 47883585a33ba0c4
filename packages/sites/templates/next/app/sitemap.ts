import type { Article } from 'multilocal';
import { sitemapEntries } from 'multilocal/site';
import type { MetadataRoute } from 'next';
import { listArticles, listPlaces } from '@/lib/articles';
import { categoriesOf } from '@/lib/journal';
import { pagesOf, pathOf, placeHref, urlOf } from '@/lib/site';

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const articles = await listArticles();
  const places = (await listPlaces()).map(({ href }) => href);
  const paths = [
    '/',
    ...further('/page', articles),
    ...categoriesOf(articles).flatMap(({ href, articles }) => [href, ...further(href, articles)]),
    ...(places.length > 0 ? [placeHref(), ...places] : []),
  ];
  const entries = sitemapEntries(articles, { url: (article) => urlOf(pathOf(article)) });
  return [...paths.map((path) => ({ url: urlOf(path) })), ...entries];
}

/** The pages of a list after the first. */
const further = (path: string, articles: readonly Article[]) =>
  Array.from({ length: pagesOf(articles.length) - 1 }, (_, index) => `${path}/${index + 2}`);
