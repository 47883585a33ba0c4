import { articlesGet, articlesList, postsCreate, postsList, reviewsReply } from './generated/client';

export async function use() {
  const list = await articlesList({ status: 'published' });
  const article = await articlesGet(42);
  const posts = await postsList({ limit: 100 });
  const created = await postsCreate({ content: 'Bonjour', platforms: ['facebook'], bulle_id: 'b-lyon' });
  const reply = await reviewsReply('r-1', { text: 'Merci' });
  const titles = list.articles.map(({ title }) => title);
  return { titles, slug: article.slug, first: posts[0]?.content, created, reply };
}
