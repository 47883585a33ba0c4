import type { Article, IdentityFiche, ReviewSummary } from 'multilocal';
import { listingJsonLd } from 'multilocal/site';
import { hoursJsonLd, periodInWords, periodOf, weekInWords, weekOf } from './hours.ts';
import { placeOf, slugOf } from './journal.ts';
import { every, type Shop, shops } from './shops.ts';
import { placeHref, site, words } from './site.ts';

/** Articles on the page of a location. */
const NEWEST = 6;

/** A Google listing of the brand, see `listings.mjs`. */
export interface Listing {
  listing: IdentityFiche;
  summary: ReviewSummary | null;
}

/** A location with a page. */
export interface Place extends Listing {
  /** `Lyon Croix-Rousse` */
  name: string;
  /** Its part of the address: `lyon-croix-rousse`. */
  slug: string;
  /** The address of its page, without the host. */
  href: string;
  /** The town, by which places are sorted. Empty if it is not known. */
  town: string;
  /** What `shops.ts` says. */
  shop: Shop;
  /** Closed days that are not over, as people read them. */
  closures: string[];
  /** What `isOf` compares. */
  key: string;
  /** The newest articles of the location. */
  articles: Article[];
}

/** The key of a location that has all articles. */
const ALL = '*';

/**
 * Returns the locations, by town and name. The service does not say which listing belongs to which location, so an article
 * belongs to the listing that has the name of its location, or that `shops.ts` gives to it. The only listing has all articles
 * if there is one location.
 * @throws an error that names what `shops.ts` has wrong.
 */
export function placesOf(listings: readonly Listing[], articles: readonly Article[], known = shops): Place[] {
  const isOnly = listings.length === 1 && new Set(articles.map(({ bulle_id }) => bulle_id)).size === 1;
  const slugs = new Set<string>();
  return [...listings]
    .sort((one, other) => (one.listing.id < other.listing.id ? -1 : 1))
    .map(({ listing, summary }) => {
      const shop = checked(listing.id, { ...every, ...known[listing.id] });
      const name = shop.name ?? (placeOf({ bulle_name: listing.name }) || (listing.name ?? ''));
      const slug = distinct(slugOf(name) || 'adresse', slugs);
      const key = isOnly ? ALL : slugOf(listing.name);
      const newest = articles.filter((article) => isOf({ key, shop }, article)).slice(0, NEWEST);
      const town = shop.town ?? townIn(listing.service_area ? '' : (listing.address ?? ''));
      // Next.js knows the time only here, where the pages of a while are made.
      const today = new Date().toISOString().slice(0, 10);
      const coming = (shop.closed ?? []).filter((period) => periodOf(period)[1] >= today);
      const closures = coming.map((period) => periodInWords(period, site.language));
      return { listing, summary, shop, closures, name, town, slug, key, href: placeHref(slug), articles: newest };
    })
    .sort((one, other) => {
      const byTown = (one.town || one.name).localeCompare(other.town || other.name, site.language);
      return byTown || one.name.localeCompare(other.name, site.language, { numeric: true });
    });
}

/** Whether an article is about a location. */
export const isOf = ({ key, shop }: Pick<Place, 'key' | 'shop'>, { bulle_id, bulle_name }: Article): boolean =>
  shop.location ? bulle_id === shop.location : key === ALL || (key !== '' && slugOf(bulle_name) === key);

/** What follows a postcode: `Lyon` of `14 rue du Mail, 69004 Lyon`. */
const townIn = (address: string) => /(?:^|[\s,-])\d{4,5}\s+(\p{L}[^,\d]*)/u.exec(address)?.[1]?.trim() ?? '';

function checked(id: string, shop: Shop): Shop {
  try {
    weekOf(shop.hours ?? {});
    shop.closed?.forEach(periodOf);
    // A booking may be a page of this site. Maps are elsewhere, and `48.11,-1.68` would be taken for a page.
    if (shop.booking && !URL.canParse(shop.booking, site.url)) throw new Error('`booking` must be an address');
    if (shop.map && !/^https?:./.test(shop.map))
      throw new Error('`map` must be an address that begins with `https://`');
    if (shop.phone && !/^\+[\d ]{7,20}$/.test(shop.phone)) throw new Error('`phone` must be like `+33465710001`');
    return shop;
  } catch (error) {
    throw new Error(`shops.ts, ${id}: ${Object(error).message}.`);
  }
}

