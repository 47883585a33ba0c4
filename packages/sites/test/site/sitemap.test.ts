// The `sitemap` package takes the entries, and its parser reads them back.
import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import type { Article } from 'multilocal';
import { parseSitemap, SitemapStream, streamToPromise } from 'sitemap';
import { describe, expect, it } from 'vitest';
import { sitemapEntries } from '../../src/site/index.js';
import { article, hostile } from './support.js';

const url = ({ slug }: Article) => `https://www.example.com/blog/${slug}`;

async function written(articles: Iterable<Article>) {
  const stream = new SitemapStream({ hostname: 'https://www.example.com' });
  const xml = await streamToPromise(Readable.from(sitemapEntries(articles, { url })).pipe(stream));
  return parseSitemap(Readable.from([xml]));
}

describe('sitemapEntries', () => {
  it('has an entry for each published article', () => {
    const articles = [article, { ...article, id: 43, slug: 'seigle', updated_at: '2026-11-01' }];
    expect(sitemapEntries(articles, { url })).toEqual([
      {
        url: 'https://www.example.com/blog/le-levain',
        lastmod: '2026-11-21T09:30:00.123Z',
        lastModified: '2026-11-21T09:30:00.123Z',
      },
      {
        url: 'https://www.example.com/blog/seigle',
        lastmod: '2026-11-01T00:00:00.000Z',
        lastModified: '2026-11-01T00:00:00.000Z',
      },
    ]);
  });

  it.each(['draft', 'scheduled', ''])('leaves out an article whose status is %j', (status) => {
    expect(sitemapEntries([{ ...article, status }], { url: () => 'not called' })).toEqual([]);
  });

  it('leaves out a date that cannot be read', () => {
    expect(sitemapEntries([{ ...article, updated_at: 'hier' }], { url })).toEqual([{ url: url(article) }]);
  });

  it('can be written and read with the package sitemap, whatever a slug says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 5 }), async (slugs) => {
        const articles = slugs.map((slug, index) => ({ ...article, id: index, slug }));
        const items = await written(articles);
        expect(items.map((item) => item.url)).toEqual(articles.map((one) => new URL(url(one)).href));
        for (const { lastmod } of items) expect(lastmod).toBe('2026-11-21T09:30:00.123Z');
      }),
      { numRuns: 50 },
    );
  });
});
