// The pages of locations, the structured data, and the addresses that a site must have changed.
import { Client } from '@multilocal/client/client';
import type { Article } from 'multilocal';
import { createMockApi } from 'multilocal/mock';
import { describe, expect, it } from 'vitest';
import { refuseExamples } from '../../templates/astro/src/examples.js';
import { categoriesOf, dirOf, nextTo, titled, withWideTables } from '../../templates/astro/src/journal.js';
import { breadcrumbJsonLd, siteJsonLd } from '../../templates/astro/src/jsonld.js';
import { isDue, readListings } from '../../templates/astro/src/listings.mjs';
import { addressOf, type Listing, placesOf, ratingOf } from '../../templates/astro/src/places.js';
import { links, site } from '../../templates/astro/src/site.js';
import { connectionTo } from '../astro/support.js';

const api = createMockApi();
const client = new Client(connectionTo(api));
const articles = api.articles.all().filter(({ status }) => status === 'published');

const listing = (name: string, id = name, more = {}): Listing => ({
  listing: { id, name, address: '1 rue du Four', service_area: false, ...more },
  summary: null,
});

describe('listings', () => {
  const rated = (before: Listing[] = [], warn: (message: string) => void = () => {}) =>
    readListings(client, before, warn, true);

  it('cost one request, and with ratings one more for each listing', async () => {
    const before = api.requests.length;
    const listings = await readListings(client);
    expect(listings.length).toBeGreaterThan(2);
    expect(listings.map(({ summary }) => summary)).toEqual(listings.map(() => null));
    expect(api.requests.length - before).toBe(1);
    for (const { summary } of await rated()) expect(summary?.total_reviews).toBeGreaterThanOrEqual(0);
    expect(api.requests.length - before).toBe(2 + listings.length);
  });

  it.each([
    { status: 404 },
    { status: 429 },
    { status: 500 },
    { status: 200, body: '{"average_rating":4.5}', headers: { 'content-type': 'application/json' } },
  ])('have the rating of before, or none, if one cannot be read: %j', async (fault) => {
    const before = await rated();
    const warnings: string[] = [];
    api.fail({ operation: 'reviews.summary', times: 2, ...fault });
    const [first, second] = await rated(before.slice(0, 1), (message) => warnings.push(message));
    expect([first?.summary, second?.summary]).toEqual([before[0]?.summary, null]);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain(before[0]?.listing.id);
  });

  it('are read again after a day, and if the clock was wrong', () => {
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    expect([undefined, 'x', ago(25), ago(-1), ago(23)].map(isDue)).toEqual([true, true, true, true, false]);
  });
});

describe('places', () => {
  it('have the articles of the location that has the name of the listing', async () => {
    const places = placesOf(await readListings(client), articles);
    const lyon = places.find(({ slug }) => slug === 'lyon-croix-rousse');
    expect(lyon).toMatchObject({ name: 'Lyon Croix-Rousse', href: '/boutiques/lyon-croix-rousse/' });
    const own = articles.filter(({ bulle_name }) => bulle_name?.includes('Lyon Croix-Rousse'));
    expect(own.length).toBeGreaterThan(0);
    expect(lyon?.articles).toEqual(own.slice(0, 6));
    expect(places.map(({ name }) => name)).toEqual(
      places.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b, 'fr')),
    );
    for (const place of places) {
      expect(addressOf(place)).toBe(place.listing.service_area ? 'Se déplace chez ses clients' : place.listing.address);
    }
  });

  it('with one name have addresses of their own, in whatever order they come', () => {
    const [one, two] = [listing('Le Four', 'a'), listing('Le Four', 'b')];
    const slugs = (all: Listing[]) => placesOf(all, []).map(({ listing, slug }) => [listing.id, slug]);
    expect(slugs([two, one])).toEqual([
      ['a', 'le-four'],
      ['b', 'le-four-2'],
    ]);
    expect(placesOf([listing('')], [])[0]?.slug).toBe('adresse');
  });

  it('that are the only one have all articles of the only location', () => {
    const [first] = articles;
    const own = articles.filter(({ bulle_id }) => bulle_id === first?.bulle_id);
    expect(placesOf([listing('Augustine')], own)[0]?.articles).toEqual(own.slice(0, 6));
    expect(placesOf([listing('Augustine')], articles)[0]?.articles).toEqual([]);
  });

  it('show a rating only with reviews', () => {
    const rated = (average_rating: number | null, total_reviews: number) =>
      ratingOf({ ...listing('Four'), summary: { average_rating, total_reviews } as NonNullable<Listing['summary']> });
    expect([rated(4.58, 312), rated(0, 3), rated(null, 3), rated(5, 0)]).toEqual([
      '4,6 sur 5 · 312 avis Google',
      undefined,
      undefined,
      undefined,
    ]);
    expect(ratingOf(listing('Four'))).toBeUndefined();
  });
});

