import { getCollection } from 'astro:content';
import type { Article } from 'multilocal';
import { byNewest } from './journal';

/** Returns every article, the newest first. */
export async function allArticles(): Promise<Article[]> {
  return (await getCollection('articles')).map(({ data }) => data).sort(byNewest);
}