/** Says which listings and locations do not find each other, and which shops have no listing. `undefined` if all is well. */
export function placesReport(
  places: readonly Place[],
  articles: readonly Article[],
  known = shops,
): string | undefined {
  const lost = places.filter((place) => !articles.some((article) => isOf(place, article)));
  const locations = new Map(articles.map(({ bulle_id, bulle_name }) => [bulle_id, bulle_name]));
  for (const article of articles) {
    if (places.some((place) => isOf(place, article))) locations.delete(article.bulle_id);
  }
  const ids = Object.keys(known).filter((id) => !places.some(({ listing }) => listing.id === id));
  const list = (names: Iterable<readonly [unknown, unknown]>) =>
    [...names].map(([id, name]) => `${name} (${id})`).join(', ');
  const lines = [
    lost.length > 0 &&
      `No article belongs to the listings ${list(lost.map(({ listing }) => [listing.id, listing.name]))}.`,
    lost.length > 0 &&
      locations.size > 0 &&
      `No listing has the name of the locations ${list(locations)}: write such an id as \`location\` of its listing into shops.ts.`,
    ids.length > 0 && `shops.ts has shops without a listing: ${ids.join(', ')}.`,
  ];
  return lines.filter(Boolean).join(' ') || undefined;
}

/** Two listings may have one name. */
function distinct(slug: string, taken: Set<string>): string {
  let own = slug;
  for (let count = 2; taken.has(own); count++) own = `${slug}-${count}`;
  taken.add(own);
  return own;
}

/** The address as a text. A business that visits its customers hides its own. */
export const addressOf = ({ listing }: Listing): string =>
  listing.service_area ? words.serviceArea : (listing.address ?? '');

/** The rating as a text: `4,6 sur 5 · 312 avis Google`. `undefined` without reviews. */
export function ratingOf({ summary }: Listing): string | undefined {
  const { average_rating, total_reviews = 0 } = summary ?? {};
  if (!average_rating || total_reviews < 1) return undefined;
  const average = average_rating.toLocaleString(site.language, { maximumFractionDigits: 1 });
  return words.rating(average, total_reviews);
}

/** What the page of a location shows of a shop. What is not known is `undefined` or empty. */
export function shopOf({ listing, shop, closures }: Place) {
  const { phone, photo, hours, closed = [], booking, text = '' } = shop;
  const address = listing.service_area ? '' : (listing.address?.trim() ?? '');
  const query = encodeURIComponent(`${listing.name ?? ''}, ${address}`);
  const week = hours && weekOf(hours);
  const { openNow: open, closedNow } = words;
  return {
    phone: phone ? { href: `tel:${phone.replaceAll(' ', '')}`, text: phoneInWords(phone) } : undefined,
    map: shop.map ?? (address ? `https://www.google.com/maps/search/?api=1&query=${query}` : undefined),
    directions: address ? `https://www.google.com/maps/dir/?api=1&destination=${query}` : undefined,
    booking,
    photo,
    paragraphs: text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim()),
    week: week && weekInWords(week, site.language),
    closures,
    /** For `public/open-now.js`. */
    now: week && JSON.stringify({ week, closed, timeZone: site.timeZone, words: { open, closed: closedNow } }),
  };
}

/** A number as its country writes it, as far as that is simple: `04 65 71 00 01` in France. */
const phoneInWords = (phone: string) => {
  const digits = phone.replaceAll(' ', '');
  return /^\+33\d{9}$/.test(digits) ? `0${digits.slice(3)}`.replace(/\d\d(?=\d)/g, '$&\u00a0') : phone;
};

/** What search engines read about a location. `url` is the address of its page, and `photo` that of its picture. */
export function placeJsonLd({ listing, shop }: Place, url: string): string {
  const { type, phone: telephone, photo, map, hours = {}, closed = [] } = shop;
  const image = photo && new URL(photo, site.url).href;
  return listingJsonLd(listing, {
    url,
    type,
    telephone,
    image,
    more: { hasMap: map, ...hoursJsonLd(weekOf(hours), closed) },
  });
}
