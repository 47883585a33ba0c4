import { type CollectionEntry, getCollection } from 'astro:content';
import { parseTimestamp } from 'multilocal';
import { drawings, site } from './site';

export type Article = CollectionEntry<'articles'>['data'];

/** Returns every article, the newest first. */
export async function allArticles(): Promise<Article[]> {
  const entries = await getCollection('articles');
  return entries.map(({ data }) => data).sort((one, other) => dateOf(other).valueOf() - dateOf(one).valueOf());
}

/** Returns the date of the publication. */
export function dateOf({ published_at, created_at }: Article): Date {
  return parseTimestamp(published_at ?? created_at) ?? new Date(0);
}

const format = new Intl.DateTimeFormat(site.language, { dateStyle: 'long', timeZone: site.timeZone });

/** Returns the date of the publication as a text: `3 mai 2026`. */
export function dateInWords(article: Article): string {
  return format.format(dateOf(article));
}

/** Keeps the signs of French at their word, so that no line begins with a colon. */
export function unbroken(text: string): string {
  return text.replace(/ (?=[:;!?»%€])|(?<=«) /g, '\u00a0');
}

const SHAPES = ['hills', 'rings', 'circles', 'arches'];

/** Returns the drawing that fits what an article is about. */
export function drawingOf({ id, title, category }: Article): string {
  const found = drawings.find(([words]) => words.test(`${title} ${category ?? ''}`));
  return found?.[1] ?? SHAPES[id % SHAPES.length] ?? 'hills';
}
