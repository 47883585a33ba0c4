import { sitemapEntries } from 'multilocal/site';
import type { MetadataRoute } from 'next';
import { listArticles } from '@/lib/articles';
import { pathOf, urlOf } from '@/lib/site';

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const entries = sitemapEntries(await listArticles(), {
    url: (article) => urlOf(pathOf(article)),
  });
  return [{ url: urlOf('/') }, ...entries];
}
