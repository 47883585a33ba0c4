import { getCollection } from 'astro:content';
import type { Article } from 'multilocal';
import { byNewest } from './journal';

let articles: Promise<Article[]> | undefined;

/** Returns every article, the newest first. A build reads them once for all its pages. */
export function allArticles(): Promise<Article[]> {
  if (import.meta.env.DEV) return read();
  articles ??= read();
  return articles;
}

const read = async () => (await getCollection('articles')).map(({ data }) => data).sort(byNewest);
