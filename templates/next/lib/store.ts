import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Article, ArticleStore } from 'multilocal';
import { directoryStore } from 'multilocal/node';

/** The mock has a folder of its own: its articles and those of a service must not be mixed. See `scripts/sync.mjs`. */
const FOLDER = join('content', process.env.MULTILOCAL_BASE_URL ? 'articles' : 'mock');

/** Keeps the articles and the cursor of the sync. Pages read only this. */
export const openStore = (): ArticleStore => directoryStore(FOLDER);

export async function readArticle(id: number): Promise<Article | undefined> {
  const file = join(FOLDER, `${id}.json`);
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function readArticles(): Promise<Article[]> {
  const articles: Article[] = [];
  for await (const id of openStore().ids()) {
    const article = await readArticle(id);
    if (article) articles.push(article);
  }
  return articles;
}
