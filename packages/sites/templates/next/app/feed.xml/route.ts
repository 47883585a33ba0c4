import { Feed } from 'feed';
import { parseTimestamp } from 'multilocal';
import { toFeedItem } from 'multilocal/site';
import { listArticles } from '@/lib/articles';
import { pathOf, site, urlOf } from '@/lib/site';

const ITEMS = 50;

export async function GET(): Promise<Response> {
  const articles = await listArticles();
  const feed = new Feed({
    title: site.name,
    description: site.description,
    id: urlOf('/'),
    link: urlOf('/'),
    feed: urlOf('/feed.xml'),
    language: site.language,
    copyright: site.publisher,
    // The same articles give the same feed.
    updated: parseTimestamp(articles[0]?.published_at) ?? new Date(0),
  });
  for (const article of articles.slice(0, ITEMS)) feed.addItem(toFeedItem(article, { url: urlOf(pathOf(article)) }));
  return new Response(feed.rss2(), { headers: { 'content-type': 'application/rss+xml; charset=utf-8' } });
}
