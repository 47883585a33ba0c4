import rss from '@astrojs/rss';
import { toFeedItem } from 'multilocal/site';
import { allArticles } from '../articles';
import { address, articleUrl, languageOf, site } from '../site';

const ITEMS = 50;

export async function GET() {
  const articles = (await allArticles()).slice(0, ITEMS);
  const self = `<atom:link href="${address('feed.xml').href}" rel="self" type="application/rss+xml"/>`;
  return rss({
    title: site.name,
    description: site.description,
    site: site.url,
    xmlns: { atom: 'http://www.w3.org/2005/Atom', dc: 'http://purl.org/dc/elements/1.1/' },
    customData: `<language>${site.language}</language>${self}`,
    items: articles.map((article) => ({
      ...toFeedItem(article, { url: articleUrl(article) }),
      customData: `<dc:language>${languageOf(article) ?? site.language}</dc:language>`,
    })),
  });
}
