import { listArticles } from '@/lib/articles';
import { categoriesOf } from '@/lib/journal';
import { site } from '@/lib/site';
import { cardWith, socialOf } from '@/lib/social';

/** The titles of all cards by their names. */
async function titles(): Promise<Map<string, string>> {
  const articles = await listArticles();
  const ofArticles = articles
    .filter((article) => socialOf(article).url.includes('/cards/'))
    .map(({ id, title }) => [`article-${id}.png`, title ?? site.name] as const);
  const ofCategories = categoriesOf(articles).map(({ slug, name }) => [`category-${slug}.png`, name] as const);
  return new Map([['site.png', site.name], ...ofCategories, ...ofArticles]);
}

export async function generateStaticParams(): Promise<{ card: string }[]> {
  return [...(await titles()).keys()].map((card) => ({ card }));
}

export async function GET(_: Request, { params }: { params: Promise<{ card: string }> }): Promise<Response> {
  const title = (await titles()).get(decodeURIComponent((await params).card));
  if (title === undefined) return new Response(null, { status: 404 });
  return new Response(await cardWith(title), { headers: { 'content-type': 'image/png' } });
}
