// The pages of locations with what `shops.ts` adds, the structured data, and the addresses that a site must have changed.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { Client } from '@multilocal/client/client';
import type { Article } from 'multilocal';
import { createMockApi } from 'multilocal/mock';
import { describe, expect, it, vi } from 'vitest';
import { refuseExamples } from '../../templates/astro/src/examples.js';
import { periodInWords, weekInWords, weekOf } from '../../templates/astro/src/hours.js';
import { categoriesOf, dirOf, nextTo, titled, withWideTables } from '../../templates/astro/src/journal.js';
import { breadcrumbJsonLd, siteJsonLd } from '../../templates/astro/src/jsonld.js';
import { isDue, readListings } from '../../templates/astro/src/listings.mjs';
import {
  addressOf,
  type Listing,
  placeJsonLd,
  placesOf,
  placesReport,
  ratingOf,
  shopOf,
} from '../../templates/astro/src/places.js';
import type { Shop } from '../../templates/astro/src/shops.js';
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

  it('has what its entities stand for in one-line texts, and what looks like a tag', () => {
    const [written, shown] = ['Pain &amp; <b>beurre</b> &#233;', 'Pain & <b>beurre</b> é'];
    const texts = (text: string) => ({ title: text, category: text, meta_title: text, meta_description: text });
    expect(titled(texts(written) as Article)).toEqual(texts(shown));
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

const articleOf = (bulle_id: string, bulle_name: string) => ({ id: 1, bulle_id, bulle_name }) as Article;
/** A shop as `shops.ts` has it, as its page has it. */
function placeOf(shop: Shop, more = {}) {
  const [place] = placesOf([listing('Le Four', 'a', { address: '1 rue du Four, 35000 Rennes', ...more })], [], {
    a: shop,
  });
  if (!place) throw new Error('No place.');
  return place;
}

describe('hours', () => {
  it('are those of each day, and later ones replace earlier ones', () => {
    const week = weekOf({ 'Mo-Su': '07:00-19:30', Mo: [], Su: ['07:00-13:00', '16:00-18:00'] });
    expect(week.map((spans) => spans.join())).toEqual(['', ...Array(5).fill('07:00-19:30'), '07:00-13:00,16:00-18:00']);
    expect(weekInWords(week, 'fr').filter((_, index) => index % 6 === 0)).toEqual([
      ['lundi', []],
      ['dimanche', ['07:00 – 13:00', '16:00 – 18:00']],
    ]);
    expect(weekInWords(week, 'en-US')[1]?.flat().join(' ').replace(/\s/gu, ' ')).toBe('Tuesday 7:00 AM – 7:30 PM');
    expect(periodInWords('2026-08-03/2026-08-24', 'fr')).toBe('3–24 août 2026');
  });

  it.each<[Shop, string]>([
    [{ hours: { 'Su-Mo': '07:00-19:00' } }, 'or two in order: `Mo-Fr`.'],
    [{ hours: { Lu: '07:00-19:00' } as Shop['hours'] & {} }, '`Lu`'],
    [{ hours: { Mo: ['07:00-12:00', '14:00-25:00'] } }, '`14:00-25:00`'],
    [{ closed: ['2026-02-30'] }, '`2026-02-30`'],
    [{ map: '48.11,-1.68' }, '`map`'],
    [{ closed: ['2026-08-24/2026-08-03'] }, '`2026-08-24/2026-08-03`'],
    [{ phone: '04 65 71 00 01' }, '`phone`'],
    [{ booking: 'https://' }, '`booking`'],
  ])('%j stops the build, which names it', (shop, name) => {
    expect(() => placeOf(shop)).toThrow(/^shops\.ts, a: .*\.$/);
    expect(() => placeOf(shop)).toThrow(name);
  });

  it.each([
    ['Mo 12:59', true],
    ['Mo 13:00', false],
    ['Sa 23:30', true],
    ['Su 01:59', true],
    ['Su 02:00', false],
    ['We 10:00', false],
    ['Th 01:00', false],
  ])('a shop at %s is open: %s', (moment, isOpen) => {
    const [day = '', time] = moment.split(' ');
    const date = 5 + ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].indexOf(day);
    vi.useFakeTimers({ now: new Date(`2026-01-${String(date).padStart(2, '0')}T${time}+01:00`) });
    const hours = { Mo: ['07:00-13:00', '18:00-02:00'], 'Tu-Sa': '18:00-02:00' } as const;
    const { now = '' } = shopOf(placeOf({ hours, closed: ['2026-01-07'] }));
    expect(textOf(now)).toBe(isOpen ? 'Ouvert maintenant' : 'Fermé maintenant');
    vi.useRealTimers();
  });
});

/** What `open-now.js` writes. */
function textOf(shop: string): string | undefined {
  class HTMLElement {
    textContent?: string;
    classList = { toggle: () => {} };
    getAttribute = () => shop;
  }
  let Element: (new () => HTMLElement & { connectedCallback(): void }) | undefined;
  const customElements = { get: () => undefined, define: (_: string, own: typeof Element) => (Element = own) };
  const document = { querySelectorAll: () => [] };
  const code = readFileSync('packages/sites/templates/astro/public/open-now.js', 'utf8');
  runInNewContext(code, { HTMLElement, customElements, document, Date, Intl, JSON });
  const element = Element && new Element();
  element?.connectedCallback();
  return element?.textContent;
}

describe('the page of a shop', () => {
  it('has links to call, to a map, for the way and to book', () => {
    const text = 'Un.\n\nDeux.';
    const shop = shopOf(placeOf({ phone: '+33 2 61 91 00 01', booking: 'https://book.example/', text }));
    expect(shop).toMatchObject({
      phone: { href: 'tel:+33261910001', text: '02 61 91 00 01'.replaceAll(' ', '\u00a0') },
      map: 'https://www.google.com/maps/search/?api=1&query=Le%20Four%2C%201%20rue%20du%20Four%2C%2035000%20Rennes',
      directions:
        'https://www.google.com/maps/dir/?api=1&destination=Le%20Four%2C%201%20rue%20du%20Four%2C%2035000%20Rennes',
      booking: 'https://book.example/',
      paragraphs: ['Un.', 'Deux.'],
      week: undefined,
    });
    expect(shopOf(placeOf({ phone: '+49 30 0000000' })).phone?.text).toBe('+49 30 0000000');
    expect(shopOf(placeOf({}, { service_area: true }))).toMatchObject({ map: undefined, directions: undefined });
  });

  it('shows closed days until they are over', () => {
    vi.useFakeTimers({ now: new Date('2026-08-10T10:00:00Z') });
    const closed = ['2026-05-01', '2026-08-03/2026-08-10', '2026-12-25'] as const;
    expect(placeOf({ closed }).closures).toEqual(['3–10 août 2026', '25 décembre 2026']);
    vi.useRealTimers();
  });

  it('tells search engines the same', () => {
    const hours = { 'Tu-We': ['07:00-13:00', '15:00-19:00'], Su: '07:00-13:00' } as const;
    const place = placeOf({ type: 'Bakery', phone: '+33261910001', photo: 'four.jpg', hours, closed: ['2026-12-25'] });
    const specification = { '@type': 'OpeningHoursSpecification' };
    expect(JSON.parse(placeJsonLd(place, 'https://a.org/four/'))).toMatchObject({
      '@type': 'Bakery',
      telephone: '+33261910001',
      image: 'https://www.example.com/four.jpg',
      openingHoursSpecification: [
        { ...specification, opens: '07:00', closes: '13:00', dayOfWeek: ['Tuesday', 'Wednesday', 'Sunday'] },
        { ...specification, opens: '15:00', closes: '19:00', dayOfWeek: ['Tuesday', 'Wednesday'] },
      ],
      specialOpeningHoursSpecification: [
        { opens: '00:00', closes: '00:00', validFrom: '2026-12-25', validThrough: '2026-12-25' },
      ],
    });
    const bare = JSON.parse(placeJsonLd(placeOf({}), 'https://a.org/four/'));
    expect(bare['@type']).toBe('LocalBusiness');
    expect(Object.keys(bare).sort()).toEqual(['@context', '@type', 'address', 'name', 'url']);
  });
});

describe('shops', () => {
  const listings = [
    listing('Maison Corbel Vitré', '1', { address: '2 place du Marché, 35500 Vitré' }),
    listing('Maison Corbel Brest', '2', { address: '9 quai, 29200 Brest, France' }),
    listing('Maison Corbel', '3', { service_area: true }),
  ];
  const articles = [articleOf('b1', 'Vitré'), articleOf('b2', 'Maison Corbel Brest')];

  it('come by town, which is that of the address or of `shops.ts`', () => {
    const towns = placesOf(listings, articles, { 3: { town: 'Dinan', name: 'À domicile' } });
    expect(towns.map(({ town, name }) => [town, name])).toEqual([
      ['Brest', 'Maison Corbel Brest'],
      ['Dinan', 'À domicile'],
      ['Vitré', 'Maison Corbel Vitré'],
    ]);
  });

  it('without a location are named, until `shops.ts` has its id', () => {
    const report = (known: Record<string, Shop>) => placesReport(placesOf(listings, articles, known), articles, known);
    expect(report({ 9: {} })).toBe(
      'No article belongs to the listings Maison Corbel (3), Maison Corbel Vitré (1). No listing has the name of the locations Vitré (b1): write such an id as `location` of its listing into shops.ts. shops.ts has shops without a listing: 9.',
    );
    const known = { 1: { location: 'b1' }, 3: { location: 'b2' } };
    expect(report(known)).toBeUndefined();
    const [, , vitre] = placesOf(listings, articles, known);
    expect(vitre?.articles).toEqual([articles[0]]);
  });
});
