// What the head of a page says. Tags are read with the parser of the HTML standard: each value comes back, and nothing
// else is there. The JSON-LD has what Google documents for Article and LocalBusiness; its types check it in the sources.
import * as fc from 'fast-check';
import { type Article, ConfigurationError, type IdentityFiche } from 'multilocal';
import { type DefaultTreeAdapterMap, parseFragment, defaultTreeAdapter as tree } from 'parse5';
import { describe, expect, it } from 'vitest';
import * as site from '../../src/site/index.js';
import { article, bare, hostile, hostileArticle, newer, publisher, shown, url } from './support.js';

type Element = DefaultTreeAdapterMap['element'];

/** The elements of a piece of HTML: the name of each, its attributes, and its text. */
function elementsOf(html: string) {
  const nodes = parseFragment(html).childNodes;
  const elements = nodes.filter((node): node is Element => tree.isElementNode(node));
  // Between the elements there are only line breaks.
  for (const node of nodes) if (!elements.some((one) => one === node)) expect(node).toMatchObject({ value: '\n' });
  return elements.map(({ tagName, attrs, childNodes }) => ({
    tagName,
    attributes: Object.fromEntries(attrs.map(({ name, value }) => [name, value])),
    text: childNodes.map((node) => (tree.isTextNode(node) ? node.value : `<${node.nodeName}>`)).join(''),
  }));
}

/** The tags of an article's page, by their names. */
function tagsOf(html: string): Record<string, string> {
  const found = elementsOf(html).map(({ tagName, attributes, text }) => {
    if (tagName === 'title') return ['title', text];
    const { name, property, content = '', rel, href = '', ...others } = attributes;
    expect(others).toEqual({});
    return tagName === 'link' ? [rel, href] : [name ?? property, content];
  });
  expect(new Set(found.map(([name]) => name)).size).toBe(found.length);
  return Object.fromEntries(found);
}

const metaOf = (one: Article) => site.articleMeta(one, { url, publisher });
const jsonLdOf = (one: Article) => JSON.parse(site.articleJsonLd(one, { url, publisher }));

