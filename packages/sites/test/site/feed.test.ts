// The three packages that write feeds take the items, and a parser of feeds reads back what the article says.
import { getRssString } from '@astrojs/rss';
import * as fc from 'fast-check';
import { Feed } from 'feed';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import type { Article } from 'multilocal';
import RSS from 'rss';
import { describe, expect, it } from 'vitest';
import { type FeedItem, toFeedItem } from '../../src/site/index.js';
import { article, bare, hostileArticle, newer, shown, url } from './support.js';

const site = 'https://www.example.com/';
const content = '<p>De l’eau &amp; de la farine</p>';
const channel = { title: 'Journal', description: 'Du levain' };

function withFeed(item: FeedItem): Feed {
  const feed = new Feed({ ...channel, id: site, link: site, copyright: '' });
  feed.addItem(item);
  return feed;
}

const withRss = (item: FeedItem): string =>
  new RSS({ ...channel, feed_url: `${site}rss`, site_url: site }).item(item).xml();

const withAstro = (item: FeedItem): Promise<string> =>
  getRssString({ ...channel, site, items: [item], trailingSlash: false });

/** The RSS of each package. */
const writers: [string, (item: FeedItem) => string | Promise<string>][] = [
  ['feed', (item) => withFeed(item).rss2()],
  ['rss', withRss],
  ['@astrojs/rss', withAstro],
];

/** Every character that XML 1.0 allows. */
const XML = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

describe.each(writers)('an item in the RSS of %s', (name, write) => {
  const read = async (one: Article, text?: string) => {
    const xml = await write(toFeedItem(one, { url, content: text }));
    expect(xml).toMatch(XML);
    const [item, ...others] = parseRssFeed(xml).items ?? [];
    expect(others).toEqual([]);
    return item;
  };

  it('has title, link, guid, date, description and category', async () => {
    const item = await read(article, content);
    expect(item).toMatchObject({
      title: 'Le levain, jour après jour',
      link: url,
      guid: { value: url },
      description: 'Faire son levain en une semaine.',
      categories: [{ name: 'Recettes' }],
    });
    expect(item?.pubDate).toBe('Fri, 20 Nov 2026 08:00:00 GMT');
    expect(item?.content?.encoded).toBe(name === 'rss' ? undefined : content);
  });

  it.each([
    ['without category and content', bare, 'Nu', 'Thu, 19 Nov 2026 08:00:00 GMT'],
    ['of a later version', newer, 'Faire son levain | Fournils Augustine', 'Thu, 19 Nov 2026 08:00:00 GMT'],
    ['without a date', { ...bare, created_at: 'hier' }, 'Nu', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('of an article %s has what a feed needs', async (_, one, title, pubDate) => {
    const item = await read(one);
    expect(item).toMatchObject({ title, link: url, pubDate });
    for (const field of ['content', 'categories']) expect(item).not.toHaveProperty(field);
  });

  it('can be read, whatever the article says', async () => {
    await fc.assert(
      fc.asyncProperty(hostileArticle, async (one) => {
        const item = await read(one, one.content_html ?? undefined);
        expect(item?.link).toBe(url);
        // The description is HTML that has no tag.
        expect(item?.description ?? '').not.toMatch(/[<>]/);
      }),
    );
  });
});

describe('toFeedItem', () => {
  it('keeps a title as it is, but for what would end CDATA', () => {
    fc.assert(
      fc.property(hostileArticle, (one) => {
        const { title } = toFeedItem(one, { url });
        expect(title).toBe((shown(one.title ?? '') || shown(one.meta_title ?? '')).replaceAll(']]>', ']] >'));
      }),
    );
  });

  it('is whole in `feed`, whatever title and category say', () => {
    const hostile = { ...article, title: 'a ]]> b ]]><item/> c', category: 'Moins de <5 €' };
    const feed = withFeed(toFeedItem(hostile, { url, content: '<p>]]>]]></p>' }));
    const [item] = parseRssFeed(feed.rss2()).items ?? [];
    expect(item).toMatchObject({ title: 'a ]] > b ]] ><item/> c', categories: [{ name: 'Moins de ‹5 €' }] });
    expect(item?.content?.encoded).toBe('<p>]]&gt;]]&gt;</p>');
    expect(feed.atom1()).toContain('label="Moins de ‹5 €"');
  });

  it('reads as Atom and as JSON Feed', () => {
    const feed = withFeed(toFeedItem(article, { url: new URL(url), content }));
    const [entry] = parseAtomFeed(feed.atom1()).entries ?? [];
    expect(entry).toMatchObject({
      id: url,
      title: { value: 'Le levain, jour après jour' },
      links: [{ href: url }],
      published: '2026-11-20T08:00:00.000Z',
      updated: '2026-11-20T08:00:00.000Z',
    });
    const [item] = parseJsonFeed(feed.json1()).items ?? [];
    expect(item).toMatchObject({ id: url, url, content_html: content, date_published: '2026-11-20T08:00:00.000Z' });
  });

  it('escapes the description once, as RSS requires', () => {
    const item = toFeedItem({ ...article, meta_description: 'a < b & "c" <img src=x onerror=alert(1)>' }, { url });
    expect(item.description).toBe('a &#60; b &#38; &#34;c&#34; &#60;img src=x onerror=alert(1)&#62;');
  });

  it.each([
    ['<img src="/uploads/a.png" alt="x">', '<img src="https://www.example.com/uploads/a.png" alt="x">'],
    [`<a href='#"four"'>b</a>`, `<a href="${url}#%22four%22">b</a>`],
    ['<a href="//cdn.example.com/?a=1&amp;b=2">b</a>', '<a href="https://cdn.example.com/?a=1&amp;b=2">b</a>'],
    [
      '<img srcset="/a.png 1x, b.png 2x">',
      `<img srcset="https://www.example.com/a.png 1x, ${new URL('b.png', url).href} 2x">`,
    ],
    ['<img src="data:image/png;base64,AA"><a href="mailto:a@b.test">c</a>', undefined],
    ['<p title="x">src="/a.png" 1 < 2</p>', undefined],
    // What stands in the value of another attribute is a text, and must not become an attribute.
    [`<a title=" href='https:x onmouseover=alert(1) '" href="https://a.test/">b</a>`, undefined],
    ['<img alt="a > b" src="/i.png">', '<img alt="a > b" src="https://www.example.com/i.png">'],
  ])('resolves the addresses of %s', (given, expected = given) => {
    expect(toFeedItem(article, { url, content: given }).content).toBe(expected);
  });
});
