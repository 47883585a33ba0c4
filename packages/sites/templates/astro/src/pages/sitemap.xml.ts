import { sitemapEntries } from 'multilocal/site';
import { SitemapStream, streamToPromise } from 'sitemap';
import { allArticles, allPlaces } from '../articles';
import { categoriesOf } from '../journal';
import { address, articleUrl, placeHref, site } from '../site';

/** The pages that you have added, such as `pages/contact.astro`. */
const ownPages = Object.keys(import.meta.glob('./**/*.{astro,md}'))
  .filter((file) => !/\[|^\.\/(404|search)\./.test(file))
  .map((file) =>
    file
      .slice(2)
      .replace(/(^|\/)index\.\w+$|\.\w+$/, '$1')
      .replace(/\/?$/, '/'),
  );

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
  const places = await allPlaces();
  for (const href of places.length > 0 ? [placeHref(), ...places.map(({ href }) => href)] : []) {
    sitemap.write(address(href).href);
  }
  for (const path of ownPages) sitemap.write(address(path).href);
  for (const entry of sitemapEntries(articles, { url: articleUrl })) sitemap.write(entry);
  sitemap.end();
  const xml = await streamToPromise(sitemap);
  return new Response(xml.toString(), { headers: { 'Content-Type': 'application/xml' } });
}
