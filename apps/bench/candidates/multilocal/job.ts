import { Client } from 'multilocal';
import type { Job, Service } from '../job';

/** `rateLimit: false`: at the default of 60 a minute there would be nothing to measure but the wait. */
export function connect(service: Service): Job {
  const client = new Client({ ...service, rateLimit: false });
  return {
    article: (id) => client.articles.get(id),
    posts: () => client.posts.list({ limit: 100 }),
    articles: (updated_since) => client.articles.list({ status: 'all', updated_since }),
    sync: () => client.articles.sync({ known: [] }),
  };
}
