// @ts-check
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { directoryStore } from 'multilocal/node';

/** @import { Article } from 'multilocal' */

const FOLDER = join('content', 'articles');

/** The folder that `npm run sync` fills. Pages use only these files. */
export const store = directoryStore(FOLDER);

/** @returns {Promise<Article[]>} newest publication first */
export async function readArticles() {
  /** @type {Article[]} */
  const articles = [];
  for await (const id of store.ids()) articles.push(JSON.parse(await readFile(join(FOLDER, `${id}.json`), 'utf8')));
  return articles.sort((a, b) => (b.published_at ?? '').localeCompare(a.published_at ?? '') || b.id - a.id);
}

/**
 * The path of an article's page. Slug and id never change, so the address does not change either. The id makes the path
 * unique.
 *
 * @param {Pick<Article, 'id' | 'slug'>} article
 */
export function pageName({ id, slug }) {
  return `${slug && /^[a-z0-9][\w-]*$/i.test(slug) ? slug : 'article'}-${id}`;
}