describe('structured data', () => {
  it('names the way to a page', () => {
    const json = breadcrumbJsonLd([
      { name: '</script>', url: 'https://a.org/' },
      { name: 'Pains', url: 'https://a.org/b/' },
    ]);
    expect(json).not.toContain('<');
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'BreadcrumbList',
      itemListElement: [
        { position: 1, name: '</script>' },
        { position: 2, item: 'https://a.org/b/' },
      ],
    });
  });

  it('names the site and its publisher, with the logo', () => {
    expect(JSON.parse(siteJsonLd())).toMatchObject({
      '@type': 'WebSite',
      url: site.url,
      publisher: { name: site.publisher, logo: `${site.url}favicon.svg` },
    });
  });
});

describe('a site for a service', () => {
  it('has no addresses of the template', () => {
    expect(() => refuseExamples({ url: site.url, links })).toThrow(
      '`url`, the link “Mentions légales”, the link “Confidentialité”',
    );
    const legal = [
      { text: 'Mentions', href: 'https://www.example.fr/a' },
      { text: 'Contact', href: 'contact/' },
    ];
    refuseExamples({ url: 'https://example.com.evil.org/', links: { legal } });
    expect(() =>
      refuseExamples({ url: 'https://a.org/', links: { legal: [{ text: 'A', href: 'http://EXAMPLE.org' }] } }),
    ).toThrow('the link “A”');
  });
});

it('categories are computed once for the same articles', () => {
  expect(categoriesOf(articles)).toBe(categoriesOf(articles));
});

it('what to read next is of the category and the location first', () => {
  const [first] = articles as [(typeof articles)[number]];
  const next = nextTo(first, articles);
  expect(next).toHaveLength(3);
  for (const { category } of next) expect(category).toBe(first.category);
  expect(next).not.toContain(first);
});

describe('an article', () => {
  it.each([null, '', ' \u00a0 '])('with the title %j has its date as one', (title) => {
    const article = { title, published_at: '2026-05-03T10:00:00Z' } as Article;
    expect(titled(article).title).toBe('Article du 3 mai 2026');
  });

  it.each([
    ['خبز العيد: 10 وصفات مع Augustine', 'rtl'],
    ['<p class="abcdefghijklmnop">לחם</p>', 'rtl'],
    ['Le pain خبز et le sel', undefined],
    ['10 %', undefined],
  ])('%s has the direction %s in a page from left to right', (html, direction) => {
    expect(dirOf(html)).toBe(direction);
  });

  it('has tables that scroll, whatever their attributes', () => {
    const table = (attributes = '') => `<table${attributes}><tr><td>1</td></tr></table>`;
    for (const attributes of ['', ' tabindex="0"', ' dir="rtl" tabindex="0"']) {
      const expected = `<div class="wide" tabindex="0" role="group" aria-label="Tableau">${table(attributes.replace(' tabindex="0"', ''))}</div>`;
      expect(withWideTables(table(attributes))).toBe(expected);
    }
  });
});
