import { sitemapEntries } from 'multilocal/site';
import { SitemapStream, streamToPromise } from 'sitemap';
import { allArticles } from '../articles';
import { categoriesOf } from '../journal';
import { address, articleUrl, site } from '../site';

export async function GET() {
  const articles = await allArticles();
  const lists = [
    { path: '', articles },
    ...categoriesOf(articles).map(({ slug, articles }) => ({ path: `categories/${slug}/`, articles })),
  ];
  const sitemap = new SitemapStream();
  for (const { path, articles } of lists) {
    const last = Math.max(1, Math.ceil(articles.length / site.pageSize));
    for (let page = 1; page <= last; page++) sitemap.write(address(page === 1 ? path : `${path}${page}/`).href);
  }
  sitemap.write(address('search/').href);
  for (const entry of sitemapEntries(articles, { url: articleUrl })) sitemap.write(entry);
  sitemap.end();
  const xml = await streamToPromise(sitemap);
  return new Response(xml.toString(), { headers: { 'Content-Type': 'application/xml' } });
}
