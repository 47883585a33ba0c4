import type { Article } from 'multilocal';
import type { Publisher } from 'multilocal/site';

export const SITE = {
  name: 'Les Fournils d’Augustine',
  title: 'Le journal du fournil',
  description:
    'Pains, recettes, saisons et vie des boutiques : ce que nos boulangers ont à raconter.',
};

const ORIGIN = process.env.SITE_URL ?? 'http://localhost:3000';

/** The absolute address of a page. */
export const urlOf = (path: string) => new URL(path, ORIGIN).href;

export const publisher: Publisher = { name: SITE.name, url: urlOf('/') };

/**
 * The last part of an article's address. Slug and id never change, and a page
 * finds its article by the id.
 */
export function pageName({ id, slug }: Article): string {
  const name = slug && /^[a-z0-9][\w-]*$/i.test(slug) ? slug : 'article';
  return `${name}-${id}`;
}

export const pathOf = (article: Article) => `/articles/${pageName(article)}`;

/** The id in an article's address. `NaN` if there is none. */
export const idOf = (page: string) => Number(/-(\d+)$/.exec(page)?.[1]);
