import { sitemapEntries } from 'multilocal/site';
import type { MetadataRoute } from 'next';
import { lastPage } from '@/components/list';
import { listArticles } from '@/lib/articles';
import { categoriesOf } from '@/lib/journal';
import { pathOf, urlOf } from '@/lib/site';

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const articles = await listArticles();
  const lists = [
    { first: '/', more: '/pages', articles },
    ...categoriesOf(articles).map(({ href, articles }) => ({ first: href, more: href, articles })),
  ];
  const pages = lists.flatMap(({ first, more, articles }) =>
    Array.from({ length: lastPage(articles) }, (_, index) => (index === 0 ? first : `${more}/${index + 1}`)),
  );
  return [
    ...pages.map((path) => ({ url: urlOf(path) })),
    ...sitemapEntries(articles, { url: (article) => urlOf(pathOf(article)) }),
  ];
}
