import { Client } from 'multilocal';

/** With the limiter, each call is counted, and the limits are so high that no call waits. */
export function connect({ baseUrl, apiKey, limiter }) {
  const rateLimit = limiter ? { perMinute: 1e9, perDay: 1e9 } : false;
  const client = new Client({ baseUrl, apiKey, rateLimit });
  return {
    article: (id) => client.articles.get(id),
    posts: () => client.posts.list({ limit: 100 }),
    articles: (updated_since) => client.articles.list({ status: 'all', updated_since }),
    sync: () => client.articles.sync({ known: [] }),
  };
}
