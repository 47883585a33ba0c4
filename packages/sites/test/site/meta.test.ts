// The tags are read with the parser of the HTML standard: each value comes back, and nothing else is in the head.
import * as fc from 'fast-check';
import { type Article, ConfigurationError } from 'multilocal';
import { type DefaultTreeAdapterMap, parseFragment, defaultTreeAdapter as tree } from 'parse5';
import { describe, expect, it } from 'vitest';
import { type ArticleMeta, articleJsonLd, articleMeta } from '../../src/site/index.js';
import { article, bare, hostile, hostileArticle, newer, publisher, shown, url } from './support.js';

/** The part of `Metadata` of Next.js that an article fills. Next.js declares it without exact optional properties. */
interface NextMetadata {
  title?: string | null | undefined;
  description?: string | null | undefined;
  alternates?: { canonical?: string | URL | null | undefined } | null | undefined;
  openGraph?:
    | {
        type: 'article';
        url?: string | URL | undefined;
        title?: string | undefined;
        description?: string | undefined;
        siteName?: string | undefined;
        images?: string | URL | (string | URL)[] | undefined;
        publishedTime?: string | undefined;
        modifiedTime?: string | undefined;
        section?: string | null | undefined;
      }
    | null
    | undefined;
}

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
function tagsOf({ html }: ArticleMeta): Record<string, string> {
  const found = elementsOf(html).map(({ tagName, attributes, text }) => {
    if (tagName === 'title') return ['title', text];
    const { name, property, content = '', rel, href = '', ...others } = attributes;
    expect(others).toEqual({});
    return tagName === 'link' ? [rel, href] : [name ?? property, content];
  });
  expect(new Set(found.map(([name]) => name)).size).toBe(found.length);
  return Object.fromEntries(found);
}

const metaOf = (one: Article): ArticleMeta => articleMeta(one, { url, publisher });

describe('articleMeta', () => {
  const meta = metaOf(article);

  it('is the metadata of a page of Next.js', () => {
    const { html, ...metadata } = meta;
    const expected: NextMetadata = {
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
    };
    const taken: NextMetadata = meta;
    expect(metadata).toStrictEqual(expected);
    expect(taken).toBe(meta);
  });

  it('has the same as tags', () => {
    expect(tagsOf(meta)).toEqual({
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
    const { html, ...metadata } = articleMeta(bare, { url });
    expect(metadata).toStrictEqual({
      title: 'Nu',
      alternates: { canonical: url },
      openGraph: { type: 'article', url, title: 'Nu', modifiedTime: '2026-11-19T08:00:00.000Z' },
    });
    expect(Object.keys(tagsOf({ html, ...metadata }))).toEqual([
      'title',
      'canonical',
      'og:type',
      'og:url',
      'og:title',
      'article:modified_time',
    ]);
  });

  it('leaves out fields that a later version of the service sends in another form', () => {
    const { title, description, openGraph } = metaOf(newer);
    expect(title).toBe('Faire son levain | Fournils Augustine');
    expect(description).toBeUndefined();
    expect(Object.keys(openGraph).sort()).toEqual(['siteName', 'title', 'type', 'url']);
  });

  it.each<[string, Partial<Article>]>([
    ['Une semaine avec un levain de seigle.', { meta_description: null }],
    ['Jour 1 De l’eau et de la farine\u00a0!', { meta_description: ' ', excerpt: '' }],
  ])('describes the article with %j', (description, fields) => {
    expect(metaOf({ ...article, ...fields }).description).toBe(description);
  });

  it('refuses an address that search engines cannot open', () => {
    const call = () => articleMeta(article, { url: 'blog/levain' });
    expect(call).toThrow(ConfigurationError);
    expect(call).toThrow('articleMeta: `url` must be an absolute http or https address.');
  });

  it('shows every text as it is, whatever it says', () => {
    fc.assert(
      fc.property(hostileArticle, (one) => {
        const meta = metaOf(one);
        const tags = tagsOf(meta);
        expect(tags.title).toBe(meta.title);
        expect(tags.description).toBe(meta.description);
        expect(tags['og:title']).toBe(shown(one.title ?? '') || shown(one.meta_title ?? '') || undefined);
        expect(tags['article:section']).toBe(shown(one.category ?? '') || undefined);
        expect(tags['og:image'] ?? 'https:').toMatch(/^https?:/);
      }),
    );
  });
});

it('articleJsonLd stays within its script element', () => {
  fc.assert(
    fc.property(hostileArticle, hostile, (one, name) => {
      const json = articleJsonLd(one, { url, publisher: { name } });
      const elements = elementsOf(`<script type="application/ld+json">${json}</script>`);
      expect(elements).toEqual([{ tagName: 'script', attributes: { type: 'application/ld+json' }, text: json }]);
    }),
  );
});
