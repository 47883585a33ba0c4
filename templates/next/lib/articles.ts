import { type Article, parseTimestamp } from 'multilocal';
import { excerpt, readingTime } from 'multilocal/site';
import { cacheLife, cacheTag } from 'next/cache';
import { sanitize } from '@/lib/sanitize';
import { site } from '@/lib/site';
import { readArticle, readArticles } from '@/lib/store';

/** The tag of everything that lists articles: lists, menu, sitemap and feed. */
export const LIST_TAG = 'multilocal:articles';

/** The tag of one article's text. */
export const articleTag = (id: number) => `multilocal:article:${id}`;

/** An article as lists show it. */
export interface Story extends Article {
  /** How long a reader takes. */
  minutes: number;
}

/** All articles, newest first. Without texts, so that the cache stays small. */
export async function listArticles(): Promise<Story[]> {
  'use cache';
  cacheTag(LIST_TAG);
  cacheLife('hours');
  return (await readArticles())
    .map((article) => ({
      ...article,
      excerpt: article.excerpt || excerpt(article.content_html),
      minutes: readingTime(article.content_html),
      content_html: null,
    }))
    .sort((one, other) => dateOf(other).valueOf() - dateOf(one).valueOf() || other.id - one.id);
}

/** One article, with a text that is safe in a page. */
export async function findArticle(id: number): Promise<Story | undefined> {
  'use cache';
  // Also for a missing article: it may come online later.
  cacheTag(articleTag(id));
  cacheLife('hours');
  const article = await readArticle(id);
  const html = article?.content_html ?? '';
  return article && { ...article, minutes: readingTime(html), content_html: sanitize(html) };
}

export interface Category {
  name: string;
  /** Its part of the address. */
  slug: string;
  articles: Story[];
}

/** Returns the categories, those with the most articles first. Names that differ only in accents or case are one. */
export async function listCategories(): Promise<Category[]> {
  const categories = new Map<string, Category>();
  for (const article of await listArticles()) {
    const slug = categorySlug(article);
    const category = categories.get(slug) ?? { name: article.category ?? '', slug, articles: [] };
    category.articles.push(article);
    if (slug) categories.set(slug, category);
  }
  return [...categories.values()].sort((one, other) => other.articles.length - one.articles.length);
}

/** Returns the part of the address of a category: `nos-pains`. Empty if there is no category. */
export function categorySlug({ category }: Article): string {
  const letters = (category ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.match(/[\p{L}\p{N}]+/gu)?.join('-') ?? '';
}

/** The number of pages of a list. An empty list has one. */
export const pagesOf = (articles: readonly Story[]) => Math.max(1, Math.ceil(articles.length / site.pageSize));

/** Returns what to read after an article: of its category and its shop first, and of these, those that came before it. */
export async function nextTo(article: Article): Promise<Story[]> {
  const articles = await listArticles();
  const index = articles.findIndex(({ id }) => id === article.id);
  const others = [...articles.slice(index + 1), ...articles.slice(0, Math.max(0, index))];
  const closeness = ({ category, bulle_id }: Article) =>
    (category && category === article.category ? 2 : 0) + (bulle_id && bulle_id === article.bulle_id ? 1 : 0);
  return others.sort((one, other) => closeness(other) - closeness(one)).slice(0, 3);
}

/** Returns the date of the publication. */
export function dateOf({ published_at, created_at }: Article): Date {
  return parseTimestamp(published_at ?? created_at) ?? new Date(0);
}

const format = new Intl.DateTimeFormat(site.language, { dateStyle: 'long', timeZone: site.timeZone });

/** Returns the date of the publication as a text: `3 mai 2026`. */
export const dateInWords = (article: Article) => format.format(dateOf(article));

/** Keeps the signs of French at their word, so that no line begins with a colon. */
export const unbroken = (text: string) => text.replace(/ (?=[:;!?»%€])|(?<=«) /g, '\u00a0');
