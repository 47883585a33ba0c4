import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Article, ArticleStore } from 'multilocal';
import { directoryStore } from 'multilocal/node';
import { DRAFTS, hasDrafts } from '@/lib/drafts';
import type { Listing } from '@/lib/places';

const ARTICLES = join('content', 'articles');
const MOCK = join('content', 'mock');

/** Keeps the articles and the cursor of the sync. Pages read only this. */
export const openStore = (): ArticleStore => directoryStore(ARTICLES);

/** The mock is there only as long as there is no address of a service, see `scripts/sync.mjs`. */
const shown = () => (existsSync(MOCK) ? MOCK : ARTICLES);

export async function readArticle(id: number): Promise<Article | undefined> {
  return (await read<Article>(join(shown(), `${id}.json`))) ?? read(join(DRAFTS, `${id}.json`));
}

export async function readArticles(): Promise<Article[]> {
  const articles: Article[] = [];
  for (const folder of hasDrafts() ? [shown(), DRAFTS] : [shown()])
    for await (const article of directoryStore(folder).all()) articles.push(article);
  return articles;
}

/** Beside the folder of the articles, in which only the sync writes. */
const listingsFile = () => `${shown()}-listings.json`;

export async function readListings(): Promise<Listing[]> {
  return (await read<Listing[]>(listingsFile())) ?? [];
}

export async function saveListings(listings: readonly Listing[]): Promise<void> {
  await mkdir(dirname(listingsFile()), { recursive: true });
  await writeFile(listingsFile(), JSON.stringify(listings));
}

async function read<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  }
}
