import type { APIRoute } from 'astro';
import { allArticles } from '../../articles';
import { categoriesOf } from '../../journal';
import { address, site } from '../../site';
import { draw, socialOf } from '../../social';

export async function getStaticPaths() {
  const articles = await allArticles();
  const ofArticles = await Promise.all(
    articles.map(async (article) => {
      const card = `article-${article.id}`;
      const isUsed = (await socialOf(article)).src === address(`cards/${card}.png`).href;
      return isUsed ? [{ card, title: article.title ?? site.name }] : [];
    }),
  );
  const ofCategories = categoriesOf(articles).map(({ slug, name }) => ({ card: `category-${slug}`, title: name }));
  return [{ card: 'site', title: site.name }, ...ofCategories, ...ofArticles.flat()].map(({ card, title }) => ({
    params: { card },
    props: { title },
  }));
}

export const GET: APIRoute<{ title: string }> = async ({ props }) =>
  new Response(await draw(props.title), { headers: { 'Content-Type': 'image/png' } });
