// The JSON-LD is what Google documents for Article and LocalBusiness, and no text can leave its script element.
import * as fc from 'fast-check';
import { ConfigurationError, type IdentityFiche, type ReviewSummary } from 'multilocal';
import type {
  AggregateRating,
  Article as ArticleData,
  LocalBusiness,
  Organization,
  PostalAddress,
  WithContext,
} from 'schema-dts';
import { describe, expect, it } from 'vitest';
import { articleJsonLd, articleMeta, listingJsonLd } from '../../src/site/index.js';
import { article, bare, hostile, hostileArticle, newer, publisher, url } from './support.js';

const page = { url, publisher };
const parsed = (json: string): Record<string, unknown> => JSON.parse(json);

const listing: IdentityFiche = {
  id: 'accounts/1/locations/2',
  name: 'Fournils Augustine Lyon',
  address: '12 rue des Forges, 69002 Lyon',
  service_area: false,
};

const summary: ReviewSummary = {
  fiche: { id: listing.id, name: 'Fournils Augustine Lyon' },
  average_rating: 4.6,
  total_reviews: 128,
  status_counts: { all: 128, responded: 100, drafts: 8, unresponded: 20 },
};

describe('articleJsonLd', () => {
  // The fields of https://developers.google.com/search/docs/appearance/structured-data/article, as schema.org types them.
  it('has the fields that Google documents', () => {
    const organization: Organization = {
      '@type': 'Organization',
      name: 'Fournils Augustine',
      url: 'https://www.example.com/',
      logo: 'https://www.example.com/logo.png',
    };
    const expected: WithContext<ArticleData> = {
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
    };
    expect(parsed(articleJsonLd(article, page))).toEqual(expected);
  });

  it('leaves out empty fields', () => {
    expect(parsed(articleJsonLd(bare, { url, publisher: { name: ' ' } }))).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: 'Nu',
      dateModified: '2026-11-19T08:00:00.000Z',
      mainEntityOfPage: url,
    });
  });

  it('leaves out fields that a later version of the service sends in another form', () => {
    expect(Object.keys(parsed(articleJsonLd(newer, page))).sort()).toEqual(
      ['@context', '@type', 'author', 'headline', 'keywords', 'mainEntityOfPage', 'publisher'].sort(),
    );
  });

  it.each([
    ['/1.jpg', 'https://www.example.com/1.jpg'],
    ['//cdn.example.com/1.jpg', 'https://cdn.example.com/1.jpg'],
  ])('resolves the image %j', (featured_image_url, image) => {
    const one = { ...article, featured_image_url };
    expect(parsed(articleJsonLd(one, page))).toHaveProperty('image', [image]);
    expect(articleMeta(one, page).openGraph).toHaveProperty('images', [image]);
  });

  it.each(['javascript:alert(1)', 'data:image/png;base64,AA', 'https://', ' '])(
    'leaves out the image %j',
    (featured_image_url) => {
      expect(parsed(articleJsonLd({ ...article, featured_image_url }, page))).not.toHaveProperty('image');
    },
  );

  it('leaves out an address of the publisher that is no web page', () => {
    const { author } = parsed(articleJsonLd(article, { url, publisher: { name: 'F', url: 'javascript:alert(1)' } }));
    expect(author).toEqual({ '@type': 'Organization', name: 'F' });
  });

  it.each(['/blog/levain', 'javascript:alert(1)', '', 'www.example.com'])('refuses the url %j', (wrong) => {
    const call = () => articleJsonLd(article, { url: wrong, publisher });
    expect(call).toThrow(ConfigurationError);
    expect(call).toThrow('articleJsonLd: `url` must be an absolute http or https address.');
  });

  it('cannot end its script element, whatever the article says', () => {
    fc.assert(
      fc.property(hostileArticle, hostile, (one, name) => {
        const json = articleJsonLd(one, { url, publisher: { name } });
        expect(json).not.toMatch(/[<\u2028\u2029]/);
        const { headline, image } = parsed(json);
        expect(typeof headline).toBe('string');
        for (const address of Array.isArray(image) ? image : []) expect(address).toMatch(/^https?:\/\//);
        // Titles stay readable: what was escaped comes back.
        if (one.title?.includes('</script>')) expect(headline).toContain('</script>');
      }),
    );
  });
});

describe('listingJsonLd', () => {
  // The fields of https://developers.google.com/search/docs/appearance/structured-data/local-business that we have.
  it('has the fields that Google documents', () => {
    const address: PostalAddress = { '@type': 'PostalAddress', streetAddress: '12 rue des Forges, 69002 Lyon' };
    const aggregateRating: AggregateRating = { '@type': 'AggregateRating', ratingValue: 4.6, reviewCount: 128 };
    const expected: WithContext<LocalBusiness> = {
      '@context': 'https://schema.org',
      '@type': 'LocalBusiness',
      name: 'Fournils Augustine Lyon',
      url: 'https://www.example.com/lyon',
      address,
      aggregateRating,
    };
    expect(parsed(listingJsonLd(listing, { url: new URL('https://www.example.com/lyon'), summary }))).toEqual(expected);
  });

  it.each([
    { average_rating: null },
    { total_reviews: 0 },
    { average_rating: 0.5 },
    { average_rating: 5.1 },
    { average_rating: Number.NaN },
  ])('leaves out the rating with %j', (fields) => {
    const json = listingJsonLd(listing, { url, summary: { ...summary, ...fields } });
    expect(parsed(json)).not.toHaveProperty('aggregateRating');
  });

  it('needs no summary and no address', () => {
    const json = listingJsonLd({ ...listing, address: null }, { url, summary: null });
    expect(Object.keys(parsed(json))).toEqual(['@context', '@type', 'name', 'url']);
  });

  it('hides the address of a business that serves an area', () => {
    expect(parsed(listingJsonLd({ ...listing, service_area: true }, { url }))).not.toHaveProperty('address');
  });

  it('cannot end its script element', () => {
    fc.assert(
      fc.property(hostile, hostile, (name, address) => {
        const json = listingJsonLd({ ...listing, name, address }, { url, summary });
        expect(json).not.toMatch(/[<\u2028\u2029]/);
        expect(parsed(json)).toMatchObject({ '@type': 'LocalBusiness', url });
      }),
    );
  });
});
