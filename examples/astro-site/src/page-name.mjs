// @ts-check

/**
 * The path of an article's page. Slug and id never change, so the address does not change either. The id makes the path
 * unique.
 *
 * @param {Pick<import('multilocal/astro').ArticleData, 'id' | 'slug'>} article
 */
export function pageName({ id, slug }) {
  return `${/^[a-z0-9][\w-]*$/i.test(slug) ? slug : 'article'}-${id}`;
}