describe('articleMeta', () => {
  it('has metadata as Next.js takes it, and the same as tags', () => {
    const { html, ...metadata } = metaOf(article);
    expect(metadata).toStrictEqual({
      title: 'Faire son levain | Fournils Augustine',
      description: 'Faire son levain en une semaine.',
      alternates: { canonical: url },
      openGraph: {
        type: 'article',
        url,
        title: 'Le levain, jour après jour',
        description: 'Faire son levain en une semaine.',
        siteName: 'Fournils Augustine',
        images: ['https://images.example.com/levain.jpg'],
        publishedTime: '2026-11-20T08:00:00.000Z',
        modifiedTime: '2026-11-21T09:30:00.123Z',
        section: 'Recettes',
      },
    });
    expect(tagsOf(html)).toEqual({
      title: 'Faire son levain | Fournils Augustine',
      description: 'Faire son levain en une semaine.',
      canonical: url,
      'og:type': 'article',
      'og:url': url,
      'og:title': 'Le levain, jour après jour',
      'og:description': 'Faire son levain en une semaine.',
      'og:site_name': 'Fournils Augustine',
      'og:image': 'https://images.example.com/levain.jpg',
      'article:published_time': '2026-11-20T08:00:00.000Z',
      'article:modified_time': '2026-11-21T09:30:00.123Z',
      'article:section': 'Recettes',
    });
  });

  it('leaves out empty fields', () => {
    const { html, ...metadata } = site.articleMeta(bare, { url });
    expect(metadata).toStrictEqual({
      title: 'Nu',
      alternates: { canonical: url },
      openGraph: { type: 'article', url, title: 'Nu', modifiedTime: '2026-11-19T08:00:00.000Z' },
    });
    expect(Object.keys(tagsOf(html)).join()).toBe('title,canonical,og:type,og:url,og:title,article:modified_time');
  });

  it('leaves out fields that a later version of the service sends in another form', () => {
    const { html: _, ...metadata } = metaOf(newer);
    const title = 'Faire son levain | Fournils Augustine';
    const openGraph = { type: 'article', url, title, siteName: 'Fournils Augustine' };
    expect(metadata).toStrictEqual({ title, alternates: { canonical: url }, openGraph });
  });

  it.each<[string, Partial<Article>]>([
    ['Une semaine avec un levain de seigle.', { meta_description: null }],
    ['De l’eau et de la farine\u00a0!', { meta_description: ' ', excerpt: '' }],
    ['Le résumé', { meta_description: null, excerpt: '<p>Le r&eacute;sum&eacute;</p>' }],
    ['mot '.repeat(60).trim(), { meta_description: null, excerpt: `<p>${'mot '.repeat(60)}</p>` }],
  ])('describes the article with %j', (description, fields) => {
    expect(metaOf({ ...article, ...fields }).description).toBe(description);
  });

  it('decodes each text of the service once, but no address', () => {
    const text = 'Pain &amp; beurre &amp;amp;';
    const one = { ...article, title: text, meta_title: text, meta_description: text, category: text };
    const meta = site.articleMeta(
      { ...one, featured_image_url: 'https://a.test/?a&copy;' },
      { url, publisher: { name: text } },
    );
    const { title, description, section, siteName, images } = meta.openGraph;
    expect([meta.title, title, description, section, siteName]).toEqual(Array(5).fill('Pain & beurre &amp;'));
    expect(images).toEqual(['https://a.test/?a&copy;']);
    expect(jsonLdOf(one)).toMatchObject({ headline: title, description, articleSection: section });
    expect(site.toFeedItem(one, { url })).toMatchObject({ title, categories: [section] });
  });

  it('shows every text as it is, whatever it says', () => {
    fc.assert(
      fc.property(hostileArticle, (one) => {
        const { title, description, html } = metaOf(one);
        const tags = tagsOf(html);
        expect([tags.title, tags.description]).toEqual([title, description]);
        expect(tags['og:title']).toBe(shown(one.title ?? '') || shown(one.meta_title ?? '') || undefined);
        expect(tags['article:section']).toBe(shown(one.category ?? '') || undefined);
        expect(tags['og:image'] ?? 'https:').toMatch(/^https?:/);
      }),
    );
  });
});

describe('articleJsonLd', () => {
  it('has the fields that Google documents', () => {
    const organization = {
      '@type': 'Organization',
      name: 'Fournils Augustine',
      url: 'https://www.example.com/',
      logo: 'https://www.example.com/logo.png',
    };
    expect(jsonLdOf(article)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: 'Le levain, jour après jour',
      description: 'Faire son levain en une semaine.',
      image: ['https://images.example.com/levain.jpg'],
      datePublished: '2026-11-20T08:00:00.000Z',
      dateModified: '2026-11-21T09:30:00.123Z',
      articleSection: 'Recettes',
      keywords: 'levain',
      author: organization,
      publisher: organization,
      mainEntityOfPage: url,
    });
  });

  it('leaves out empty fields, and those that a later version of the service sends in another form', () => {
    expect(JSON.parse(site.articleJsonLd(bare, { url, publisher: { name: ' ' } }))).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: 'Nu',
      dateModified: '2026-11-19T08:00:00.000Z',
      mainEntityOfPage: url,
    });
    expect(Object.keys(jsonLdOf(newer)).join()).toBe(
      '@context,@type,headline,keywords,author,publisher,mainEntityOfPage',
    );
  });

  it.each([
    ['/1.jpg', ['https://www.example.com/1.jpg']],
    ['//cdn.example.com/1.jpg', ['https://cdn.example.com/1.jpg']],
    ['javascript:alert(1)', undefined],
    ['data:image/png;base64,AA', undefined],
    ['https://', undefined],
    [' ', undefined],
  ])('has the image %j as %j, and so have the tags', (featured_image_url, images) => {
    const one = { ...article, featured_image_url };
    expect([jsonLdOf(one).image, metaOf(one).openGraph.images]).toEqual([images, images]);
  });

  it('leaves out an address of the publisher that is no web page, and says the language', () => {
    const json = site.articleJsonLd(article, { url, publisher: { name: 'F', url: 'javascript:alert(1)' } });
    expect(JSON.parse(json).author).toEqual({ '@type': 'Organization', name: 'F' });
    expect(JSON.parse(site.articleJsonLd(article, { url, publisher, language: 'de' })).inLanguage).toBe('de');
  });
});

