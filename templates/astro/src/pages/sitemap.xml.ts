import { sitemapEntries } from 'multilocal/site';
import { SitemapStream, streamToPromise } from 'sitemap';
import { allArticles } from '../articles';
import { address, articleUrl, site } from '../site';

export async function GET() {
  const articles = await allArticles();
  const sitemap = new SitemapStream();
  const lists = Math.max(1, Math.ceil(articles.length / site.pageSize));
  for (let page = 1; page <= lists; page++) sitemap.write(address(page === 1 ? '' : `${page}/`).href);
  for (const entry of sitemapEntries(articles, { url: articleUrl })) sitemap.write(entry);
  sitemap.end();
  const xml = await streamToPromise(sitemap);
  return new Response(xml.toString(), { headers: { 'Content-Type': 'application/xml' } });
}
