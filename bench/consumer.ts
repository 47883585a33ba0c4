import { Client } from 'multilocal';

const client = new Client({ baseUrl: 'https://api.multilocal.test' });

export async function use() {
  const list = await client.articles.list({ status: 'published' });
  const article = await client.articles.get(42);
  const posts = await client.posts.list({ limit: 100 });
  const created = await client.posts.create({ content: 'Bonjour', platforms: ['facebook'], bulle_id: 'b-lyon' });
  const reply = await client.reviews.reply('r-1', { text: 'Merci' });
  const titles = list.articles.map(({ title }) => title);
  return { titles, slug: article.slug, first: posts[0]?.content, created, reply };
}
