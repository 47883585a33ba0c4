import createClient from 'openapi-fetch';
import type { paths } from './generated/schema';

const client = createClient<paths>({ baseUrl: 'https://api.multilocal.test/api/v2' });

export async function use() {
  const list = await client.GET('/articles', { params: { query: { status: 'published' } } });
  const article = await client.GET('/articles/{article_id}', { params: { path: { article_id: 42 } } });
  const posts = await client.GET('/posts', { params: { query: { limit: 100 } } });
  const created = await client.POST('/posts', {
    body: { content: 'Bonjour', platforms: ['facebook'], bulle_id: 'b-lyon' },
  });
  const reply = await client.POST('/reviews/{review_id}/reply', {
    params: { path: { review_id: 'r-1' } },
    body: { text: 'Merci' },
  });
  const titles = list.data?.articles.map(({ title }) => title);
  return {
    titles,
    slug: article.data?.slug,
    first: posts.data?.[0]?.content,
    created: created.data,
    reply: reply.data,
  };
}
