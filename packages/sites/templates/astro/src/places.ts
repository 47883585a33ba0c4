import type { Article, IdentityFiche, ReviewSummary } from 'multilocal';
import { placeOf, slugOf } from './journal.ts';
import { placeHref, site, words } from './site.ts';

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
  /** The articles of the location, the newest first. */
  articles: Article[];
}

/**
 * Returns the locations, by name. The service does not say which listing is that of which location, so an article belongs
 * to the listing that has the name of its location, and to the only listing if there is one location.
 */
export function placesOf(listings: readonly Listing[], articles: readonly Article[]): Place[] {
  const isOnly = listings.length === 1 && new Set(articles.map(({ bulle_id }) => bulle_id)).size === 1;
  const slugs = new Set<string>();
  return [...listings]
    .sort((one, other) => (one.listing.id < other.listing.id ? -1 : 1))
    .map(({ listing, summary }) => {
      const key = slugOf(listing.name);
      const name = placeOf({ bulle_name: listing.name }) || listing.name;
      const own = distinct(slugOf(name) || 'adresse', slugs);
      const isHere = ({ bulle_name }: Article) => isOnly || (key !== '' && slugOf(bulle_name) === key);
      return { listing, summary, name, slug: own, href: placeHref(own), articles: articles.filter(isHere) };
    })
    .sort((one, other) => one.name.localeCompare(other.name, site.language));
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
