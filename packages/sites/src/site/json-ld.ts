// Types of schema-dts check the data that we write. Nothing of them is in the declarations of the package.
import type { Article, IdentityFiche } from 'multilocal';
import type { ArticleLeaf, LocalBusinessLeaf, Organization, WithContext } from 'schema-dts';
import { descriptionOf, textOf, titleOf } from './text.js';
import { isoOf, pageAddress, stringOf, webAddress } from './values.js';

/** Who publishes a site. */
export interface Publisher {
  /** Name of the business. */
  name: string;
  /** Address of its home page. A relative one is resolved against the page. */
  url?: string | URL | undefined;
  /** Address of its logo. A relative one is resolved against the page. */
  logo?: string | URL | undefined;
}

/** Where an article is published, and who publishes it. */
export interface ArticlePage {
  /** Address of the article's page: absolute, `https:` or `http:`. */
  url: string | URL;
  /** The business that publishes the page. */
  publisher: Publisher;
  /** The language of the article, such as `fr`. Absent by default, because the service does not send it. */
  language?: string | undefined;
}

/** The page of a listing, and what the service does not know of the location. */
export interface ListingPage {
  /** Address of the location's page: absolute, `https:` or `http:`. */
  url: string | URL;
  /** The narrowest type of schema.org that fits, such as `Bakery` or `Dentist`. Default `LocalBusiness`. */
  type?: string | undefined;
  /** With the country, such as `+33299000000`. */
  telephone?: string | undefined;
  /** Address of a photo. A relative one is resolved against the page. */
  image?: string | URL | undefined;
  /** Hours as schema.org writes them: `['Mo-Sa 07:00-19:30']`. */
  openingHours?: readonly string[] | undefined;
  /** Further properties of schema.org, such as `geo`, `priceRange` or `openingHoursSpecification`. They replace those of the listing. */
  more?: Readonly<Record<string, unknown>> | undefined;
}

/** JSON leaves out a field that is `undefined`. */
type Draft<Data> = { [Key in keyof Data]: Data[Key] | undefined };

/**
 * Returns schema.org data of the type `Article` as JSON, for search engines. It has the fields that Google documents:
 * headline, image, dates, author and publisher. Empty fields are left out.
 *
 * The string is safe inside `<script type="application/ld+json">`: no title can end the element. Insert it unescaped
 * (`set:html` in Astro, `dangerouslySetInnerHTML` in React). The author is the publisher, because articles have none.
 * @throws a `ConfigurationError` if `url` is not an absolute http or https address.
 * @example
 * const publisher = { name: 'Fournils Augustine', url: 'https://www.example.com' };
 * const json = articleJsonLd(article, { url: `https://www.example.com/blog/${article.slug}`, publisher });
 * const html = `<script type="application/ld+json">${json}</script>`;
 */
export function articleJsonLd(article: Article, page: ArticlePage): string {
  const url = pageAddress('articleJsonLd', page.url);
  const image = webAddress(stringOf(article.featured_image_url).trim(), url);
  const publisher = organization(page.publisher, url);
  const data: Draft<WithContext<ArticleLeaf>> = {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: titleOf(article),
    description: descriptionOf(article),
    image: image && [image],
    datePublished: isoOf(article.published_at),
    dateModified: isoOf(article.updated_at),
    articleSection: textOf(article.category),
    keywords: textOf(article.target_keyword),
    author: publisher,
    publisher,
    inLanguage: textOf(page.language),
    mainEntityOfPage: url,
  };
  return forScript(data);
}

/**
 * Returns schema.org data of a location as JSON: name and address of a listing, and what you add. Empty fields are left
 * out. So is the address of a business that serves an area (`service_area`), because such listings hide it.
 *
 * It has no rating: search engines accept no ratings that another site has collected, nor those of a business on its own
 * page. The string is safe inside `<script type="application/ld+json">`.
 * @throws a `ConfigurationError` if `url` is not an absolute http or https address.
 * @example
 * const { gmb_fiches } = await client.me();
 * for (const listing of gmb_fiches) {
 *   const json = listingJsonLd(listing, { url: 'https://www.example.com/lyon', type: 'Bakery' });
 * }
 */
export function listingJsonLd(
  listing: IdentityFiche,
  { url, type, telephone, image, openingHours, more }: ListingPage,
): string {
  const page = pageAddress('listingJsonLd', url);
  const streetAddress = listing.service_area ? undefined : textOf(listing.address);
  // The type is one of its subtypes, which have the same properties. The service sends the address as one text, for which
  // schema.org has no better field.
  const data: Draft<WithContext<LocalBusinessLeaf>> = {
    '@context': 'https://schema.org',
    '@type': (textOf(type) ?? 'LocalBusiness') as 'LocalBusiness',
    name: textOf(listing.name),
    url: page,
    address: streetAddress && { '@type': 'PostalAddress', streetAddress },
    telephone: textOf(telephone),
    image: webAddress(image, page),
    openingHours: openingHours?.length ? openingHours : undefined,
    ...more,
  };
  return forScript(data);
}

function organization({ name, url, logo }: Publisher, page: string): Organization | undefined {
  const text = textOf(name);
  const data = { '@type': 'Organization', name: text, url: webAddress(url, page), logo: webAddress(logo, page) };
  return text ? (data as Organization) : undefined;
}

/** JSON that cannot end its script element, or start a comment in it. */
const forScript = (data: object): string => JSON.stringify(data).replaceAll('<', '\\u003c');
