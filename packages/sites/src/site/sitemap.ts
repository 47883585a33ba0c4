import type { Article } from 'multilocal';
import { isoOf, pageAddress } from './values.js';

/** Options of {@link sitemapEntries}. */
export interface SitemapOptions<Page extends Article = Article> {
  /** Returns the address of an article's page: absolute, `https:` or `http:`. */
  url: (article: Page) => string | URL;
}

/** A page of a sitemap, in the words of the package `sitemap` and of Next.js. */
export interface SitemapEntry {
  /** Address of the page. */
  url: string;
  /** `updated_at` of the article, ISO 8601, UTC. Absent if it cannot be read. */
  lastmod?: string;
  /** The same date, for `sitemap.ts` of Next.js. */
  lastModified?: string;
}

/**
 * Returns one sitemap entry per published article. Drafts are left out. The package `sitemap` takes the entries, and
 * Next.js takes them from `sitemap.ts`. A sitemap may contain 50 000 pages.
 * @throws a `ConfigurationError` if `url` returns something other than an absolute http or https address.
 * @example
 * const url = ({ slug }: Article) => `https://www.example.com/blog/${slug}`;
 * const entries = sitemapEntries(store.articles.values(), { url });
 */
export function sitemapEntries<Page extends Article>(
  articles: Iterable<Page>,
  { url }: SitemapOptions<Page>,
): SitemapEntry[] {
  const entries: SitemapEntry[] = [];
  for (const article of articles) {
    if (article.status !== 'published') continue;
    const lastmod = isoOf(article.updated_at);
    entries.push({
      url: pageAddress('sitemapEntries', url(article)),
      ...(lastmod && { lastmod, lastModified: lastmod }),
    });
  }
  return entries;
}
