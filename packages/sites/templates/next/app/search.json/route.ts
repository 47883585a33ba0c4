import { listArticles, listPlaces } from '@/lib/articles';
import { dateInWords } from '@/lib/journal';
import { addressOf } from '@/lib/places';
import { pathOf, words } from '@/lib/site';

/** What the search page looks through: the locations, and every article without its text. */
export async function GET(): Promise<Response> {
  const articles = await listArticles();
  const places = (await listPlaces()).map((place) => ({
    title: place.name,
    excerpt: addressOf(place),
    category: words.places,
    place: place.listing.name ?? '',
    date: '',
    path: place.href,
  }));
  return Response.json([
    ...places,
    ...articles.map((article) => ({
      title: article.title ?? '',
      excerpt: article.excerpt ?? '',
      category: article.category ?? '',
      place: article.bulle_name ?? '',
      date: dateInWords(article),
      path: pathOf(article),
    })),
  ]);
}
