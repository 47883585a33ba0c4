import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Article, ArticleStore } from 'multilocal';
import { directoryStore } from 'multilocal/node';

const ARTICLES = join('content', 'articles');

/** Keeps the articles and the cursor of the sync. Pages read only this. */
export const openStore = (): ArticleStore => directoryStore(ARTICLES);

/** Until the service has been synced once, pages show the mock, see `scripts/sync.mjs`. */
const shown = () => (existsSync(join(ARTICLES, 'cursor.json')) ? ARTICLES : join('content', 'mock'));

export async function readArticle(id: number): Promise<Article | undefined> {
  try {
    return JSON.parse(await readFile(join(shown(), `${id}.json`), 'utf8'));
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function readArticles(): Promise<Article[]> {
  const articles: Article[] = [];
  for await (const article of directoryStore(shown()).all()) articles.push(article);
  return articles;
}
