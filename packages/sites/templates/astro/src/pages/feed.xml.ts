import rss from '@astrojs/rss';
import { toFeedItem } from 'multilocal/site';
import { allArticles } from '../articles';
import { articleUrl, site } from '../site';

export async function GET() {
  const articles = await allArticles();
  return rss({
    title: site.name,
    description: site.description,
    site: site.url,
    customData: `<language>${site.language}</language>`,
    items: articles.map((article) => toFeedItem(article, { url: articleUrl(article) })),
  });
}
