import { Client, type ClientOptions } from 'multilocal';
import type { Job, Service } from '../job';

/** `rateLimit: false`: at the default of 60 a minute there would be nothing to measure but the wait. */
export function connect(service: Service, rateLimit: ClientOptions['rateLimit'] = false): Job {
  const client = new Client({ ...service, rateLimit });
  return {
    me: () => client.me(),
    article: (id) => client.articles.get(id),
    posts: () => client.posts.list({ limit: 100 }),
    articles: (updated_since) => client.articles.list({ status: 'all', updated_since }),
    sync: () => client.articles.sync({ known: [] }),
  };
}
