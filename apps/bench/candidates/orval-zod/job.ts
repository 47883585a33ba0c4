import type { Job, Service } from '../job';
import { address } from './address';
import { articlesGet, articlesList, me, postsList } from './generated/client';

export function connect({ baseUrl, apiKey }: Service): Job {
  address.url = `${baseUrl}/api/v2`;
  const options = { headers: { 'X-API-Key': apiKey } };
  return {
    me: () => me(options),
    article: (id) => articlesGet(id, options),
    posts: () => postsList({ limit: 100 }, options),
    articles: (updated_since) => articlesList({ status: 'all', updated_since }, options),
  };
}
