import { listArticles } from '@/lib/articles';
import { dateInWords } from '@/lib/journal';
import { pathOf } from '@/lib/site';

/** What the search page looks through: every article, without its text. */
export async function GET(): Promise<Response> {
  const articles = await listArticles();
  return Response.json(
    articles.map((article) => ({
      title: article.title ?? '',
      excerpt: article.excerpt ?? '',
      category: article.category ?? '',
      place: article.bulle_name ?? '',
      date: dateInWords(article),
      path: pathOf(article),
    })),
  );
}
