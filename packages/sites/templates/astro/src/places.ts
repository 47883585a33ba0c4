import type { Article, IdentityFiche, ReviewSummary } from 'multilocal';
import { placeOf, slugOf } from './journal.ts';
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
  /** What `isOf` compares. */
  key: string;
  /** The newest articles of the location. */
  articles: Article[];
}

/** The key of a location that has all articles. */
const ALL = '*';

/**
 * Returns the locations, by name. The service does not say which listing belongs to which location, so an article belongs
 * to the listing that has the name of its location, and to the only listing if there is one location.
 */
export function placesOf(listings: readonly Listing[], articles: readonly Article[]): Place[] {
  const isOnly = listings.length === 1 && new Set(articles.map(({ bulle_id }) => bulle_id)).size === 1;
  const slugs = new Set<string>();
  return [...listings]
    .sort((one, other) => (one.listing.id < other.listing.id ? -1 : 1))
    .map(({ listing, summary }) => {
      const name = placeOf({ bulle_name: listing.name }) || (listing.name ?? '');
      const slug = distinct(slugOf(name) || 'adresse', slugs);
      const key = isOnly ? ALL : slugOf(listing.name);
      const newest = articles.filter((article) => isOf({ key }, article)).slice(0, NEWEST);
      return { listing, summary, name, slug, key, href: placeHref(slug), articles: newest };
    })
    .sort((one, other) => one.name.localeCompare(other.name, site.language));
}

/** Whether an article is about a location. */
export const isOf = ({ key }: Pick<Place, 'key'>, { bulle_name }: Article): boolean =>
  key === ALL || (key !== '' && slugOf(bulle_name) === key);

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
