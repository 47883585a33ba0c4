export { type FeedItem, type FeedItemOptions, toFeedItem } from './feed.js';
export { type ArticlePage, articleJsonLd, type ListingPage, listingJsonLd, type Publisher } from './json-ld.js';
export { type ArticleMeta, type ArticleMetaOptions, articleMeta } from './meta.js';
export { type SitemapEntry, type SitemapOptions, sitemapEntries } from './sitemap.js';
export { excerpt, readingTime } from './text.js';
