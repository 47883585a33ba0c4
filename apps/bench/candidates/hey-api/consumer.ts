import { articlesGet, articlesList, postsCreate, postsList, reviewsReply } from './generated/sdk.gen';

export async function use() {
  const list = await articlesList({ query: { status: 'published' } });
  const article = await articlesGet({ path: { article_id: 42 } });
  const posts = await postsList({ query: { limit: 100 } });
  const created = await postsCreate({ body: { content: 'Bonjour', platforms: ['facebook'], bulle_id: 'b-lyon' } });
  const reply = await reviewsReply({ path: { review_id: 'r-1' }, body: { text: 'Merci' } });
  const titles = list.data?.articles.map(({ title }) => title);
  return {
    titles,
    slug: article.data?.slug,
    first: posts.data?.[0]?.content,
    created: created.data,
    reply: reply.data,
  };
}
