import { getCollection } from 'astro:content';
import type { Article } from 'multilocal';
import { byNewest, titled, withNames } from './journal';
import { type Listing, type Place, placesOf } from './places';
import { site } from './site';

let articles: Promise<Article[]> | undefined;
let places: Promise<Place[]> | undefined;

/** Returns every article, the newest first. A build reads them once for all its pages. */
export function allArticles(): Promise<Article[]> {
  if (import.meta.env.DEV) return readArticles();
  articles ??= readArticles();
  return articles;
}

/** Returns the locations with a page. */
export function allPlaces(): Promise<Place[]> {
  if (import.meta.env.DEV) return readPlaces();
  places ??= readPlaces();
  return places;
}

const readArticles = async () =>
  withNames((await getCollection('articles')).map(({ data }) => titled(data)).sort(byNewest));

async function readPlaces(): Promise<Place[]> {
  if (!site.places) return [];
  const listings = (await getCollection('places')).map(({ data }) => data as unknown as Listing);
  return placesOf(listings, await allArticles());
}
