// What `shops.ts` adds to the page of a location, for people and for search engines.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import type { Article } from 'multilocal';
import { describe, expect, it, vi } from 'vitest';
import { periodInWords, weekInWords, weekOf } from '../../templates/astro/src/hours.js';
import { type Listing, placeJsonLd, placesOf, placesReport, shopOf } from '../../templates/astro/src/places.js';
import type { Shop } from '../../templates/astro/src/shops.js';

const listing = (id: string, name: string, address = '1 rue du Four', service_area = false): Listing => ({
  listing: { id, name, address, service_area },
  summary: null,
});
const article = (bulle_id: string, bulle_name: string) => ({ id: 1, bulle_id, bulle_name }) as Article;
const placeOf = (shop: Shop, more: Partial<Listing['listing']> = {}) => {
  const { listing: own, summary } = listing('a', 'Le Four', '1 rue du Four, 35000 Rennes');
  const [place] = placesOf([{ listing: { ...own, ...more }, summary }], [], { a: shop });
  if (!place) throw new Error('No place.');
  return place;
};

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
    [{ hours: { 'Su-Mo': '07:00-19:00' } }, '`Su-Mo`'],
    [{ hours: { Lu: '07:00-19:00' } as Shop['hours'] & {} }, '`Lu`'],
    [{ hours: { Mo: '7:00-19:00' } }, '`7:00-19:00`'],
    [{ hours: { Mo: ['07:00-12:00', '14:00-25:00'] } }, '`14:00-25:00`'],
    [{ closed: ['2026-13-01'] }, '`2026-13-01`'],
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
    listing('1', 'Maison Corbel Vitré', '2 place du Marché, 35500 Vitré'),
    listing('2', 'Maison Corbel Brest', '9 quai, 29200 Brest, France'),
    listing('3', 'Maison Corbel', 'Partout', true),
  ];
  const articles = [article('b1', 'Vitré'), article('b2', 'Maison Corbel Brest')];

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