const listing: IdentityFiche = {
  id: 'accounts/1/locations/2',
  name: 'Fournils Augustine Lyon',
  address: '12 rue des Forges, 69002 Lyon',
  service_area: false,
};

describe('listingJsonLd', () => {
  const whole = {
    '@context': 'https://schema.org',
    '@type': 'LocalBusiness',
    name: 'Fournils Augustine Lyon',
    url,
    address: { '@type': 'PostalAddress', streetAddress: '12 rue des Forges, 69002 Lyon' },
  };
  const noAddress = { ...whole, address: undefined };

  it.each<[string, object, Partial<IdentityFiche>, Partial<site.ListingPage>]>([
    ['the fields that the service knows', whole, {}, {}],
    ['no address if there is none', noAddress, { address: null }, {}],
    ['no address of a business that serves an area', noAddress, { service_area: true }, {}],
    [
      'a type of its own, its telephone, photo and hours',
      {
        ...whole,
        '@type': 'Bakery',
        telephone: '+33299000000',
        image: 'https://www.example.com/four.jpg',
        openingHours: ['Mo-Sa 07:00-19:30'],
      },
      {},
      { type: 'Bakery', telephone: ' +33299000000 ', image: '/four.jpg', openingHours: ['Mo-Sa 07:00-19:30'] },
    ],
    ['nothing that is empty', whole, {}, { type: '', telephone: ' ', image: 'javascript:x', openingHours: [] }],
    [
      'what one adds',
      { ...whole, name: 'F', geo: { latitude: 48 } },
      {},
      { more: { name: 'F', geo: { latitude: 48 } } },
    ],
    // Search engines refuse them: another site has collected them.
    ['no rating', whole, {}, { summary: { average_rating: 4.6, total_reviews: 128 } } as object],
  ])('has %s', (_, expected, fields, more) => {
    const json = site.listingJsonLd({ ...listing, ...fields }, { url: new URL(url), ...more });
    expect(JSON.parse(json)).toEqual(expected);
  });
});

it('no JSON-LD can end its script element, whatever the texts say', () => {
  fc.assert(
    fc.property(hostileArticle, hostile, hostile, (one, name, address) => {
      const ofArticle = site.articleJsonLd(one, { url, publisher: { name } });
      for (const text of [ofArticle, site.listingJsonLd({ ...listing, name, address }, { url, type: name })]) {
        const elements = elementsOf(`<script type="application/ld+json">${text}</script>`);
        expect(elements).toEqual([{ tagName: 'script', attributes: { type: 'application/ld+json' }, text }]);
        expect(text).not.toMatch(/[<\u2028\u2029]/);
      }
      // Titles stay readable: what was escaped comes back.
      expect(JSON.parse(ofArticle).headline).toBe(shown(one.title ?? '') || shown(one.meta_title ?? ''));
      for (const image of JSON.parse(ofArticle).image ?? []) expect(image).toMatch(/^https?:\/\//);
    }),
  );
});

it.each<[string, (url: string) => unknown]>([
  ['articleMeta', (url) => site.articleMeta(article, { url })],
  ['articleJsonLd', (url) => site.articleJsonLd(article, { url, publisher })],
  ['listingJsonLd', (url) => site.listingJsonLd(listing, { url })],
  ['toFeedItem', (url) => site.toFeedItem(article, { url })],
  ['sitemapEntries', (url) => site.sitemapEntries([article], { url: () => url })],
])('%s refuses an address that search engines and readers cannot open', (name, call) => {
  for (const wrong of ['/blog/levain', 'javascript:alert(1)', '', 'www.example.com']) {
    const message = `${name}: \`url\` must be an absolute http or https address.`;
    expect(() => call(wrong)).toThrow(new ConfigurationError(message));
  }
});
